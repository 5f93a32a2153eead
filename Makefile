# Every way into the house. Each target installs or names what it lacks.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
.PHONY: help setup test ci fmt clippy doc tidy deny demo bench proof fuzz

export PATH := $(CURDIR)/target/tools/bin:$(PATH)
# How often races and crashes are tried: `small` for every day, `full` for a proof.
export TRIALS ?= small

help: ## This list
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' Makefile | expand -t 14

setup: ## Install what the tests need
	@scripts/setup-debian.sh test
	scripts/setup-tools.sh cargo-nextest
	scripts/setup-node.sh
	scripts/setup-node.sh tests/e2e/hosts
	scripts/setup-python.sh
	scripts/setup-python.sh tests/e2e/api

test: setup ## Set up everything and run all tests
	@eval "$$(scripts/pg.sh env)"
	if cargo nextest --version >/dev/null 2>&1; then
	  cargo nextest run --workspace --profile make
	else
	  cargo test --workspace
	fi

ci: fmt clippy doc test deny ## Everything that a change must pass

fmt:
	cargo fmt --all --check

clippy:
	cargo clippy --workspace --all-targets -- -D warnings

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items
	cargo test --workspace --doc

tidy: ## The house rules that the compiler does not know
	cargo xtask tidy

deny: ## Licences, bans and sources of what we build on
	@scripts/setup-tools.sh cargo-deny
	cargo deny check licenses bans sources

demo: ## A server, an agent and three proposals to decide; CHECK=1 decides by script and ends
	@scripts/setup-debian.sh build
	cargo run --package countersign-cli -- demo $(if $(CHECK),--check)

bench: ## Measure against the baselines, as ratios; ROWS="call gate" measures those alone
	@scripts/setup-debian.sh bench
	scripts/setup-node.sh
	scripts/setup-node.sh bench/baselines/typescript
	scripts/setup-python.sh bench/baselines/python
	cargo build --release --package countersign-cli --package countersign-bench --bins --bench ratios
	cargo bench --package countersign-cli --package countersign-bench --bench ratios -- $(ROWS)

proof: setup ## The races and crashes with full trials; writes docs/proof.md
	@eval "$$(scripts/pg.sh env)"
	TRIALS=full scripts/proof.sh

fuzz: setup ## Fuzz what strangers send; TIME=600 is so many seconds for each reader
	FUZZ_SECONDS=$(or $(TIME),60) cargo nextest run --workspace --profile fuzz --test fuzz --no-capture
