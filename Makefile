# Everything is relative to this folder, so that its path may hold spaces. The set-up is
# tools/setup.py; it takes a fifth of a second when .venv is as it should be.

PORT ?= 8501
HOST ?= localhost

# The first Python that is new enough and can make an environment. If there is none, any python3:
# tools/setup.py then says what is missing.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	"$$p" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo "$$p"; exit; }; done; command -v python3)
FOUND = $(or $(PYTHON),$(error Polysee needs Python 3.11 or newer, and there is no python3 here))
IN_VENV = .venv/bin/python

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test most check bench fuzz published audit lint types node dist web static packs wheel docs pins clean \
	ready browser

# What fails beside others runs once more alone: a busy machine decides nothing. It is named, since
# behind such tests faults of ours were found before. $(1): which tests, by their marks. What Python
# compiles is kept, whatever the shell says: there are forty servers and processes, each of which
# would compile it again. Three processes keep two cores busy; a fourth would only import it all again.
# Each would also rewrite the assertions of all tests to say what was compared, ten seconds in a new
# checkout: what is run once more says it.
define PYTEST
PYTHONDONTWRITEBYTECODE= $(IN_VENV) -m pytest -m "$(1)" -n $(2) --dist worksteal --assert=plain --durations=10 || { \
	echo "Polysee: once more, alone, what failed; if it passes now, look whether it is a race of ours."; \
	exec env PYTHONDONTWRITEBYTECODE= $(IN_VENV) -m pytest -m "$(1)" -v --last-failed --last-failed-no-failures=none; }
endef

help:  ## List the targets
	@awk -F '  ## ' '/^[a-z]+:.*  ## / { sub(/:.*/, "", $$1); printf "make %-9s %s\n", $$1, $$2 }' Makefile

run:  ## Start the app on http://localhost:8501 (PORT=8600 for another port, HOST=0.0.0.0 for a class)
	@exec "$(FOUND)" tools/setup.py run --port "$(PORT)" --host "$(HOST)"
	@# Two heaps of the C library for all threads: one a thread keeps 60 to 95 MB more (16 visitors).
	@# What Python compiles at the first start is kept, whatever the shell says.
	@PYTHONDONTWRITEBYTECODE= MALLOC_ARENA_MAX=2 exec $(IN_VENV) -m streamlit run app.py --server.port "$(PORT)" --server.address "$(HOST)"

test: ready browser  ## Run lint, types and most tests, in five minutes
	@# mypy keeps one core busy, for a minute where it has no cache: all else runs beside it. If it finds
	@# a wrong type, the tests run all the same, and `make test` fails at its end.
	@$(MAKE) --no-print-directory types & types=$$!; \
		$(MAKE) --no-print-directory lint node && $(MAKE) --no-print-directory most; found=$$?; \
		wait $$types || { echo "Polysee: types do not fit; mypy said above which."; exit 1; }; exit $$found

# A step of `make test`.
most:
	$(call PYTEST,not check and not fuzz,3)

check: ready browser web  ## Run the tests that `make test` leaves out, in ten minutes: browsers, every model
	$(call PYTEST,check and not fuzz,4)

bench: ready browser web  ## Measure against peers and write benchmarks/results.md
	exec $(IN_VENV) -m benchmarks

fuzz: ready browser  ## Run what both leave out: long random tests, and all of many like cases
	exec $(IN_VENV) -m pytest -m "fuzz or property" --hypothesis-profile=fuzz -n 3 --dist worksteal --durations=30

published: ready  ## Compare the numbers in the source texts with the published models, if the model hub answers
	@exec $(IN_VENV) -m tools.published

audit: ready  ## List all dependencies (build/sbom.json) and check them for known vulnerabilities
	@exec $(IN_VENV) tools/audit.py

lint: ready  ## Check style and format with ruff and eslint
	exec $(IN_VENV) -m ruff check .
	exec $(IN_VENV) -m ruff format --check .
	@exec $(IN_VENV) tools/node.py lint

types: ready  ## Check types with mypy, and those of the pictures' JavaScript with tsc
	exec $(IN_VENV) -m mypy
	@exec $(IN_VENV) tools/node.py types

node: ready  ## Test the arithmetic, layout and order of the pictures' JavaScript, without a browser
	@exec $(IN_VENV) tools/node.py test

dist: ready  ## Build the JavaScript of the pictures into core/figures/web/dist
	@exec $(IN_VENV) tools/node.py build

web: ready  ## Build what a browser needs to run MiniLM and SmolLM2 itself into build/web
	@exec $(IN_VENV) -m tools.web

static: ready  ## Build Compare, Heads and lessons for any web space into build/static
	@exec $(IN_VENV) -m tools.static

packs: ready  ## Write the packs of all lessons, to print, into build/packs (each key is computed: minutes)
	@exec $(IN_VENV) -m tools.packs

wheel: ready web  ## Build the wheel into dist/ and test it in an environment of its own (build/wheel-venv)
	@exec $(IN_VENV) -m tools.wheel

docs:  ## Build docs/ into a site, build/docs, with the reference of the API, and test it
	@exec "$(FOUND)" tools/setup.py docs
	@exec $(IN_VENV) -m tools.site

pins: ready  ## Compute the requirement files from pyproject.toml (UPGRADE="numpy ruff" for newer versions)
	@exec $(IN_VENV) -m tools.pins $(if $(UPGRADE),--upgrade $(UPGRADE))

clean:  ## Remove .venv and everything that tools have left behind
	rm -rf .venv .setup.lock .setup.log .pytest_cache .mypy_cache .ruff_cache build dist *.egg-info
	find . -type d -name __pycache__ -prune -exec rm -rf {} +

ready:
	@exec "$(FOUND)" tools/setup.py test

browser: ready
	@exec $(IN_VENV) tools/browser.py
	@exec $(IN_VENV) tools/nginx.py
