# Everything happens in .venv; a target that is up to date does nothing.
VENV   := .venv
PYTHON := $(VENV)/bin/python
SYSTEM_PYTHON ?= python3
CORE   := $(wildcard core/src/*.[ch]pp core/include/stigmergy/*.hpp)
NATIVE := CMakeLists.txt pyproject.toml $(wildcard bindings/*.[ch]pp) $(CORE)

.PHONY: stub build test test-peers lint demo bench docs core-test clean

build: $(VENV)/.built

$(VENV)/.venv:
	$(SYSTEM_PYTHON) -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.tools: $(VENV)/.venv pyproject.toml
	$(PYTHON) scripts/install_extra.py build
	touch $@

$(VENV)/.built: $(VENV)/.tools $(NATIVE)
	$(PYTHON) -m pip install --quiet --no-build-isolation --editable .
	touch $@

$(VENV)/.test-tools: $(VENV)/.venv pyproject.toml
	$(PYTHON) scripts/install_extra.py test
	touch $@

$(VENV)/.lint-tools: $(VENV)/.venv pyproject.toml
	$(PYTHON) scripts/install_extra.py lint
	touch $@

$(VENV)/.bench-tools: $(VENV)/.test-tools pyproject.toml
	$(PYTHON) scripts/install_extra.py bench
	touch $@

$(VENV)/.docs-tools: $(VENV)/.test-tools pyproject.toml
	$(PYTHON) scripts/install_extra.py docs
	touch $@

test: $(VENV)/.built $(VENV)/.test-tools
	$(PYTHON) -m pytest --numprocesses 2 --dist worksteal

# Against the other libraries of the field, which the bench extra installs; some of them warn when
# they are imported, and pyAgrum crashes when that is made an error.
test-peers: $(VENV)/.built $(VENV)/.bench-tools
	$(PYTHON) -m pytest -m peer -W default -o norecursedirs=".*" tests

# Takes minutes, so only when the C++ has changed. The commands are those of the last build.
$(VENV)/.tidied: $(VENV)/.built $(VENV)/.lint-tools .clang-tidy
	$(PYTHON) $(VENV)/bin/run-clang-tidy.py -quiet -clang-tidy-binary $(VENV)/bin/clang-tidy \
	    -p $$(dirname $$(ls -t build/cp*/compile_commands.json | head -1)) '/(core|bindings)/'
	touch $@

lint: $(VENV)/.built $(VENV)/.lint-tools $(VENV)/.tidied
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/clang-format --dry-run --Werror $(CORE) $(wildcard core/tests/*.[ch]pp bindings/*.[ch]pp)

# The committed stub is what the bindings say.
stub: $(VENV)/.built $(VENV)/.lint-tools
	$(PYTHON) -m nanobind.stubgen -q -m stigmergy._core -o src/stigmergy/_core.pyi
	$(VENV)/bin/ruff format -q src/stigmergy/_core.pyi

core-test: $(VENV)/.tools
	$(VENV)/bin/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(VENV))/bin/ninja \
	    -DCMAKE_BUILD_TYPE=Debug -DSTIGMERGY_CORE_TESTS=ON -DSTIGMERGY_SANITIZE=ON -DSTIGMERGY_DEVELOPER=ON
	$(VENV)/bin/cmake --build build/sanitize
	$(VENV)/bin/ctest --test-dir build/sanitize --output-on-failure

demo: $(VENV)/.built
	$(VENV)/bin/stigmergy demo --output demo-output

bench: $(VENV)/.built $(VENV)/.bench-tools
	$(PYTHON) benchmarks/run.py

docs: $(VENV)/.built $(VENV)/.docs-tools
	$(VENV)/bin/sphinx-build -q -E -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf $(VENV) build docs/_build docs/reference/generated demo-output
