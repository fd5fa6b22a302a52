# SPDX-License-Identifier: GPL-3.0-or-later
# dealproof: a hardware-in-the-loop test rig for card tables.
# `make help` lists the targets. Objects and programs go under $(BUILD), nothing else is written.

VERSION := 0.1.0
BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
CC      := $(if $(filter default,$(origin CC)),gcc,$(CC))
CFLAGS  ?= -O2 -g
# Added to both compilation and linking: sanitizers, coverage.
INSTRUMENT ?=

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
ROOMS    := games hal devices rigs

# Sources are found by folder: a device, a game or a report format is made known by being there.
sources = $(sort $(shell find $(1) -name '$(2)'))

LIB_SOURCES   := $(call sources,$(ROOMS),*.c)
TOOL_SOURCES  := $(call sources,tools,*.c)
# The suites stand in tests/ as their rooms do in the tree; tests/tree/ reads the sources, tests/mock/
# has the suites on umockdev's nodes, tests/bench/ what measures, tests/support/ what all of them share.
SUITE_SOURCES := $(call sources,$(ROOMS:%=tests/%) tests/tools tests/tree,test_*.c)
MOCK_SOURCES  := $(call sources,tests/mock,test_*.c)
BENCH_SOURCES := $(call sources,tests/bench,bench_*.c)
SHARED_TEST_SOURCES := $(call sources,tests/support,*.c)
# The oracle settles recordings on its own and is linked with nothing of the product.
ORACLE_SOURCES := $(call sources,tests/oracle,*.c)
# Devices written from the pages of devices/ alone; they share nothing with the product.
SECOND_SOURCES := $(call sources,tests/second,*.c)
# What the tests of shuffles find in machines with a flaw, for `make power`.
POWER_SOURCES := $(call sources,tests/power,*.c)
# Programs that other checks start: one writes a capture for tests/check-dissector, one its tables,
# one serves the bench page for tests in a browser.
SAMPLE_SOURCES := $(call sources,tests/capture,*.c) tests/station/serve.c tests/station/stage.c
# tests/kernel/test_*.c are suites that run inside a kernel of their own; the others there are
# shared by them.
KERNEL_SUITE_SOURCES  := $(call sources,tests/kernel,test_*.c)
KERNEL_SHARED_SOURCES := $(filter-out $(KERNEL_SUITE_SOURCES),$(call sources,tests/kernel,*.c))
# A fuzz target is tests/fuzz/fuzz_NAME.c; the others there are shared by them.
FUZZ_SOURCES  := $(call sources,tests/fuzz,fuzz_*.c)
SOURCES  := $(LIB_SOURCES) $(TOOL_SOURCES) $(call sources,tests,*.c)
HEADERS  := $(call sources,$(ROOMS) tools tests,*.h)

object   = $(patsubst %.c,$(BUILD)/%.o,$(1))
programs = $(patsubst %.c,$(BUILD)/%,$(1))

BINARY  := $(BUILD)/dealproof
ARCHIVE := $(BUILD)/libdealproof.a
SUPPORT := $(BUILD)/tests/support.a
SUITES  := $(call programs,$(SUITE_SOURCES))
MOCKS   := $(call programs,$(MOCK_SOURCES))
BENCHES := $(call programs,$(BENCH_SOURCES))
ORACLE  := $(BUILD)/tests/oracle/oracle
SECOND  := $(BUILD)/tests/second/second
SAMPLES := $(call programs,$(SAMPLE_SOURCES))
POWER   := $(BUILD)/tests/power/power
KERNEL_SUITES := $(call programs,$(KERNEL_SUITE_SOURCES))
# Each fuzz target twice: with a main that replays its corpus, and with libFuzzer's.
REPLAYS := $(call programs,$(FUZZ_SOURCES))
FUZZERS := $(FUZZ_SOURCES:tests/fuzz/fuzz_%.c=$(BUILD)/fuzzers/%)
# What suites put before the C library of the program that they start.
PRELOAD := $(BUILD)/tests/preload/failing.so

