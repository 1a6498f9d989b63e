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
.PHONY: help run worker setup lock test test-fast test-full test-sqlite test-stack test-browser test-schema examples kernels check lint types format migrate bench bench-analysis bench-zini bench-recompute bench-boards bench-changes bench-latency bench-writes bench-probability bench-solver bench-solver-boards bench-luck bench-forgeries bench-similar oracle fuzz fuzz-peer clean bench-attacks bench-laying bench-fair bench-sockets bench-live bench-rooms bench-film bench-newcomer bench-clips bench-player bench-pages bench-api bench-heap bench-upgrade bench-dump bench-scores bench-deletion bench-accounts bench-export bench-outages compare-sites pictures

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

test: $(VENV)/.dev ## checks and the tests of each feature (10 minutes on two processors; APP=replays/watch: one room, a minute)
ifdef APP
	$(PYTEST) -m "not long" tests/$(APP) $(ARGS)
else
	@$(MAKE) --no-print-directory --jobs=2 check kernels
	$(PYTEST) -m "not long" --durations=20 $(ARGS)
endif

test-full: $(VENV)/.dev ## every test, on tables made by the migrations, and SQLite (40 minutes; EFFORT=long: longer random forms too)
	@$(MAKE) --no-print-directory --jobs=2 check kernels
	$(PYTEST) --durations=30 $(ARGS)
	@$(MAKE) --no-print-directory test-sqlite

test-fast: kernels ## tests without browser, workers and PostgreSQL, and without the slow ones
	SWEEPBOOK_TEST_DATABASE=sqlite $(PYTEST) -m "not stack and not browser and not slow" $(ARGS)

test-sqlite: $(VENV)/.dev ## on SQLite what differs there
	SWEEPBOOK_TEST_DATABASE=sqlite $(PYTEST) -m database $(ARGS)

test-stack: $(VENV)/.dev ## tests with a real broker and real workers
	$(PYTEST) -m stack $(ARGS)

test-browser: $(VENV)/.dev ## tests that drive Chromium
	$(PYTEST) -m browser $(ARGS)

test-schema: $(VENV)/.dev ## more than 10,000 requests derived from the schema of the API
	EFFORT=long $(BIN)/python -m pytest -rP tests/config/api/test_schemathesis.py $(ARGS)

examples: $(VENV)/.dev ## write the examples of the API that are missing or have another shape by now
	SWEEPBOOK_WRITE_EXAMPLES=1 SWEEPBOOK_TEST_DATABASE=sqlite $(BIN)/python -m pytest -q tests/config/api/schema/test_examples.py -k every $(ARGS)

kernels: $(VENV)/.dev ## compile all kernels that are not compiled yet
	$(BIN)/python -m analysis.warmup

check: lint types ## lint, types, layers, missing migrations, the schema of the API
	$(BIN)/lint-imports
	DEBUG=1 $(BIN)/python manage.py makemigrations --check --dry-run
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

bench: $(VENV)/.dev ## import end to end, and the analysis alone, beside ms_toollib (ARGS="--files 600")
	$(BIN)/python -m tests.bench.bench_import $(ARGS)

bench-analysis: $(VENV)/.dev ## the analysis of the AVF files in DIR=… beside ms_toollib, stage by stage
	$(BIN)/python -m tests.bench.bench_analysis $(DIR) $(ARGS)

bench-zini: $(VENV)/.dev ## ZiNi of random boards beside ms_toollib
	$(BIN)/python -m tests.bench.bench_zini $(ARGS)

bench-recompute: $(VENV)/.dev ## making stored numbers again, from values and from files
	$(BIN)/python -m tests.bench.bench_recompute $(ARGS)

bench-boards: $(VENV)/.dev ## pages on made-up sites of rising size (ARGS="--replays 100000 1000000")
	$(BIN)/python -W ignore -m tests.bench.bench_boards $(ARGS)

bench-upgrade: $(VENV)/.dev ## our migrations on a loaded database that older code serves (ARGS="--before ../older --database postgresql://…")
	$(BIN)/python -W ignore -m tests.bench.bench_upgrade $(ARGS)

bench-dump: $(VENV)/.dev ## a dump of a made-up site of a million replays: seconds, bytes, memory, counts (ARGS="--replays 100000")
	$(BIN)/python -W ignore -m tests.bench.bench_dump $(ARGS)

bench-probability: $(VENV)/.dev ## mine probabilities of Expert positions beside ms_toollib (ARGS="--games 10000")
	$(BIN)/python -m tests.bench.bench_probability $(ARGS)

bench-solver: $(VENV)/.dev ## games won by each stage of the solver: the table of /tools/solver/ (10 minutes; ARGS="--jobs 2")
	$(BIN)/python -m tests.bench.solver_stages $(ARGS)

bench-solver-boards: $(VENV)/.dev ## games won on the boards that other programs played, or on our own (ARGS="--rules w7 --jobs 2")
	$(BIN)/python -m tests.bench.bench_solver $(ARGS)

bench-changes: $(VENV)/.dev ## 100,000 random changes against a naive recomputation (ARGS="--changes 5000 --seed 2")
	$(BIN)/python -W ignore -m tests.bench.bench_changes $(ARGS)

bench-latency: $(VENV)/.dev ## from the answer of an upload to its place on the board, 50 in flight (ARGS="--workers 2")
	$(BIN)/python -W ignore -m tests.bench.bench_latency $(ARGS)

bench-heap: $(VENV)/.dev ## another account's single upload while 260 heavy files wait (ARGS="--files 60 --seconds 20")
	$(BIN)/python -W ignore -m tests.bench.bench_heap $(ARGS)

bench-live: $(VENV)/.dev ## 200 single games at once: from a click to its answer (ARGS="--players 50")
	$(BIN)/python -W ignore -m tests.bench.live.solo $(ARGS)

