# Every target works from a fresh clone: what a target needs, it installs through scripts/setup.
SHELL := /bin/bash
# rustup puts cargo here, and a shell opened before that does not know.
export PATH := $(PATH):$(HOME)/.cargo/bin
CHECK := cargo run --release --quiet -- check
# What the table of a suite has already, it does not run again.
SUITE := cargo run --release --quiet -- bench run
# Random programs of `make fuzz`.
FUZZ ?= 20000
# Random circuits of `make fuzz`, on which all engines must agree.
CIRCUITS ?= 3000

# Seconds that `make fuzz` gives the readers of files.
READERS ?= 600

.PHONY: help demo build test lint bench bench-smoke bench-engines bench-reduction bench-seeds bench-scale fuzz clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

demo: build ## install what is missing, build, prove one program and refute another
	@echo; echo '$$ latchwork check testdata/c/peterson.c --property assert'
	@$(CHECK) testdata/c/peterson.c --property assert
	@echo; echo '$$ latchwork check testdata/c/lost_update.c --property assert'
	@$(CHECK) testdata/c/lost_update.c --property assert; test $$? -eq 10

build: ## the release binary, target/release/latchwork
	@scripts/setup --minimal
	cargo build --release

test: lint ## install what is missing, check the format, lint, run every test
	cargo test

lint: ## rustfmt and clippy, warnings are errors
	@scripts/setup
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings

bench-smoke: build ## check every program of testdata/c, write bench-results/smoke.csv
	@scripts/setup
	scripts/bench-smoke

bench-engines: build ## compare engines, built in and external, one after the other: hours; bench-results/engines.*
	@scripts/setup
	scripts/bench-engines

bench-reduction: build ## compare reductions, in explorer and circuit: hours; bench-results/reduction.*
	@scripts/setup
	scripts/bench-reduction

bench-seeds: build ## the papers' tables beside ours; bench-results/daisy*, bubble-sort*, wilhelm*, dining*
	$(SUITE) testdata/suites/wilhelm.toml
	$(SUITE) testdata/suites/bubble-sort.toml
	$(SUITE) testdata/suites/daisy.toml
	$(SUITE) testdata/suites/dining.toml

bench-scale: build ## time and memory against threads, statements, variables, width; bench-results/scale*
	$(SUITE) testdata/suites/scale.toml

bench: bench-smoke bench-seeds bench-scale bench-reduction bench-engines ## all of them: hours

fuzz: build ## FUZZ random programs (explorer, circuit, real runs), damaged files for READERS seconds
	LATCHWORK_FUZZ=$(FUZZ) cargo test --release --test differential
	LATCHWORK_FUZZ=$$(($(FUZZ) / 10)) cargo test --release --test c_semantics
	LATCHWORK_FUZZ=$$(($(FUZZ) / 20)) cargo test --release --test damaged
	LATCHWORK_FUZZ=$$(($(FUZZ) / 10)) cargo test --release --test ltl random
	LATCHWORK_FUZZ=$(CIRCUITS) cargo test --release --lib -- engine::tests::agreement engine::external::tests::real
	LATCHWORK_FUZZ=$(READERS)s cargo test --release --lib format::fuzz

clean: ## remove what was built
	cargo clean