# What `make help` lists is no file.
.PHONY: all objects suites install-shared $(shell sed -n 's/^\([a-z0-9-]*\):.*\#\# .*/\1/p' $(firstword $(MAKEFILE_LIST)))
all: $(BINARY)

# Everything that needs a compiler needs the packages first: config.mk is made by installing what
# is missing and asking pkg-config, and make reads it before it does anything else. An included file
# is made even under -n, so a dry run reads the one that is there as a text.
IDLE_GOALS := clean help format trace install-shared uninstall kernel test-debian13 fuzz fuzz-coverage check-threads mutate \
              coverage prove deb test-deb check-reproducible
DRY_RUN    := $(findstring n,$(firstword -$(MAKEFLAGS)))
ifneq ($(DRY_RUN),)
$(eval $(file <$(BUILD)/config.mk))
else ifneq ($(filter-out $(IDLE_GOALS),$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/config.mk
endif

# Of libmicrohttpd and libpq only the headers are used: they are loaded when a page is served, and when
# a store of PostgreSQL is named.
PACKAGES      := nettle hogweed gmp gsl lua5.4 libserialport libusb-1.0 libgpiod libevdev libpcap \
                 yaml-0.1 libmicrohttpd sqlite3 libpq expat
# The tests and the oracle read JSON with jansson: with another reader than the program.
TEST_PACKAGES := cunit umockdev-1.0 jansson

# A package says itself what it needs.
DEPENDENCIES ?= tools/install-dependencies
PKG_CONFIG   ?= pkg-config
ask = $(if $(2),$$($(PKG_CONFIG) $(1) $(2)))
$(BUILD)/config.mk: Makefile tools/install-dependencies
	@$(DEPENDENCIES)
	@mkdir -p $(BUILD)
	@{ echo "PACKAGE_CFLAGS := $(call ask,--cflags,$(PACKAGES))"; \
	   echo "PACKAGE_LIBS := $(call ask,--libs,$(PACKAGES))"; \
	   echo "TEST_CFLAGS := $(call ask,--cflags,$(TEST_PACKAGES))"; \
	   echo "TEST_LIBS := $(call ask,--libs,$(TEST_PACKAGES))"; \
	   echo "GPIOD_MAJOR := $(call ask,--modversion,libgpiod | cut -d. -f1)"; } > $@.tmp
	@mv $@.tmp $@

COMPILE = $(CC) -std=c17 -D_GNU_SOURCE -DDEALPROOF_VERSION='"$(VERSION)"' \
          -DGPIOD_MAJOR=$(GPIOD_MAJOR) -I. $(PACKAGE_CFLAGS) $(WARNINGS) $(WERROR) $(CPPFLAGS) $(CFLAGS) \
          $(INSTRUMENT) -pthread -MMD -MP
LINK    = $(CC) $(CFLAGS) $(INSTRUMENT) $(LDFLAGS) -pthread -Wl,--as-needed
LIBS    = $(PACKAGE_LIBS) -lm
# Backends register themselves, so the whole archive is linked.
WHOLE   = -Wl,--whole-archive $(ARCHIVE) -Wl,--no-whole-archive

# What was built last is kept beside it: other flags make the objects again, other sources the
# archive.
FLAGS = $(COMPILE) $(TEST_CFLAGS) $(LIBS) $(TEST_LIBS)
MEMBERS = $(LIB_SOURCES) $(SHARED_TEST_SOURCES)
define remember
ifneq ($$(strip $$(file <$(BUILD)/$(1))),$$(strip $$($(2))))
.PHONY: $(BUILD)/$(1)
endif
$(BUILD)/$(1): export DEALPROOF_REMEMBERED = $$($(2))
$(BUILD)/$(1): $(BUILD)/config.mk
	@mkdir -p $(BUILD)
	@printf '%s\n' "$$$$DEALPROOF_REMEMBERED" > $$@
endef
$(eval $(call remember,flags,FLAGS))
$(eval $(call remember,members,MEMBERS))
# The commit and its date are in one object of the program, and in no other.
COMMIT := $(shell tools/commit)
DATE   := $(if $(word 2,$(COMMIT)),$(shell date -u -d @$(word 2,$(COMMIT)) +%F))
$(eval $(call remember,commit,COMMIT))
$(BUILD)/tools/build.o: COMPILE += -DDEALPROOF_COMMIT='"$(firstword $(COMMIT))"' -DDEALPROOF_DATE='"$(DATE)"'
$(BUILD)/tools/build.o: $(BUILD)/commit

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) $(TEST_CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

# Files within the program: what EMBED_TEXT() names, each an "object:file".
EMBEDDED := $(shell grep -Ho 'EMBED_TEXT([a-z_]*, "[^"]*")' $(LIB_SOURCES) $(TOOL_SOURCES) /dev/null | \
  sed -E 's|^(.*)\.c:.*"(.*)".*|\1.o:\2|')
$(foreach embedded,$(EMBEDDED),$(eval $(BUILD)/$(embedded)))

# Members of different rooms may share a name, so they are appended (q), never replaced.
$(ARCHIVE): $(call object,$(LIB_SOURCES)) $(BUILD)/members
	@rm -f $@
	$(AR) qcs $@ $(filter %.o,$^)

$(BINARY): $(call object,$(TOOL_SOURCES)) $(ARCHIVE)
	$(LINK) -o $@ $(filter %.o,$^) $(WHOLE) $(LIBS)

$(SUPPORT): $(call object,$(SHARED_TEST_SOURCES)) $(BUILD)/members
	@rm -f $@
	$(AR) qcs $@ $(filter %.o,$^)

$(SUITES) $(MOCKS) $(BENCHES) $(SAMPLES): %: %.o $(SUPPORT) $(ARCHIVE)
	$(LINK) -o $@ $< $(SUPPORT) $(WHOLE) $(LIBS) $(TEST_LIBS)

$(PRELOAD): $(BUILD)/%.so: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) $(WERROR) -O1 -g -fPIC -shared \
	  $(if $(INSTRUMENT),-DINSTRUMENTED) -o $@ $<

$(BUILD)/tests/tools/test_disk $(BUILD)/tests/tools/test_memory: $(PRELOAD)

$(KERNEL_SUITES): %: %.o $(call object,$(KERNEL_SHARED_SOURCES)) $(SUPPORT) $(ARCHIVE)
	$(LINK) -o $@ $(filter %.o,$^) $(SUPPORT) $(WHOLE) $(LIBS) $(TEST_LIBS)

FUZZ_SHARED := $(call object,$(filter-out %/replay.c $(FUZZ_SOURCES),$(call sources,tests/fuzz,*.c)))
$(REPLAYS): %: %.o $(BUILD)/tests/fuzz/replay.o $(FUZZ_SHARED) $(SUPPORT) $(ARCHIVE)
	$(LINK) -o $@ $(filter %.o,$^) $(SUPPORT) $(WHOLE) $(LIBS) $(TEST_LIBS)

$(FUZZERS): $(BUILD)/fuzzers/%: $(BUILD)/tests/fuzz/fuzz_%.o $(FUZZ_SHARED) $(SUPPORT) $(ARCHIVE)
	@mkdir -p $(@D)
	$(LINK) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(SUPPORT) $(WHOLE) $(LIBS) $(TEST_LIBS)

# Command lines are read with the tables of the commands.
$(BUILD)/tests/fuzz/fuzz_options $(BUILD)/fuzzers/options: \
  $(filter-out %/main.o,$(call object,$(TOOL_SOURCES)))

$(ORACLE): $(call object,$(ORACLE_SOURCES))
	$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS)

