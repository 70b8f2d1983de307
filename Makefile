# Bare `make` lists what there is. Every target brings what it needs, once: stamps lie in .cache/stamps.
#
#   HINNY_PYTHON   the Python that makes .venv (default: python3, 3.11 or newer)
#   DEMO_TOKENS    of each section, what the demo's models read (default: 128 tokens)
#   PORT           where `make demo` and `make dev` serve (default: 8000)

HINNY_PYTHON ?= python3
DEMO_TOKENS ?= 128
PORT ?= 8000
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

STAMPS := .cache/stamps
PY := .venv/bin/python
HINNY := .venv/bin/hinny
MANUAL := .cache/demo/html
ASSETS := pysrc/hinny/assets
PYTHON_SOURCES := $(shell find pysrc/hinny -name '*.py' -not -path '*/assets/*' 2>/dev/null)
JS_SOURCES := $(shell find worker web -type f -not -path '*/node_modules/*' -not -path '*/dist/*' \
	-not -path 'web/demo-data/*' 2>/dev/null) package.json package-lock.json

.PHONY: help setup demo dev build test test-python test-js test-pyodide e2e e2e-browsers lint format coverage bench \
	bench-quick bench-agree profile eval models runtime verify clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMPS)/python $(STAMPS)/node ## the Python environment (.venv) and the npm packages

demo: .cache/demo/meaning.stamp ## build the PostgreSQL manual with its search, serve it and print the URL
	$(HINNY) serve demo --port $(PORT)

dev: $(STAMPS)/node .cache/demo/site.stamp ## serve the demo page with Vite, reloading on every change
	npm run dev --workspace web -- --port $(PORT)

build: $(ASSETS)/.stamp ## the worker and the page element, and the wheel and sdist in dist/
	rm -rf dist
	$(PY) -m build --outdir dist .

test: lint test-python test-js test-pyodide e2e ## everything: lint, types, unit tests here and in Pyodide, e2e

test-python: $(STAMPS)/python $(STAMPS)/models ## the unit tests on CPython
	$(PY) -m pytest tests

test-js: $(STAMPS)/node ## the TypeScript unit tests
	npm test

test-pyodide: $(STAMPS)/python $(STAMPS)/node $(STAMPS)/runtime ## the same unit tests inside Pyodide, under Node
	node worker/tools/test-pyodide.mjs

e2e: .cache/demo/site.stamp $(STAMPS)/models ## the built demo in Chromium, with Playwright
	$(PY) -m pytest e2e

e2e-browsers: .cache/demo/site.stamp $(STAMPS)/models ## the built demo in Firefox and WebKit; says what of them is missing
	$(PY) -c 'import selenium' || $(PY) -m pip install --quiet --disable-pip-version-check --editable '.[browsers]'
	$(PY) -m pytest e2e/other_browsers

lint: $(STAMPS)/python $(STAMPS)/node ## ruff, mypy --strict, Biome, tsc
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	npm run lint
	npm run typecheck

format: $(STAMPS)/python $(STAMPS)/node ## rewrite the sources in the house's style
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	npm run format

coverage: $(STAMPS)/python ## the unit tests with branch coverage, as text and in htmlcov/
	$(PY) -m coverage run -m pytest tests
	$(PY) -m coverage report
	$(PY) -m coverage html

bench: .cache/demo/site.stamp $(STAMPS)/models ## everything beside its rivals, 40 minutes, into docs/benchmarks.md
	$(PY) bench/run.py --resume

bench-quick: .cache/demo/site.stamp ## the short ones with fewer questions, 5 minutes, into bench/work/quick
	$(PY) bench/run.py --quick --resume

bench-agree: $(STAMPS)/python ## the comparison with rivals twice: every ranking and size must be the same
	$(PY) bench/agree.py

profile: .cache/demo/site.stamp ## where time goes, and three costs before and after, into docs/benchmarks.md
	$(PY) bench/profile_query.py
	$(PY) bench/profile_compare.py
	$(PY) bench/report.py

eval: $(STAMPS)/python $(STAMPS)/models ## relevance of every method on public collections, into docs/evaluation.md
	$(PY) -m bench.eval

models: $(STAMPS)/python ## build our own models from the published weights, check and keep them
	$(PY) -m hinny.models.make
	mkdir -p $(STAMPS) && touch $(STAMPS)/models

runtime: $(STAMPS)/runtime ## fetch, check and keep the locked files that a browser loads

verify: .cache/demo/site.stamp ## check every byte of the built demo and of the runtime against their manifests
	$(HINNY) inspect demo --verify
	$(HINNY) runtime verify

clean: ## remove what was built (.venv, node_modules and downloads stay)
	rm -rf dist build demo $(ASSETS) htmlcov .coverage .cache/demo .mypy_cache .pytest_cache .ruff_cache \
		worker/dist web/dist test-results

# What the targets stand on.

$(STAMPS)/python: pyproject.toml
	test -x $(PY) || $(HINNY_PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	mkdir -p $(@D) && touch $@

$(STAMPS)/node: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	mkdir -p $(@D) && touch $@

$(STAMPS)/runtime: pysrc/hinny/runtime/runtime.lock.json | $(STAMPS)/python
	$(HINNY) runtime fetch
	mkdir -p $(@D) && touch $@

$(STAMPS)/models: pysrc/hinny/models/pins.json | $(STAMPS)/python
	$(PY) -m hinny.models.make
	mkdir -p $(@D) && touch $@

# The scripts that a wheel carries; then the snapshot of a started interpreter, which holds our package.
$(ASSETS)/.scripts: $(STAMPS)/node $(JS_SOURCES)
	npm run build
	rm -rf $(ASSETS)/app $(ASSETS)/demo && mkdir -p $(ASSETS)
	cp -r web/dist/app $(ASSETS)/app
	cp -r web/dist/demo $(ASSETS)/demo
	touch $@

$(ASSETS)/.stamp: $(ASSETS)/.scripts $(STAMPS)/python $(STAMPS)/runtime $(PYTHON_SOURCES)
	$(PY) -m hinny.runtime.boot_assets
	touch $@

$(MANUAL)/.stamp: web/demo-data/postgresql-doc-15.tar.xz | $(STAMPS)/python
	rm -rf $(MANUAL) && mkdir -p $(MANUAL)
	$(PY) -m tarfile --extract $< .cache/demo
	touch $@

DEMO := $(HINNY) build $(MANUAL) --out demo --title "PostgreSQL 15 manual" --language en --exclude bookindex.html \
	--offline --demo --force

# By words alone: what the browser tests need, in seconds.
.cache/demo/site.stamp: $(ASSETS)/.stamp $(MANUAL)/.stamp
	$(DEMO)
	touch $@

# All three factories: two models read every section, which takes two processors some minutes.
.cache/demo/meaning.stamp: $(ASSETS)/.stamp $(MANUAL)/.stamp $(STAMPS)/models web/demo-data/questions.jsonl
	$(DEMO) --factory all --tokens $(DEMO_TOKENS) --questions web/demo-data/questions.jsonl
	touch .cache/demo/site.stamp $@
