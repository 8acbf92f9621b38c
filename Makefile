# Everything a newcomer needs: `make demo` and `make test` do all the set-up. uv is used when it is there, else venv and pip;
# versions come from the lock files, with hashes.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
OUT ?=
MINUTES ?= 1
SEED ?=
SAMPLE ?=
PICTURES ?=
SEEDS ?= 3
BROKER ?= embedded

.PHONY: help demo test test-full bench fuzz crash mutation table boards golden lint lock clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.installed  ## install, start the embedded service, play recordings of several models, show the calls
	@$(BIN)/tamis demo -o table

test: $(VENV)/.dev lint  ## lint and the fast tier: some minutes
	$(BIN)/pytest -q -n 2 -m "not full"

test-full: $(VENV)/.dev lint  ## every cut of every case, long fuzz, all brokers: long
	$(BIN)/pytest -q -n 2

bench: $(VENV)/.dev  ## CPU a chunk of core and service beside floor, naive service and ceiling; OUT=FILE writes JSON too
	$(BIN)/python -m tests.bench $(if $(OUT),--out $(OUT))

fuzz: $(VENV)/.dev  ## mutated texts of all dialects against the core for MINUTES=n; SEED=n repeats a run
	cd tests && ../$(BIN)/python -m fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

crash: $(VENV)/.dev  ## workers killed, stopped and held up by seed: SEEDS=n, BROKER=embedded|kafka; nothing may be missing or wrong
	cd tests && ../$(BIN)/python -m crash --seeds $(SEEDS) --broker $(BROKER)

mutation: $(VENV)/.dev  ## how many small wrong changes of the parser the tests notice; SAMPLE=n of them by chance
	cd tests && ../$(BIN)/python -m mutation $(if $(SAMPLE),--sample $(SAMPLE))

table: $(VENV)/.dev  ## write the README's table of dialects from the registry
	cd tests && ../$(BIN)/python -m readme_table

boards: $(VENV)/.dev  ## write the Grafana boards from deploy/grafana/boards
	cd deploy/grafana && ../../$(BIN)/python -m boards

golden: $(VENV)/.dev  ## worker, broker, load and a real Prometheus: every query of every board, sums against topics; PICTURES=FOLDER draws
	cd tests && PYTHONPATH=.:e2e:../deploy/grafana ../$(BIN)/python -m golden $(if $(PICTURES),$(abspath $(PICTURES)))

lint: $(VENV)/.dev  ## ruff, mypy --strict, import-linter
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

lock: $(VENV)/.dev  ## resolve the lock files anew
	$(BIN)/pip show -q uv || $(BIN)/pip install -q uv
	$(BIN)/python -m uv pip compile pyproject.toml --extra embedded --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate -q --upgrade -o requirements.lock
	$(BIN)/python -m uv pip compile pyproject.toml --extra embedded --group dev --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate -q -c requirements.lock -o requirements-dev.lock

clean:  ## remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist

$(VENV)/.installed: requirements.lock pyproject.toml
	@deploy/setup.sh "$(VENV)" requirements.lock "$(PYTHON)"
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml
	@deploy/setup.sh "$(VENV)" requirements-dev.lock "$(PYTHON)"
	@touch $@ $(VENV)/.installed