$(SECOND): $(call object,$(SECOND_SOURCES))
	$(LINK) -o $@ $^ $(LIBS)

$(POWER): $(call object,$(POWER_SOURCES)) $(ARCHIVE)
	$(LINK) -o $@ $(filter %.o,$^) $(WHOLE) $(LIBS)

# What `make mutate` changes, and the suites that should notice: without those that take seconds,
# which every survivor would wait for, and without those of a kernel's ttys and sockets alone, which a
# busy machine might fail. Its build has every mutant inside: the sources that
# tests/mutate/mutator.c wrote again, and mutant.c, which says which one is alive. What `make check`
# sees by a sanitizer (a place behind an array, a shift too far) ends a suite here as well, and what
# nobody has filled is 0xfe. The rows of checks come first, as mutant.c counts them: each is disabled
# in turn.
MUTATED := rigs/checks/rows.h $(wildcard games/*/engine.c games/*/showdown.c) \
           $(patsubst %,games/%.c,meter jackpot paid money bet round paytable hand) \
           devices/wire/frame.c devices/wire/crc.c devices/shoe/angel_eye/frame.c \
           devices/gat/frame.c devices/serve/usbip.c \
           $(patsubst %,rigs/run/%.c,compare log must_hit sensors second identity lines chance \
             authenticate ending leave quiet others dealer/decks) \
           $(patsubst %,rigs/run/terminal/%.c,ledger told awards found correct keys) \
           $(call sources,rigs/checks,*.c)
