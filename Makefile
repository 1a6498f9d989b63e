# Sweepbook.  `make` alone lists what there is.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# More than there are processors: tests of whole processes mostly wait for them.
PROCESSES := $(shell expr $$(getconf _NPROCESSORS_ONLN) \* 2)
PYTEST := $(BIN)/python -m pytest -n $(PROCESSES) --dist loadscope --no-loadscope-reorder
# One lock for Linux and macOS and every Python from 3.11 on.
LOCKING := --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock"
# Where this is set, each process of tests would compile every source file and every test file again.
unexport PYTHONDONTWRITEBYTECODE
ARGS ?=
DIR ?= ../shared/replays/avf
N ?= 20000

.DEFAULT_GOAL := help
.PHONY: help run worker setup lock test test-full test-stack test-browser test-schema examples kernels check lint types format migrate bench-analysis bench-import bench-boards bench-dump bench-live bench-rooms bench-attacks bench-outages bench-film bench-pages bench-probability bench-solver oracle fuzz pictures clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  make %-18s %s\n", $$1, $$2}'

# Ranges stand in requirements*.txt; installed are the versions in requirements*.lock, whose files must have the hashes
# there.  The stamps keep what is installed in step with the locks: a changed lock installs again.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Sweepbook needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make run PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.lock | $(BIN)/python
	@echo "Installing the packages of the site into $(VENV) (once, about a minute) …"
	@$(PIP) install -qq --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock | $(BIN)/python
	@echo "Installing the packages of tests and checks into $(VENV) (once, about a minute) …"
	@$(PIP) install -qq --require-hashes -r requirements-dev.lock
	@touch $@ $(VENV)/.runtime

lock: | $(BIN)/python ## the newest versions within the ranges of requirements*.txt, with the hashes of their files
	@$(PIP) install -qq 'uv>=0.9'
	$(BIN)/uv pip compile requirements.txt -o requirements.lock $(LOCKING)
	$(BIN)/uv pip compile requirements-dev.txt -c requirements.lock -o requirements-dev.lock $(LOCKING)

run: $(VENV)/.runtime ## the whole site on this machine (ARGS="--port 8001 --no-demo")
	@exec $(BIN)/python manage.py runsite $(ARGS)

worker: $(VENV)/.runtime ## one more worker for the site that .env describes (ARGS="-Q luck" for luck alone)
	@exec $(BIN)/python -m celery -A config worker --loglevel=INFO $(ARGS)

setup: $(VENV)/.dev ## install everything that tests and checks need

test: export EFFORT ?= short
test: $(VENV)/.dev ## checks and the tests of each feature (APP=replays/watch: one room; CHANGED=1: the rooms that differ from origin/main)
ifdef APP
	$(PYTEST) -m "not long" tests/$(APP) $(ARGS)
else ifdef CHANGED
	@$(BIN)/python -m tests.touched $(filter-out 1,$(CHANGED)) > $(VENV)/touched
	@$(BEGIN_CHECK) $(PREPARED) && { [ ! -s $(VENV)/touched ] || $(PYTEST) -m "not long" $(ARGS) $$(cat $(VENV)/touched) \
		|| [ $$? -eq 5 ]; }; $(END_CHECK)  # 5: all that is touched is long
else
	@$(BEGIN_CHECK) $(PREPARED) && $(PYTEST) -m "not long" --durations=20 $(ARGS); $(END_CHECK)
endif

test-full: $(VENV)/.dev ## every test (EFFORT=long: longer random forms too)
	@$(BEGIN_CHECK) $(PREPARED) && { $(PYTEST) --durations=30 $(ARGS) || $(ALONE); }; $(END_CHECK)

# The checks run beside what comes between the two; what they found is shown at the end.
BEGIN_CHECK = $(MAKE) --no-print-directory check > $(VENV)/check.log 2>&1 &
END_CHECK = tests=$$?; wait $$! || { cat $(VENV)/check.log; echo "make check failed, see above"; exit 1; }; exit $$tests
# Of 8,000 tests with browsers and whole processes beside each other, one or two meet a machine that is too busy for them.
# What fails is shown, and is tried once more with nothing beside it; if more than five fail, nothing is.
ALONE = { [ $$? -eq 1 ] && [ $$(grep -c :: .pytest_cache/v/cache/lastfailed) -le 5 ] && echo "Once more, alone:" \
	&& $(BIN)/python -m pytest --last-failed; }
PREPARED = $(MAKE) --no-print-directory --jobs=2 kernels $(VENV)/.tests-prepared

# Once in a clone: else each process of tests would compile every test file for itself, and wait for the database.
$(VENV)/.tests-prepared: | $(VENV)/.dev
	@$(BIN)/python -m tests.kept_database
	@$(BIN)/python -m pytest --collect-only -qq > $@.log || { cat $@.log; exit 1; }
	@touch $@

test-stack: $(VENV)/.dev ## tests with a real broker and real workers
	$(PYTEST) -m stack $(ARGS)

