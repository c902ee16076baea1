# kernelbo: `make reproduce` runs everything, `make help` lists the rest.

SCALE ?= quick
ONLY ?=
BENCH ?=
EXECUTOR ?= local
SCHEDULER ?=
WORKERS ?=
BLOCKS ?=
SAMPLE ?=
PLATFORM ?= cpu
PYTHON ?= python3

# On small batched linear algebra one thread was measured 100-300 times faster than the libraries' default.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export SCALE ONLY EXECUTOR SCHEDULER PLATFORM

PY := .venv/bin/python
ENV := .venv/.stamp
PIP := $(PY) -m pip install --progress-bar off --disable-pip-version-check
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

.DEFAULT_GOAL := help
.PHONY: help reproduce compare test theory certify experiments figures report article verify publish bench faults matrix site lint lock clean scale

help: ## print this list
	@echo "Targets:"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo "Variables (now):"
	@echo "  SCALE=$(SCALE)       smoke (minutes, shows that everything runs), quick (the default) or paper (the sizes of the papers)"
	@echo "  ONLY=$(ONLY)            a study (fig6, boke.fig6) with its claims and figures, a claim (boke.prop1) with its studies,"
	@echo "                   a figure, or a paper (boke or A); several with commas"
	@echo "  BENCH=$(BENCH)           the name of a benchmark; empty: all"
	@echo "  WORKERS=$(WORKERS)         worker processes of experiments and theory (empty: one a core; one with a GPU)"
	@echo "  SAMPLE=$(SAMPLE)          for verify: draw so many cells of the reference at random, compute them anew and compare these"
	@echo "  EXECUTOR=$(EXECUTOR)    local, or dask with SCHEDULER=tcp://host:port"
	@echo "  BLOCKS=$(BLOCKS)          run the first so many blocks of seeds of every problem and method (SCALE=paper has several); empty: all"
	@echo "  PLATFORM=$(PLATFORM)      cpu or gpu"
	@echo "  PYTHON=$(PYTHON)    the interpreter that makes .venv (3.11 or later)"

reproduce: scale $(ENV) ## run everything: experiments, comparison, theory checks, figures, report; writes no tracked file
	@$(if $(ONLY),$(PY) -m cli.selection "$(ONLY)")
	@trap 'exit 130' INT TERM; failed=""; \
	for stage in experiments compare theory figures report; do \
	    $(MAKE) --no-print-directory $$stage || failed="$$failed $$stage"; \
	done; \
	test -z "$$failed" || { echo "reproduce: not all is well, see above:$$failed"; exit 1; }

experiments: scale $(ENV) ## run the studies whose results are missing
	@$(PY) -m experiments run --scale $(SCALE) --executor $(EXECUTOR) --platform $(PLATFORM) \
	    $(if $(SCHEDULER),--scheduler $(SCHEDULER)) $(if $(ONLY),--only "$(ONLY)") $(if $(WORKERS),--workers $(WORKERS)) \
	    $(if $(BLOCKS),--blocks $(BLOCKS))

compare: scale $(ENV) ## compare this machine's results with the committed ones; print what deviates, and fail only then
	@$(PY) -m experiments verify --brief --scale $(SCALE) $(if $(ONLY),--only "$(ONLY)") --platform $(PLATFORM)

theory: scale $(ENV) ## judge the claims and print the ledger; fail where a verdict on theory differs from expected.json
	@$(PY) -m theory_checks run $(if $(ONLY),"$(ONLY)") --scale $(SCALE) $(if $(WORKERS),--workers $(WORKERS)) \
	    --executor $(EXECUTOR) $(if $(SCHEDULER),--scheduler $(SCHEDULER))

certify: $(ENV) ## verify the certificates of proofs and refutations, in balls, rationals and computer algebra
	@$(PY) -m theory_checks.certificates $(if $(ONLY),"$(ONLY)")

figures: scale $(ENV) ## draw the figures from stored results
	@$(PY) -m paper_figures draw --scale $(SCALE) $(if $(ONLY),--only "$(ONLY)")

report: scale $(ENV) ## make the site of this machine's results in report/, print the claims table
	@$(PY) -m paper_figures report --scale $(SCALE) $(if $(ONLY),--only "$(ONLY)")

article: $(ENV) ## typeset report/article.pdf from results/reference: each paper, its headline verdicts, two figures, limits
	@$(PY) -m paper_figures article

verify: scale $(ENV) ## compare this machine's results with results/reference, statistic by statistic (SAMPLE=20 computes 20 cells first)
	@$(PY) -m experiments verify --scale $(SCALE) $(if $(ONLY),--only "$(ONLY)") $(if $(SAMPLE),--sample $(SAMPLE)) \
	    --platform $(PLATFORM) $(if $(WORKERS),--workers $(WORKERS))

publish: $(ENV) ## write the pages of the repository (README, CLAIMS.md, docs/) from results/reference alone
	@$(PY) -m paper_figures publish
	@$(PY) -m benchmarks --document

bench: $(ENV) ## measure speed side by side with BoTorch (BENCH=proposal|acquisition|hyperparameters|context|default|scale|streaming|whole|paper; all but five need the extra [bench])
	@$(PY) -m benchmarks $(if $(BENCH),--only "$(BENCH)")

faults: $(ENV) ## kill, starve and deceive runs for about 20 minutes and rerun them; write docs/faults.md
	@$(PY) -m benchmarks.faults --write

matrix: ## try the lock and the tests on other interpreters, places, users and limits (hours); write docs/matrix.md
	@$(PYTHON) -m benchmarks.matrix --write

test: $(ENV) ## run all tests
	@$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder

site: $(ENV) ## make the site of the committed results in site/: papers, claims, use, reference, interface (no network)
	@$(PY) -m paper_figures site

lint: $(ENV) ## check style, types, import contracts, spelling and prose
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports --cache-dir .cache/import-linter
	@.venv/bin/codespell --skip ".venv,.git,.cache,results,figures,site,report,*.lock,*.json,*.svg,*.jsonl"
	@$(PY) -m tests.prose

lock: ## pin requirements.in anew (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --upgrade --quiet \
	    --custom-compile-command "make lock" requirements.in -o requirements.lock

clean: ## remove the environment, caches, figures and the report; results stay
	rm -rf .venv .cache figures report site *.egg-info build .pytest_cache .hypothesis .ruff_cache

# A misspelt scale fails at once, naming the near ones (needs no environment).
scale:
	@$(PYTHON) -m experiments.engine.scale $(SCALE)

# The environment: exactly what the lock says, by hash. Remade when the lock or pyproject.toml changes.
$(ENV): requirements.lock pyproject.toml | scale
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "kernelbo needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Environment: making .venv with $(PYTHON) ($$($(PYTHON) --version))"
	@test -x .venv/bin/pip || $(PYTHON) -m venv --clear .venv
	@echo "Environment: fetching about 100 packages, then installing them (1.5 GB): a minute or two"
	@$(PIP) --require-hashes -r requirements.lock | awk \
	    '/^(Collecting|Processing)/ && ++n % 20 == 0 { print "Environment: " n " packages fetched"; fflush() } \
	     /^Installing/ { print "Environment: installing " NF - 3 " packages"; fflush() }'
	@$(PIP) --quiet --no-deps --no-build-isolation -e .
	@touch $@
	@echo "Environment: ready"