MUTATE_AREAS  := $(addprefix tests/,games/% devices/wire/% devices/shoe/% devices/gat/% \
                 devices/serve/% rigs/checks/% rigs/run/% rigs/recording/% rigs/cover/%)
MUTATE_NOT    := tests/games/shuffles/% tests/games/audit/% tests/games/%/test_audit.c \
                 $(patsubst %,tests/%.c, games/chase_the_flush/test_all_boards \
                 games/test_cross_check games/test_all_hands devices/wire/test_torn \
                 devices/serve/test_serve \
                 rigs/checks/test_alterations rigs/checks/test_checks rigs/checks/test_liars \
                 rigs/cover/test_generate rigs/recording/test_settle rigs/run/test_honest \
                 rigs/run/test_record_replay)
MUTATE_SUITES := $(filter-out $(MUTATE_NOT),$(filter $(MUTATE_AREAS),$(SUITE_SOURCES))) \
                 $(patsubst %,tests/fuzz/fuzz_%.c,angel_eye cards frame gat paytables usbip)
ifdef WITH_MUTANTS
LLVM := $(lastword $(sort $(wildcard /usr/lib/llvm-*)))
$(BUILD)/tests/mutate/mutator: tests/mutate/mutator.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) -g -I$(LLVM)/include -o $@ $< -L$(LLVM)/lib -lclang

$(BUILD)/tests/mutate/try: tests/mutate/try.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) -O1 -g -o $@ $<

$(BUILD)/mutants: $(BUILD)/tests/mutate/mutator $(MUTATED) Makefile
	$< $(BUILD)/source $(MUTATED) > $@.tmp
	@mv $@.tmp $@

$(call object,$(filter %.c,$(MUTATED))): $(BUILD)/%.o: $(BUILD)/mutants
	@mkdir -p $(@D)
	$(COMPILE) -w -fsanitize=bounds-strict,shift -fsanitize-undefined-trap-on-error \
	  -ftrivial-auto-var-init=pattern -include tests/mutate/mutant.h -c -o $@ $(BUILD)/source/$*.c

$(ARCHIVE): $(BUILD)/tests/mutate/mutant.o
$(SUPPORT): $(BUILD)/tests/mutate/first_failure.o
LINK += -Wl,--wrap=check_fail,--wrap=check_number,--wrap=CU_add_test
endif

-include $(patsubst %.o,%.d,$(call object,$(SOURCES)))

run: $(BINARY) ## replay every fixture through the emulated rig, check everything, leave reports
	@rm -rf $(BUILD)/run
	$(BINARY) run --reports $(BUILD)/run fixtures

test: $(BINARY) $(SUITES) $(MOCKS) $(REPLAYS) $(ORACLE) ## build and run every test
	@tests/run $(BUILD)

trace: ## check games/trace.txt and write games/TRACE.md
	@page=$$(tests/trace) && printf '%s\n' "$$page" > games/TRACE.md

