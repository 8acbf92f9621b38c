"""The crash suite: workers as processes on a real broker, killed, stopped and held up by seed, against what the core alone makes of the input.

    traffic   what is written, by seed: sessions, cuts, catalogues
    faults    what is done to workers and broker, and behind which record
    workers   the worker processes
    proxy     a way to the broker that can hold writes up
    run       one seed: broker, workers, gateway, dispatcher, consumer
    oracle    what has to come out, computed without a worker
    verdict   missing, wrong, unexpected, doubles
    sabotage  workers without one guard, to show that the suite sees it

    python -m crash --seeds 3 --broker embedded
"""
