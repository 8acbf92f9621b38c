#!/usr/bin/env bash
# Makes a virtual environment and installs tamis into it, with the locked versions.
#   setup.sh VENV LOCKFILE PYTHON
# uv is used when it is there; else venv and pip. Says what to install when the system's Python cannot make an environment.
set -euo pipefail
venv=$1 lock=$2 python=$3

fail() { echo "error: $*" >&2; exit 1; }

if command -v uv >/dev/null; then
  [ -x "$venv/bin/python" ] || uv venv -q --seed --python '>=3.11' "$venv" || fail "uv could not make $venv; is a Python of 3.11 or newer there?"
  echo "installing with uv …"
  uv pip install -q --python "$venv/bin/python" --require-hashes -r "$lock"
  uv pip install -q --python "$venv/bin/python" --no-deps -e .
  exit
fi

if [ ! -x "$venv/bin/python" ]; then
  # The plain name may be an old one; a newer one often stands beside it.
  for name in "$python" python3.14 python3.13 python3.12 python3.11; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$name; break; fi
  done
  [ -n "${found:-}" ] || fail "no Python of 3.11 or newer; install one (Debian: apt-get install python3 python3-venv) or uv, or give PYTHON=…"
  "$found" -c 'import venv, ensurepip' 2>/dev/null || fail "$found cannot make environments; install its venv module (Debian: apt-get install python3-venv) or uv"
  "$found" -m venv "$venv" || { rm -rf "$venv"; fail "$found -m venv failed; its own message is above"; }
fi
echo "installing with pip …"
"$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r "$lock"
"$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps -e .
