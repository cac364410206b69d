# One front door. `make` alone lists what there is. Every target first makes what it needs: .venv, and Qt's system
# libraries on Debian and Ubuntu. ARGS is handed on: make test ARGS="tests/engine -k split"

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help env libraries test-libraries run test quick lint formatted ruff types contracts shape format check conformance shots \
	docs bench fuzz peers lock clean

PYTHON_RUN := .venv/bin/python
ARGS ?=

# Else each of the thousands of programs that the tests start compiles everything that it imports.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F"|" '{ printf "  make %-11s %s\n", $$1, $$2 }'

env: ## make .venv, and nothing else
	@packaging/make-env

libraries:
	@packaging/system-libs

test-libraries:
	@packaging/system-libs --with-xvfb

run: env libraries ## start Spyglass connected to its demo server
	@packaging/check-display
	.venv/bin/spyglass --demo $(ARGS)

# No window of a test or of a picture appears on the screen of the person who runs it.
test quick shots bench: export QT_QPA_PLATFORM ?= offscreen

test: env test-libraries ## run the tests; ARGS="FILE::TEST" for one, ARGS="--shuffle 7" for another order
	$(PYTHON_RUN) -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

lint: formatted ruff types contracts shape ## format, lint, types, contracts, shape and vocabulary, without changing anything

formatted: env
	.venv/bin/ruff format --check .

ruff: env
	.venv/bin/ruff check .

types: env
	.venv/bin/pyright

contracts: env
	.venv/bin/lint-imports

shape: env
	$(PYTHON_RUN) -m pytest -q tests/test_shape.py

format: env ## put the sources into shape
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

quick: env libraries ## what a change needs while it is made, in a minute: lint what differs from main, run the tests beside it
	$(PYTHON_RUN) -m tests.quick

check: lint test ## everything that must hold before a commit

conformance: env ## run the official conformance suite against the engine and the demo server
	$(PYTHON_RUN) -m tests.conformance $(ARGS)

shots: env test-libraries ## draw the standard screens into build/shots/
	$(PYTHON_RUN) -m tests.shots $(ARGS)

docs: env ## write the page of all rules into build/rules.html
	$(PYTHON_RUN) -m inspector.checks.rules_page build/rules.html

bench: env test-libraries ## measure throughput, start-up and memory
	$(PYTHON_RUN) -m tests.bench $(ARGS)

fuzz: env ## let the engine have random hostile input for ten minutes (ARGS="--seconds 60")
	$(PYTHON_RUN) -m tests.fuzz $(ARGS)

peers: env ## install the official SDKs and servers that the tests talk to
	$(PYTHON_RUN) -m tests.support.peers

lock: env ## renew the lock files from pyproject.toml and package.json
	packaging/make-locks

clean: ## remove what was made, except .venv
	rm -rf build dist .peers .pytest_cache .ruff_cache .hypothesis .import_linter_cache