dissector: $(BUILD)/tests/capture/tables ## put the messages of devices/ into tools/dealproof.lua
	@$(BUILD)/tests/capture/tables < tools/dealproof.lua > $(BUILD)/dealproof.lua
	@cp $(BUILD)/dealproof.lua tools/dealproof.lua

kernel: ## build the kernel of test-kernel, once
	@tools/install-dependencies kernel
	@tests/kernel/build-kernel $(BUILD)

test-kernel: $(BINARY) $(KERNEL_SUITES) ## the recordings through a real kernel's USB, tty and GPIO
	@tools/install-dependencies kernel
	@tests/kernel/run $(BUILD)

bench: $(BINARY) $(BENCHES) ## measure speed, as ratios in one run
	@tests/bench/run $(BUILD)

power: $(POWER) ## what the tests of shuffles find in flawed machines; POWER_SETS=N thousand good ones, or looks
	@$(POWER) $(POWER_SETS)

generators: $(BUILD)/tests/rigs/shuffles/test_shuffles_seek ## find every weak generator among all of its seeds
	@SEEDS=all $<

KILLS := 300
check-kill: $(BINARY) $(BUILD)/tests/tools/test_kill ## kill a run 300 times, resume it each time; KILLS=N
	@DEALPROOF=$(BINARY) KILLS=$(KILLS) $(BUILD)/tests/tools/test_kill

SHARD := whole
campaign: $(BUILD)/tests/rigs/checks/test_alterations ## alter every byte of every message of every device; SHARD=I/N a part
	@CAMPAIGN=$(SHARD) $(BUILD)/tests/rigs/checks/test_alterations

check-bits: $(BINARY) $(BUILD)/tests/rigs/evidence/test_bundle ## turn every bit of a small bundle and of its signature
	@DEALPROOF=$(BINARY) CAMPAIGN=whole $(BUILD)/tests/rigs/evidence/test_bundle no_bit

check-allocations: $(BINARY) $(BUILD)/tests/tools/test_memory ## fail every allocation of run, report and bundle in turn
	@DEALPROOF=$(BINARY) CAMPAIGN=whole $(BUILD)/tests/tools/test_memory

SOAK_ROUNDS := 10000000
soak: $(BINARY) ## observe 10,000,000 rounds with awards: neither memory nor descriptors grow; SOAK_ROUNDS=N
	@tests/soak $(BUILD) $(SOAK_ROUNDS)

REPORT_ROUNDS := 1000000
soak-report: $(BINARY) ## the page of 1,000,000 rounds takes no more memory than one of a tenth; REPORT_ROUNDS=N
	@tests/soak-report $(BUILD) $(REPORT_ROUNDS)

check-order: $(BINARY) $(SUITES) $(MOCKS) $(REPLAYS) $(ORACLE) ## every test ten times, shuffled, under load; PASSES=N, SEED=N, ORDER="SUITE.c..."
	@tools/install-dependencies deep
	@tests/check-order $(BUILD) $(ORDER)

check-valgrind: $(BINARY) ## the commands under valgrind
	@tools/install-dependencies deep
	@tests/check-valgrind $(BUILD)

check-faults: $(BINARY) $(PRELOAD) ## let every system call and allocation of a run fail; FAULTS_EVERY=N: one in N
	@tools/install-dependencies deep
	@tests/check-faults $(BUILD) $(FAULTS_EVERY)

coverage: ## the lines that the tests reach, by room and as a page
	@tools/install-dependencies deep
	@$(MAKE) -s BUILD=$(BUILD)/coverage CFLAGS="-O0 -g" INSTRUMENT=--coverage $(BUILD)/coverage/dealproof \
	  $(SUITES:$(BUILD)/%=$(BUILD)/coverage/%) $(MOCKS:$(BUILD)/%=$(BUILD)/coverage/%) \
	  $(REPLAYS:$(BUILD)/%=$(BUILD)/coverage/%) $(BUILD)/coverage/tests/oracle/oracle
	@tests/coverage $(BUILD)/coverage

