# SPDX-License-Identifier: GPL-2.0-only
#
# Commands for people; `make help` lists them. Which objects make which module is
# in Kbuild.

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
# Where the built .ko files are, for `make install`.
MODULES ?= $(CURDIR)

LANE ?= uml stock stock61

.PHONY: all clean install uninstall check check-debug check-smp check-kcsan kunit coverage conformance manual lint demo bench \
	fault-table deb rpm help

all:
	@scripts/package/install/kernel-check '$(KDIR)'
	@$(MAKE) -C '$(KDIR)' M='$(CURDIR)' modules || \
		{ scripts/package/install/kernel-check --failed '$(KDIR)'; exit 1; }

clean:
	@$(MAKE) -C '$(KDIR)' M='$(CURDIR)' clean

install:
	@scripts/package/install/install '$(KDIR)' '$(MODULES)' '$(INSTALL_MOD_PATH)'

uninstall:
	@scripts/package/install/uninstall '$(KDIR)' '$(INSTALL_MOD_PATH)'

deb:
	@scripts/package/deb

rpm:
	@scripts/package/rpm

export CASE PROVIDER PEERS MODS JOBS ALL RUNS AGAIN

check:
	@scripts/tests/lab/run $(LANE)

check-debug:
	@LINT=no ALL=yes scripts/tests/lab/run umldbg

check-smp:
	@LINT=no scripts/tests/lab/run smpdbg

check-kcsan:
	@LINT=no scripts/tests/lab/run kcsan

kunit:
	@CASE=kunit scripts/tests/lab/run uml

coverage:
	@scripts/tests/lab/coverage

conformance:
	@scripts/docs/conformance write

manual:
	@scripts/docs/manual write

lint:
	@CASE=lint scripts/tests/lab/run uml

demo:
	@scripts/tests/demo.sh

bench:
	@scripts/bench/run $(BENCH)

fault-table:
	@scripts/tests/lab/fault-table

help:
	@sed 's/^# \{0,1\}//; 1d' scripts/make-help
