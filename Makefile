# `make run` builds hawser and explains two verdicts; `make test` runs every test. Each works alone on a
# Debian machine that has only a Swift toolchain: what else is needed is installed first.

SHELL := /bin/bash
SWIFT ?= swift

.PHONY: run test system-packages

run: system-packages
	$(SWIFT) build --product hawser
	@bash policies/try.sh "$$($(SWIFT) build --product hawser --show-bin-path)/hawser"

test: system-packages
	$(SWIFT) test --disable-xctest --explicit-target-dependency-import-check error

system-packages:
	@bash .ci/system-packages