test-browser: $(VENV)/.dev ## tests that drive Chromium
	$(PYTEST) -m browser $(ARGS)

test-schema: $(VENV)/.dev ## more than 10,000 requests derived from the schema of the API
	EFFORT=long $(BIN)/python -m pytest -rP tests/config/api/test_schemathesis.py $(ARGS)

examples: $(VENV)/.dev ## write the examples of the API that are missing or have another shape by now
	SWEEPBOOK_WRITE_EXAMPLES=1 $(BIN)/python -m pytest -q tests/config/api/schema/test_examples.py -k every $(ARGS)

kernels: $(VENV)/.dev ## compile all kernels that are not compiled yet
	@$(BIN)/python -m analysis.warmup

check: lint types ## lint, types, layers, dead code, the schema of the API
	$(BIN)/lint-imports
	$(BIN)/python -m tests.dead_code
	DEBUG=1 $(BIN)/python manage.py spectacular --validate --fail-on-warn --file $(VENV)/schema.yml

lint: $(VENV)/.dev ## ruff: mistakes and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## mypy, strict
	DEBUG=1 $(BIN)/mypy .

format: $(VENV)/.dev ## rewrite the layout of the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

migrate: $(VENV)/.runtime ## bring the database that .env describes up to date
	$(BIN)/python manage.py migrate

bench-analysis: $(VENV)/.dev ## 1 min: analysis of the AVF files in DIR=… against ms_toollib, stage by stage (ARGS="--rounds 3")
	$(BIN)/python -m tests.bench.bench_analysis $(DIR) $(ARGS)

bench-import: $(VENV)/.dev ## 4 min: import of 2,000 files into PostgreSQL, against ms_toollib (ARGS="--files 600 --runs 1")
	$(BIN)/python -m tests.bench.bench_import $(ARGS)

bench-boards: $(VENV)/.dev ## 10 min: pages on made-up sites of 10,000 and 100,000 replays (ARGS="--replays 100000 1000000")
	$(BIN)/python -W ignore -m tests.bench.bench_boards $(ARGS)

bench-dump: $(VENV)/.dev ## 20 min: a dump of a made-up site of a million replays: seconds, bytes, memory, counts (ARGS="--replays 100000")
	$(BIN)/python -W ignore -m tests.bench.bench_dump $(ARGS)

bench-live: $(VENV)/.dev ## 2 min: 200 single games at once, from a click to its answer (ARGS="--players 50")
	$(BIN)/python -W ignore -m tests.bench.live.solo $(ARGS)

bench-rooms: $(VENV)/.dev ## 2 min: one room with 1,000 players and 500 moves/s (ARGS="--sockets 200 --moves 100")
	$(BIN)/python -W ignore -m tests.bench.live.rooms $(ARGS)

bench-attacks: $(VENV)/.dev ## 7 min: attacks on a running site, and how long a visitor's pages take meanwhile (ARGS="positions --seconds 8")
	$(BIN)/python -W ignore -m tests.bench.attacks $(ARGS)

bench-outages: $(VENV)/.dev ## 5 min: uploads while workers are killed and the broker is away for a minute (ARGS="--uploads 300 --outage-seconds 10")
	$(BIN)/python -W ignore -m tests.bench.bench_outages $(ARGS)

bench-film: $(VENV)/.dev ## 5 min: films of the shared files: bytes, milliseconds on the server, frames in Chromium
	$(BIN)/python -m pytest -q -s -p no:cacheprovider tests/bench/bench_film.py $(ARGS)

bench-pages: $(VENV)/.dev ## 4 min: first views of home, board, player, replay, upload: bytes, paints, layout shift
	$(BIN)/python -m pytest -q -s -p no:cacheprovider tests/bench/bench_pages.py

bench-probability: $(VENV)/.dev ## 1 min: mine probabilities of Expert positions against ms_toollib (ARGS="--games 10000")
	$(BIN)/python -m tests.bench.bench_probability $(ARGS)

bench-solver: $(VENV)/.dev ## 6 min: games won by each stage of the solver, written to the table of /tools/solver/ (ARGS="--jobs 2")
	$(BIN)/python -m tests.bench.bench_solver $(ARGS)

oracle: $(VENV)/.dev ## 2 min: check every number of the AVF files in DIR=…, and 1,000 boards a level, against ms_toollib
	$(BIN)/python -m tests.bench.compare_oracle $(DIR)
	$(BIN)/python -m tests.bench.check_zini_oracle --boards 1000

fuzz: $(VENV)/.dev ## 4 min: check the readers with N=20000 damaged files of every format (ARGS=--worst: the largest legal ones)
	$(BIN)/python -m tests.bench.fuzz --cases $(N) $(ARGS)

pictures: $(VENV)/.dev ## pictures of the pages of a running site, wide, narrow and dark (ARGS="http://localhost:8000 FOLDER")
	$(BIN)/python -m tests.e2e.screenshots $(ARGS)

clean: ## remove .venv and caches (never the data in var/)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
