.PHONY: test
test:
	cargo test --workspace
