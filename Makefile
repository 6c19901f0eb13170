# SPDX-License-Identifier: GPL-2.0-only
#
# Commands for people; `make help` lists them. Which objects make which module is
# in Kbuild.

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
# Where the built .ko files are, for `make install`.
MODULES ?= $(CURDIR)

LANE ?= uml stock stock61

.PHONY: all clean install uninstall check check-debug check-smp check-kcsan kunit coverage conformance manual docs lint demo bench \
	fault-table deb rpm help

all:
	@scripts/install/kernel-check '$(KDIR)'
	@$(MAKE) -C '$(KDIR)' M='$(CURDIR)' modules || \
		{ scripts/install/kernel-check --failed '$(KDIR)'; exit 1; }

clean:
	@$(MAKE) -C '$(KDIR)' M='$(CURDIR)' clean

install:
	@scripts/install/install '$(KDIR)' '$(MODULES)' '$(INSTALL_MOD_PATH)'

uninstall:
	@scripts/install/uninstall '$(KDIR)' '$(INSTALL_MOD_PATH)'

deb:
	@scripts/package/deb

rpm:
	@scripts/package/rpm

export CASE PROVIDER PEERS MODS JOBS ALL RUNS AGAIN

check:
	@scripts/lab/run $(LANE)

check-debug:
	@LINT=no ALL=yes scripts/lab/run umldbg

check-smp:
	@LINT=no scripts/lab/run smpdbg

check-kcsan:
	@LINT=no scripts/lab/run kcsan

kunit:
	@CASE=kunit scripts/lab/run uml

coverage:
	@scripts/lab/coverage

conformance:
	@scripts/conformance check

manual:
	@scripts/manual write

docs:
	@scripts/docs/build '$(or $(O),build/docs)'

lint:
	@CASE=lint scripts/lab/run uml

demo:
	@scripts/demo.sh

bench:
	@scripts/bench/run $(BENCH)

fault-table:
	@scripts/lab/fault-table

help:
	@sed 's/^# \{0,1\}//; 1d' scripts/make-help
