# Two commands do everything on a fresh machine with Python 3.11 or newer and git: make demo, make test.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
UNITS := "not system"

.PHONY: demo test test-system classroom-test check bench lock format clean help

help:
	@echo "make demo         a sample class, from release to grades; prints where to look"
	@echo "make test         every check that needs no administrator"
	@echo "make test-system  the rest: browser, users, servers (installs Debian's packages)"
	@echo "make classroom-test   of that, a JupyterHub with three people and a browser; as root"
	@echo "make bench        measures the kit against its rivals on this machine"
	@echo "make format       formats the code"
	@echo "make lock         pins the newest allowed versions, with hashes"

$(READY): requirements.txt requirements-uv.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt
	$(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --require-hashes -r requirements.txt \
	  || { echo "uv could not install these (it reads no pip.conf); pip can, in a minute or two:"; \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt; }
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY)
	$(BIN)/python -m autograder.tests.demo

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/attn doctor

test: check
	$(BIN)/pytest -m $(UNITS) -n auto

test-system: $(READY)
	deploy/debian-packages.sh
	$(BIN)/pytest -m system

classroom-test: $(READY)
	deploy/debian-packages.sh
	$(BIN)/pytest autograder/tests/test_classroom.py

bench: $(READY)
	$(BIN)/python benchmarks/against_nbgrader.py 300 1
	$(BIN)/python benchmarks/grading.py
	$(BIN)/python benchmarks/scale.py 100 1000 10000
	$(BIN)/python benchmarks/walls.py
	$(BIN)/python benchmarks/feedback.py
	$(BIN)/python benchmarks/selfcheck.py

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: $(READY)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  --no-emit-index-url --no-emit-find-links --extra dev pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  --no-emit-index-url --no-emit-find-links requirements-uv.in -o requirements-uv.txt
	for room in staff student; do $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url --no-emit-find-links -c requirements.txt \
	  $$([ $$room = student ] || echo --extra postgresql pyproject.toml) deploy/jupyterhub/$$room.in -o deploy/jupyterhub/$$room.txt || exit 1; done

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis
