"""`python -m tamis`: the command line without the installed script."""

from tamis.cli import main

if __name__ == "__main__":
    main()