bench-attacks: $(VENV)/.dev ## attacks on a running site, and how long the pages of a visitor take meanwhile (ARGS="positions --seconds 8")
	$(BIN)/python -W ignore -m tests.bench.attacks $(ARGS)

bench-writes: $(VENV)/.dev ## statements and milliseconds of a replay, and replays ranked a second
	$(BIN)/python -W ignore -m tests.bench.bench_writes $(ARGS)

bench-rooms: $(VENV)/.dev ## one room with 1,000 players at 500 moves/s, then the referee alone (ARGS="--sockets 200 --moves 100")
	$(BIN)/python -W ignore -m tests.bench.live.rooms $(ARGS)
	$(BIN)/python -m tests.bench.live.referee_alone

bench-sockets: $(VENV)/.dev ## memory and processor time of idle sockets, or pages beside listeners (ARGS="--listeners 500")
	$(BIN)/python -W ignore -m tests.bench.live.sockets $(ARGS)

bench-player: $(VENV)/.dev ## the page and the charts of a player with 50,000 replays among a million (ARGS="--replays 200000 --games 20000")
	$(BIN)/python -W ignore -m tests.bench.bench_player $(ARGS)

bench-accounts: $(VENV)/.dev ## two accounts with very many uploads, made in the filled site of .env for tests.bench.page_plans --account
	$(BIN)/python -m tests.bench.bench_accounts

bench-deletion: $(VENV)/.dev ## the deletion of an account with 50,000 uploads, and lists with likes and comments (ARGS="--replays 100000 --games 5000")
	$(BIN)/python -W ignore -m tests.bench.bench_account $(ARGS)

bench-export: $(VENV)/.dev ## boards of the site of .env as files: first rows, seconds, memory (ARGS=/api/v1/leaderboards/expert/time/rows.csv)
	EXPORT_RATE=10000/hour $(BIN)/python -m tests.bench.bench_export $(ARGS)

bench-outages: $(VENV)/.dev ## uploads while workers are killed and the broker is away for a minute (ARGS="--uploads 300 --outage-seconds 10")
	$(BIN)/python -W ignore -m tests.bench.chaos $(ARGS)

bench-luck: $(VENV)/.dev ## what the luck of the AVF files in DIR=… costs, and 20 of them against the exact twin
	$(BIN)/python -m tests.bench.bench_luck $(DIR) $(ARGS)

bench-scores: $(VENV)/.dev ## spread of the scores of the review over the files in DIR=… and demo games, and their relation to speed
	$(BIN)/python -m tests.bench.bench_scores $(DIR) $(ARGS)

bench-clips: $(VENV)/.dev ## clips of twenty shared files: bytes and seconds (ARGS="--games 100")
	$(BIN)/python -m tests.bench.bench_clips $(ARGS)

bench-film: $(VENV)/.dev ## films of the shared files: bytes, milliseconds on the server, and frames in Chromium
	$(BIN)/python -m pytest -q -s -p no:cacheprovider tests/bench/bench_film.py

bench-pages: $(VENV)/.dev ## first views of home, board, player, replay, upload: bytes, paints, layout shift
	$(BIN)/python -m pytest -q -s -p no:cacheprovider tests/bench/bench_pages.py

bench-newcomer: $(VENV)/.dev ## a newcomer in Chromium: clicks and seconds to a game, to a film, to an account with the games
	$(BIN)/python -m pytest -q -s -p no:cacheprovider tests/bench/bench_newcomer.py

bench-api: $(VENV)/.dev ## ten calls of the API: bytes and milliseconds plain, compressed, and with the ETag
	$(BIN)/python -m pytest -q -s -p no:cacheprovider tests/bench/bench_api.py

bench-laying: $(VENV)/.dev ## laying boards of rooms, and deciding moves on them, beside the slow twin
	$(BIN)/python -m tests.bench.bench_laying $(ARGS)

bench-forgeries: $(VENV)/.dev ## 200 forgeries of 20 shared games: stopped, found or missed (ARGS="--all", "--copy-first" or "--similar")
	$(BIN)/python -m tests.bench.forgeries $(ARGS)

bench-similar: $(VENV)/.dev ## bytes of the sketches of 1,000,000 games, and finding similar ones among them (ARGS="--rows 10000000")
	$(BIN)/python -W ignore -m tests.bench.bench_similar $(ARGS)

bench-fair: $(VENV)/.dev ## boards of live games with and without guesses, and the steps of a live game (ARGS="--boards 1000")
	$(BIN)/python -m tests.bench.bench_fair $(ARGS)

oracle: $(VENV)/.dev ## every number of the AVF files in DIR=…, and 1,000 boards a level, against ms_toollib
	$(BIN)/python -m tests.bench.compare_oracle $(DIR)
	$(BIN)/python -m tests.bench.check_zini_oracle --boards 1000

compare-sites: $(VENV)/.dev ## the answers of two running sites with the same data (ARGS="http://localhost:8000 http://localhost:8001")
	$(BIN)/python -m tests.bench.compare_sites $(ARGS)

pictures: $(VENV)/.dev ## pictures of the pages of a running site, wide, narrow and dark (ARGS="http://localhost:8000 FOLDER")
	$(BIN)/python -m tests.e2e.screenshots $(ARGS)

fuzz: $(VENV)/.dev ## N=… damaged files of every format through the readers
	$(BIN)/python -m tests.bench.fuzz --cases $(N) $(ARGS)

fuzz-peer: $(VENV)/.dev ## 300 of the same damaged files through ms_toollib, each in a process of its own
	$(BIN)/python -m tests.bench.fuzz.peer --cases 300 $(ARGS)

clean: ## remove .venv and caches (never the data in var/)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