PROOFS ?= $(patsubst tests/prove/prove_%.c,%,$(call sources,tests/prove,prove_*.c))
prove: ## as root: prove the decoders, meters and sums with CBMC, in a Debian 13 root; PROOFS=NAME
	@tests/debian-root trixie tests/prove/run $(PROOFS)

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# Those that have threads; what they start has them as well.
THREADED := $(call sources,tests/hal/desk tests/rigs/station,test_*.c) \
            $(patsubst %,tests/%.c,hal/base/test_turns hal/link/test_bridge hal/link/test_lookup \
            hal/link/test_tap rigs/recording/test_settle rigs/shuffles/test_shuffles_seek \
            tools/test_audit_command tools/run/test_run_jobs)
check-threads: ## suites with threads under ThreadSanitizer
	@$(MAKE) -s BUILD=$(BUILD)/thread CFLAGS="-O1 -g" INSTRUMENT=-fsanitize=thread \
	  $(BUILD)/thread/dealproof $(THREADED:%.c=$(BUILD)/thread/%)
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tests/threads.txt$${TSAN_OPTIONS:+:$$TSAN_OPTIONS}" \
	  tests/run $(BUILD)/thread $(THREADED)

# FUZZ=NAME for one target. Inputs that reach something new are kept in $(BUILD)/fuzz/corpus, those
# that fail in $(BUILD)/fuzz/found; the lines that both corpora reach are counted with gcov.
FUZZ_S ?= 60
FUZZ   ?= $(FUZZ_SOURCES:tests/fuzz/fuzz_%.c=%)
CLANG  ?= clang
fuzz: ## fuzz every target for FUZZ_S=60 seconds, or FUZZ=NAME; prints executions, lines, findings
	@tools/install-dependencies fuzz
	@$(MAKE) -s BUILD=$(BUILD)/fuzz CC="$(CLANG)" CFLAGS="-O1 -g" \
	  INSTRUMENT="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" \
	  $(FUZZ:%=$(BUILD)/fuzz/fuzzers/%)
	@$(MAKE) -s BUILD=$(BUILD)/coverage CFLAGS="-O0 -g" INSTRUMENT=--coverage \
	  $(FUZZ:%=$(BUILD)/coverage/tests/fuzz/fuzz_%)
	@tests/fuzz/run $(BUILD) $(FUZZ_S) $(FUZZ)

fuzz-coverage: ## the lines that the fuzz corpora reach, file by file, of those that they can
	@$(MAKE) -s BUILD=$(BUILD)/coverage CFLAGS="-O0 -g" INSTRUMENT=--coverage \
	  $(FUZZ:%=$(BUILD)/coverage/tests/fuzz/fuzz_%)
	@status=0; for name in $(FUZZ); do echo "$$name:"; tests/fuzz/coverage $(BUILD) $$name || status=1; done; exit $$status

MUTATE ?= $(MUTATED)
MUTATE_EVERY ?= 1
mutate: ## change the rules, meters, decoders and checks, see who notices; MUTATE=FILE, MUTATE_EVERY=N: one in N
	@tools/install-dependencies mutate
	@$(MAKE) -s BUILD=$(BUILD)/mutate WITH_MUTANTS=yes $(BUILD)/mutate/dealproof \
	  $(BUILD)/mutate/tests/mutate/try $(BUILD)/mutate/tests/oracle/oracle $(MUTATE_SUITES:%.c=$(BUILD)/mutate/%)
	@SUITES="$(MUTATE_SUITES)" nice tests/mutate/run $(BUILD)/mutate $(MUTATE_EVERY) $(MUTATE)

check-second: $(BINARY) $(SECOND) ## play recordings against other devices, honest and lying
	@tests/check-second $(BUILD)

check-conform: $(BINARY) $(SECOND) ## try the protocol's sentences on other devices, honest in every way
	@tests/check-conform $(BUILD)

