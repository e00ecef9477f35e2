# Two commands do everything on a machine with Python 3.11, pip, make and git: `make demo` and `make test`.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: demo test lint bench bench-library clean

# In a terminal the dashboard follows, until Ctrl-C; in a pipe or a script nothing waits.
demo: $(VENV)/.core
	$(BIN)/cornerwise demo
	@if [ -t 1 ]; then $(BIN)/cornerwise dashboard --library cornerwise-demo; \
	else echo; echo "=== in the browser: $(BIN)/cornerwise dashboard --library cornerwise-demo"; fi

test: lint
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev bench-library
	$(BIN)/python -m pytest tests/bench --override-ini python_files='bench_*.py' --benchmark-only --benchmark-columns=min,median,max,rounds
	$(BIN)/python -m tests.bench.imports

bench-library: $(VENV)/.dev
	$(BIN)/python -m tests.bench.library

$(VENV)/.core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[dev]'
	touch $@ $(VENV)/.core

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .benchmarks .bench
