# `make run` builds hawser and explains two verdicts. `make test` runs every test.
# `make test TARGET=TrustEngineTests` runs the tests of one folder of Tests: it builds only the
# targets that they need, in a build folder of their own. Each works on a Debian machine that has
# only a Swift toolchain: it first installs the other packages that it needs.
# `make fix` formats what was changed, wraps its comments and writes the generated files;
# `make fix GOLDENS=SUITE TARGET=CLITests` writes the goldens of that suite, too. `make check` says
# in half a minute what `.ci/run` would say of formats, comments, imports, words, planted faults and
# generated files.
# `make pages` writes the pages of every recipe of `policies/`, its report and its cases, into
# .build-pages, with an index. `make docs` writes the documentation as a site into .build-docs/site,
# which needs no server; with `LIBRARY=yes` also the reference of the library, which needs one.
# `make dist` builds the commit that is checked out and writes the files of a release into `dist`
# (Packaging/dist/README.md); it needs a JDK of 22 or later, and takes half an hour on two cores.
# Nothing is signed.
# `make dist-diff OLD=TAG` compares the command of an older commit with this one, over all policies
# and public vectors, and writes .build-dist-diff/answer.md for the notes of a release.

SHELL := /bin/bash
SWIFT ?= swift

.PHONY: run test fix check pages docs dist dist-diff system-packages

run: system-packages
	$(SWIFT) build --product hawser
	@bash policies/try.sh "$$($(SWIFT) build --product hawser --show-bin-path)/hawser"

test: system-packages
	@[[ -z '$(TARGET)' || ( '$(TARGET)' = *Tests && -d 'Tests/$(TARGET)' ) ]] || \
	    { echo 'no tests in Tests/$(TARGET); TARGET is one of:' Tests/*Tests >&2; exit 2; }
	$(if $(TARGET),HAWSER_TARGETS=$(TARGET) )$(SWIFT) test --disable-xctest --explicit-target-dependency-import-check error$(if $(TARGET), --scratch-path .build-$(TARGET) --filter '^$(TARGET)\.')

fix:
	@bash .ci/system-packages make python3
	@.ci/changed | xargs -r -d '\n' .ci/wrap-comments
	@.ci/changed .swift | xargs -r -d '\n' $(SWIFT) format --in-place --configuration .swift-format
	HAWSER_TARGETS=generate-tables $(SWIFT) run --scratch-path .build-generate generate-tables
	$(if $(GOLDENS),UPDATE_GOLDEN=1 HAWSER_TARGETS=$(TARGET) $(SWIFT) test --disable-xctest --scratch-path .build-$(TARGET) --filter '$(GOLDENS)')

check:
	@bash .ci/system-packages make python3
	@.ci/changed | xargs -r -d '\n' .ci/wrap-comments --check
	@.ci/changed .swift | xargs -r -d '\n' $(SWIFT) format lint --strict --configuration .swift-format
	@bash Tests/Mutation/run.sh --check
	@bash Tests/Oracle/run.sh --check
	@if .ci/changed | grep -qE '^grammar/|^Sources/GenerateTables/|Generated'; then \
	    HAWSER_TARGETS=generate-tables $(SWIFT) run --scratch-path .build-generate generate-tables --check; fi
	HAWSER_TARGETS=HouseTests $(SWIFT) test --scratch-path .build-HouseTests --disable-xctest --filter '^HouseTests\.'

pages: system-packages
	$(SWIFT) build --product hawser
	@bash policies/pages.sh "$$($(SWIFT) build --product hawser --show-bin-path)/hawser" .build-pages

docs: system-packages
	$(SWIFT) build --product hawser
	$(if $(LIBRARY),@bash Tests/Integration/docs.sh .build-docs/library library)
	@bash Documentation/build.sh "$$($(SWIFT) build --product hawser --show-bin-path)/hawser"

dist:
	@bash .ci/system-packages git gcc binutils python3 python3-dev dpkg-dev rpm nodejs libnode-dev npm
	@bash Packaging/dist/build.sh
	@python3 .build-dist/source/Packaging/dist/pack.py .build-dist/tree dist

# OLD and SWIFT are in the environment, so that a shell does not read them.
export OLD SWIFT
dist-diff:
	@bash .ci/dist-diff "$$OLD"

system-packages:
	@bash .ci/system-packages