check: check-static check-compilers ## formatting, cppcheck, dissector, recipes, gcc and clang warnings, sanitizers
	$(MAKE) BUILD=$(BUILD)/sanitize WERROR=-Werror CFLAGS="-O1 -g" INSTRUMENT="$(SANITIZE)" test

# The first two beside each other with -j2; two installers must not meet.
.PHONY: check-tools check-static check-compilers
check-tools:
	@tools/install-dependencies check

check-static: check-tools $(BINARY) $(SAMPLES)
	clang-format --dry-run --Werror $(SOURCES) $(HEADERS)
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
	  --inline-suppr --suppress=missingIncludeSystem -I. $(LIB_SOURCES) $(TOOL_SOURCES)
	tests/check-dissector $(BUILD)
	tests/check-build
	tests/check-recipes

check-compilers: check-tools
	$(MAKE) BUILD=$(BUILD)/clang CC=clang WERROR=-Werror CFLAGS=-O0 objects
	$(if $(WERROR),,$(MAKE) BUILD=$(BUILD)/gcc WERROR=-Werror objects)

# What needs libclang or CBMC is compiled by its own target.
objects: $(call object,$(filter-out tests/mutate/% tests/prove/%,$(SOURCES)))

suites: $(SUITES) $(MOCKS) $(REPLAYS) $(BENCHES) $(ORACLE) $(SECOND) $(SAMPLES) $(POWER) $(KERNEL_SUITES)

check-report: $(BINARY) check-station ## open reports of real runs and the bench page in a headless browser
	tests/check-report $(BUILD)

check-station: $(BINARY) $(SAMPLES) ## use the bench page in a headless browser, as people at a bench do
	@tools/install-dependencies report
	tests/check-station $(BUILD)

test-lab: $(BINARY) ## as root: 200 jobs by Slurm on four benches, with deaths and a restart; LAB_JOBS=N
	@tools/install-dependencies lab
	@tests/lab/run $(BUILD)

# Each in a Debian root of its own, which ROOT=FOLDER keeps for the next time.
test-arm64: $(BINARY) ## as root: build for arm64, test under qemu, compare with this machine
	tests/transcript $(BINARY) | tests/debian-root bookworm tests/arm64

test-debian13: ## as root: build and test on Debian 13
	tests/debian-root trixie tests/fresh

# For another architecture as root, in a Debian root: this machine gets no foreign packages.
DEB_RELEASES ?= bookworm trixie
deb: ## Debian packages of the committed tree into build/deb; as root also DEB_HOST_ARCH=arm64
ifneq ($(filter-out $(shell dpkg --print-architecture 2>/dev/null),$(DEB_HOST_ARCH)),)
	@mkdir -p $(BUILD)/deb
	git archive HEAD | env -u DEB_HOST_ARCH tests/debian-root $(firstword $(DEB_RELEASES)) \
	  tools/debian/in-root $(DEB_HOST_ARCH) > $(BUILD)/deb.tar
	@tar -x -C $(BUILD)/deb -f $(BUILD)/deb.tar && rm $(BUILD)/deb.tar
	@env -u DEB_HOST_ARCH tools/install-dependencies deb
	lintian --fail-on error,warning $(BUILD)/deb/*_$(DEB_HOST_ARCH).changes
else
	@tools/install-dependencies deb
	tools/debian/build $(BUILD)/deb
	lintian --fail-on error,warning $(BUILD)/deb/*_$(shell dpkg --print-architecture).changes
endif

test-deb: ## as root: build, install, use, upgrade and remove the packages on Debian 12 and 13
	@for release in $(DEB_RELEASES); do \
	  git archive HEAD | ROOT=$${ROOT:+$$ROOT/$$release} tests/debian-root $$release tests/debian || exit; \
	done

check-reproducible: ## build the packages twice, elsewhere and later: the same to the byte
	@tools/install-dependencies deb
	@tests/reproducible $(BUILD)

format: ## apply clang-format
	@tools/install-dependencies check
	clang-format -i $(SOURCES) $(HEADERS)

# The pages of all commands and what shells complete, as the program prints them. EMULATOR runs a
# program of another architecture.
EMULATOR ?=
HELP := $(BUILD)/help
$(HELP)/made: $(BINARY)
	@rm -rf $(HELP) && mkdir -p $(HELP)
	@set -e; commands=$$($(EMULATOR) $(BINARY) help | sed -n 's/^  \([a-z]*\) .*/\1/p'); test "$$commands"; \
	  for command in $$commands; do \
	    $(EMULATOR) $(BINARY) help --man $$command > $(HELP)/dealproof-$$command.1; \
	  done
	@$(EMULATOR) $(BINARY) help --man > $(HELP)/dealproof.1
	@$(EMULATOR) $(BINARY) help --completion bash > $(HELP)/dealproof
	@$(EMULATOR) $(BINARY) help --completion zsh > $(HELP)/_dealproof
	@touch $@

