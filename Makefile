# `make run` builds hawser and explains two verdicts; `make test` runs every test, and
# `make test TARGET=TrustEngineTests` those of one folder of Tests, for which it builds what they
# need, in a build folder of their own. Each works alone on a Debian machine that has only a Swift
# toolchain: what else is needed is installed first.
# `make pages` writes the pages of every recipe of `policies/`, its report and its cases, into
# .build-pages, with an index.

SHELL := /bin/bash
SWIFT ?= swift

.PHONY: run test pages system-packages

run: system-packages
	$(SWIFT) build --product hawser
	@bash policies/try.sh "$$($(SWIFT) build --product hawser --show-bin-path)/hawser"

test: system-packages
	@[[ -z '$(TARGET)' || ( '$(TARGET)' = *Tests && -d 'Tests/$(TARGET)' ) ]] || \
	    { echo 'no tests in Tests/$(TARGET); TARGET is one of:' Tests/*Tests >&2; exit 2; }
	$(if $(TARGET),HAWSER_TARGETS=$(TARGET) )$(SWIFT) test --disable-xctest --explicit-target-dependency-import-check error$(if $(TARGET), --scratch-path .build-$(TARGET) --filter '^$(TARGET)\.')

pages: system-packages
	$(SWIFT) build --product hawser
	@bash policies/pages.sh "$$($(SWIFT) build --product hawser --show-bin-path)/hawser" .build-pages

system-packages:
	@bash .ci/system-packages
