.DEFAULT_GOAL := help
.PHONY: help demo page test check docs reference pictures bench measure roce reliability drills lock golden golden-diff corpus ledger mutants wheel clean

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

demo: .venv/.ready  ## compile the example site intent/full into build/demo
	.venv/bin/fabricgen render intent/full -o build/demo

test: .venv/.ready  ## install what the tests need, then run them all
	.ci/system-packages
	.venv/bin/pytest

check: .venv/.ready  ## lint, format, types, import contracts, English (sizes are tests: tests/architecture)
	.venv/bin/ruff check . && .venv/bin/ruff format --check .
	.venv/bin/mypy && .venv/bin/lint-imports --no-logo
	.venv/bin/python -m tests.prose

docs: .venv/.ready  ## build the documentation as a site in build/site (strict: no broken link)
	.venv/bin/zensical build --strict --clean

reference: .venv/.ready  ## rewrite the generated pages of docs/reference
	.venv/bin/python -m tests.docs.reference

pictures: .venv/.ready  ## draw the pictures of docs/pictures that need no lab (needs chromium)
	rm -rf build/series && .venv/bin/python -m bench.watch_series intent/full build/series
	.venv/bin/fabricgen report intent/full -o build/page && .venv/bin/python -m bench.page_pictures build/page docs/pictures/pages
	COLUMNS=132 .venv/bin/python bench/terminal_picture.py docs/pictures/watch.svg .venv/bin/fabricgen watch intent/full --from build/series --once || test $$? = 2

page: .venv/.ready  ## write web pages of intent/full into build/page
	.venv/bin/fabricgen report intent/full -o build/page
	@echo "open build/page/index.html in a browser"

bench: .venv/.ready  ## compare the CPU of stages and verbs with the recorded base commit (two minutes)
	.venv/bin/python bench/guard.py

measure: .venv/.ready  ## measure every verb on large sites and write docs/evidence/performance.md (an hour)
	TMPDIR=/dev/shm .venv/bin/python bench/verbs.py --write

roce: .venv/.ready  ## send real RoCEv2 across a compiled leaf and spine (needs qemu; minutes)
	.venv/bin/python -m bench.roce

reliability: .venv/.ready  ## kill and resume pushes, bypass approvals, plant faults in a lab, reach 2,000 switches, plan random batches, fuzz (an hour)
	FABRICGEN_FAULTS=all FABRICGEN_KILLS=300 .venv/bin/pytest -n0 tests/deploy/fakes
	FABRICGEN_RESUMES=100 .venv/bin/pytest -n0 tests/deploy/verbs/test_resumed_kills.py tests/deploy/verbs/test_bypasses.py
	FABRICGEN_FAULTS=all .venv/bin/pytest -n0 tests/lab tests/ci tests/unit tests/nos tests/property
	FABRICGEN_FAULTS=all .venv/bin/pytest -n0 tests/mutation
	.venv/bin/python -m bench.deploy_scale
	.venv/bin/python -m bench.batches
	FABRICGEN_FUZZ=10000 .venv/bin/pytest -n0 tests/hostile/test_fuzz.py tests/hostile/test_fuzz_answers.py

drills: .venv/.ready  ## carry out seven changes on a lab under traffic and count lost packets (an hour)
	.venv/bin/python -m bench.drills

golden: .venv/.ready  ## rewrite the golden files to what the compiler says now
	FABRICGEN_GOLDEN=update .venv/bin/pytest tests/golden tests/diagnostics

golden-diff: .venv/.ready  ## show how the compiler's words differ from the golden files
	FABRICGEN_GOLDEN=diff .venv/bin/pytest tests/golden tests/diagnostics

corpus: .venv/.ready  ## write what the compiler says of every example site into build/corpus (WORDS='edge eos': a part)
	.venv/bin/python -m tests.corpus.corpus build/corpus $(WORDS)

ledger: .venv/.ready  ## rewrite the ledger of every number of the example sites (docs/extend/testing.md)
	FABRICGEN_LEDGER=update .venv/bin/pytest -n0 tests/ledger

mutants: .venv/.ready  ## break fabricgen in 400 small ways; the tests have to notice 90 % (an hour)
	.ci/system-packages
	.venv/bin/python -m tests.mutants

wheel: .venv/.ready  ## build a wheel and the file that installs it by hashes, for a pipeline (docs/operate/ci.md)
	.ci/wheel

lock:  ## resolve pyproject.toml anew into requirements.lock
	.ci/lock

clean:  ## remove everything the other targets made
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

.venv/.ready: requirements.lock pyproject.toml
	.ci/bootstrap