# What is installed, and where. Wireshark and zsh of a distribution look in places of their own.
WIRESHARK_DIR ?= $(PREFIX)/lib/wireshark/plugins
ZSH_DIR       ?= $(PREFIX)/share/zsh/site-functions
SHARE         := $(PREFIX)/share
# Debian's Python looks below /usr/local by its version and below /usr without, so it is asked.
PYTHON        ?= $(or $(wildcard /usr/bin/python3),python3)
PYTHON_DIR    ?= $(or $(firstword $(filter $(PREFIX)/lib/%,$(shell $(PYTHON) -I -c \
                 'import site; print(*site.getsitepackages())' 2>/dev/null))),$(PREFIX)/lib/python3/dist-packages)
# A page links to no file that is not among these; the copyright of a package stands in for LICENSE.
PAGES    := $(wildcard *.md $(foreach room,$(ROOMS) fixtures tests tools,$(room)/*.md $(room)/*/*.md $(room)/*.png))
EXAMPLES := $(wildcard rigs/*.yaml rigs/*.jsonl) $(filter-out %.md,$(call sources,fixtures,*.*))
put  = install -D -m 644 -t $(DESTDIR)$(1) $(2)
# Each in the folder that it has in the tree.
keep = @for file in $(2); do install -D -m 644 $$file $(DESTDIR)$(1)/$$file || exit; done
install: $(BINARY) $(HELP)/made install-shared ## install under PREFIX (/usr/local), below DESTDIR if given
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/dealproof
	$(call put,$(SHARE)/man/man1,$(HELP)/*.1)
	$(call put,$(SHARE)/bash-completion/completions,$(HELP)/dealproof)
	$(call put,$(ZSH_DIR),$(HELP)/_dealproof)

# What is installed as it stands in the tree, so that nothing is built for it.
install-shared:
	$(call put,$(PREFIX)/lib/udev/rules.d,tools/99-dealproof.rules)
	$(call put,$(WIRESHARK_DIR),tools/dealproof.lua)
	$(call put,$(SHARE)/dealproof/scripts,devices/scripts/examples/*)
	$(call put,$(SHARE)/dealproof/schemas,tools/schemas/*)
	$(call put,$(PYTHON_DIR),tools/pytest_dealproof.py)
	$(call keep,$(SHARE)/dealproof,$(EXAMPLES))
	$(call keep,$(SHARE)/doc/dealproof,$(PAGES))

uninstall: ## remove what install put there
	cd $(DESTDIR)$(PREFIX) && rm -f bin/dealproof share/man/man1/dealproof.1 share/man/man1/dealproof-*.1 \
	  share/bash-completion/completions/dealproof lib/udev/rules.d/99-dealproof.rules \
	  lib/python3*/dist-packages/pytest_dealproof.py
	rm -f $(DESTDIR)$(ZSH_DIR)/_dealproof $(DESTDIR)$(WIRESHARK_DIR)/dealproof.lua \
	  $(DESTDIR)$(PYTHON_DIR)/pytest_dealproof.py
	rm -rf $(DESTDIR)$(SHARE)/dealproof $(DESTDIR)$(SHARE)/doc/dealproof

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
