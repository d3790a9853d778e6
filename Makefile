# Every target sets up what it needs on a fresh machine; repeats are quick.
#
#   make run      the HTTP service on HOST:PORT
#   make test     the tests, against the installed wheel
#   make checked  tests of engine and search once more, with bounds checks compiled in
#   make lint     ruff and cython-lint        make types    mypy
#   make build    the wheel, in dist/         make bench    speed and fingerprint
#   make fuzz     the position readers, FUZZ_SECONDS in all
#   make audit    known weaknesses of the packages that the service runs on; asks the network
#   make load     load by locust, PROFILE=smoke|steady|spike|soak; fails when thresholds are missed
#   make figures  figures of the service for docs/performance.md; wants an idle machine
#   make compare  the dice game beside the same rules in OpenSpiel

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

VENV := .venv
CHECKED := .venv-checked
FUZZ := .venv-fuzz
AUDIT := .venv-audit
LOAD := .venv-load
COMPARE := .venv-compare
PROFILE ?= smoke
FUZZ_SECONDS ?= 60
FUZZ_TARGETS := tile-json tile-notation dice-json dice-notation
PIP_FLAGS := --quiet --disable-pip-version-check

SOURCES := $(shell find engine search api -type f ! -name '*.so' ! -name '*.c' ! -path '*/__pycache__/*') \
           setup.py pyproject.toml MANIFEST.in README.md CHANGELOG.md LICENSE

.PHONY: run test checked lint types build bench load figures compare fuzz audit clean
.DELETE_ON_ERROR:

run: $(VENV)/wheel.stamp
	@HOST='$(HOST)' PORT='$(PORT)' exec $(VENV)/bin/shelfie serve

# Without Chromium the tests of the page are skipped, and the summary says how to get it.
test: $(VENV)/wheel.stamp $(VENV)/tools.stamp
	@$(VENV)/bin/pytest $(PYTEST_FLAGS)

# The bounds checks are compiled into what the tests of these two folders drive.
checked: $(CHECKED)/wheel.stamp $(CHECKED)/tools.stamp
	@$(CHECKED)/bin/pytest tests/engine tests/search $(PYTEST_FLAGS)

lint: $(VENV)/tools.stamp
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@PATH="$(VENV)/bin:$$PATH" $(VENV)/bin/cython-lint engine search

# mypy reads build/namespace, which building the wheel makes.
types: $(VENV)/wheel.stamp $(VENV)/tools.stamp
	@$(VENV)/bin/mypy

build: dist/wheel.stamp

bench: $(VENV)/wheel.stamp
	@$(VENV)/bin/shelfie bench

# A found input is left in build/fuzz; the corpus there is used again by the next run.
fuzz: $(FUZZ)/wheel.stamp
	@for target in $(FUZZ_TARGETS); do echo "$$target:"; \
	  $(FUZZ)/bin/python tests/fuzz/run.py $$target -verbosity=0 -print_final_stats=1 \
	    -max_total_time=$$(($(FUZZ_SECONDS) / $(words $(FUZZ_TARGETS)))) || exit; \
	done

# Of the packages that pyproject.toml asks for, in the versions an installation gets today. A
# package that cannot be looked up is a failure.
audit: $(AUDIT)/stamp
	@$(AUDIT)/bin/pip-audit --strict --progress-spinner off $(AUDIT_FLAGS) .

load: $(VENV)/wheel.stamp $(LOAD)/stamp
	@$(LOAD)/bin/python loadtests/load.py $(PROFILE) --shelfie $(VENV)/bin/shelfie $(LOAD_FLAGS)

figures: $(VENV)/wheel.stamp
	@for script in overhead rules overload batch workers; do \
	  $(VENV)/bin/python loadtests/$$script.py || exit 1; done

compare: $(COMPARE)/wheel.stamp
	@$(COMPARE)/bin/python loadtests/compare/run.py $(COMPARE_FLAGS)

clean:
	rm -rf build dist $(VENV) $(CHECKED) $(FUZZ) $(AUDIT) $(LOAD) $(COMPARE) *.egg-info

# What setuptools left in build/ by an earlier build would go into the wheel: removed first.
define build_wheel
	rm -rf build/lib* build/bdist* $(1)
	$(2) $(VENV)/bin/pip wheel $(PIP_FLAGS) --no-deps --wheel-dir $(1) .
endef

# An installed wheel of the same version counts as up to date, so it is forced in.
define install_wheel
	$(1)/bin/pip install $(PIP_FLAGS) $(2)/shelfie-*.whl
	$(1)/bin/pip install $(PIP_FLAGS) --no-deps --force-reinstall $(2)/shelfie-*.whl
endef

$(VENV)/bin/pip $(CHECKED)/bin/pip $(FUZZ)/bin/pip $(AUDIT)/bin/pip $(LOAD)/bin/pip $(COMPARE)/bin/pip:
	$(PYTHON) -m venv $(@D:/bin=)

dist/wheel.stamp: $(SOURCES) | $(VENV)/bin/pip
	$(call build_wheel,dist)
	@touch $@

build/checked/wheel.stamp: $(SOURCES) | $(VENV)/bin/pip dist/wheel.stamp
	$(call build_wheel,build/checked,SHELFIE_CHECKED=1)
	@touch $@

$(VENV)/wheel.stamp: dist/wheel.stamp
	$(call install_wheel,$(VENV),dist)
	@touch $@

$(CHECKED)/wheel.stamp: build/checked/wheel.stamp | $(CHECKED)/bin/pip
	$(call install_wheel,$(CHECKED),build/checked)
	@touch $@

# With bounds checks, so that what the fuzzer drives is watched.
$(FUZZ)/wheel.stamp: build/checked/wheel.stamp pyproject.toml | $(FUZZ)/bin/pip
	$(call install_wheel,$(FUZZ),build/checked)
	$(FUZZ)/bin/pip install $(PIP_FLAGS) "$$(echo build/checked/shelfie-*.whl)[fuzz]"
	@touch $@

$(AUDIT)/stamp: pyproject.toml | $(AUDIT)/bin/pip
	$(AUDIT)/bin/pip install $(PIP_FLAGS) 'pip-audit>=2.9'
	@touch $@

$(COMPARE)/wheel.stamp: dist/wheel.stamp pyproject.toml | $(COMPARE)/bin/pip
	$(call install_wheel,$(COMPARE),dist)
	$(COMPARE)/bin/pip install $(PIP_FLAGS) "$$(echo dist/shelfie-*.whl)[compare]"
	@touch $@

$(LOAD)/stamp: loadtests/requirements.txt | $(LOAD)/bin/pip
	$(LOAD)/bin/pip install $(PIP_FLAGS) -r loadtests/requirements.txt
	@touch $@

# The tools are named in pyproject.toml, as extras of the package.
$(VENV)/tools.stamp: pyproject.toml | $(VENV)/wheel.stamp
	$(VENV)/bin/pip install $(PIP_FLAGS) "$$(echo dist/shelfie-*.whl)[test,lint]"
	@touch $@

$(CHECKED)/tools.stamp: pyproject.toml | $(CHECKED)/wheel.stamp
	$(CHECKED)/bin/pip install $(PIP_FLAGS) "$$(echo build/checked/shelfie-*.whl)[unit]"
	@touch $@
