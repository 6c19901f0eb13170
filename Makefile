# SPDX-License-Identifier: GPL-2.0-only
#
# Commands for people; `make help` lists them. Which objects make which module is
# in Kbuild.

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
# Where the built .ko files are, for `make install`.
MODULES ?= $(CURDIR)
# Where DOCA and MLNX_OFED, which replace the kernel's RDMA core, have their headers.
OFED ?= /usr/src/ofa_kernel

.PHONY: all clean install uninstall check check-debug check-smp check-kcsan check-strict kunit coverage conformance manual docs lint selftest \
	userspace fuzz userspace-coverage proofs models mutants mutants-device reach \
	demo bench fault-table kernel-table interop deb rpm kmod-rpm help

# The lab's scripts take options. These variables are the same as options:
#   make check CASE=smoke LANE=uml  is  scripts/tests/lab/run --case=smoke --lane=uml
# Not those that make itself defines, as LINT.
option = $(if $(filter-out default,$(origin $(2))),$(if $($(2)),--$(1)='$($(2))'))
CHOICE = $(call option,case,CASE) $(call option,provider,PROVIDER) $(call option,modules,MODS) \
	$(call option,jobs,JOBS)
RUN = scripts/tests/lab/run $(CHOICE) $(call option,version,VERSION) $(call option,length,LENGTH) \
	$(call option,peers,PEERS) $(call option,list,LIST) $(call option,strict,STRICT) \
	$(call option,cpus,CPUS) $(call option,missing,MISSING) \
	$(call option,outdated,OUTDATED) \
	$(call option,parameters,PARAMETERS)

all:
	@scripts/package/install/kernel-check '$(KDIR)'
	@headers=$$(scripts/package/install/rdma-headers '$(KDIR)' '$(OFED)' '$(INSTALL_MOD_PATH)') || exit; \
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)' modules \
		$${headers:+RDMA_HEADERS=$$headers KBUILD_EXTRA_SYMBOLS=$$headers/Module.symvers} || \
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

kmod-rpm:
	@scripts/package/rpm -k '$(KDIR)' $(if $(SIGN_KEY),-s '$(SIGN_KEY)') $(if $(SIGN_CERT),-c '$(SIGN_CERT)')

check:
	@$(RUN) $(call option,lane,LANE) $(call option,all,ALL) $(call option,lint,LINT) \
		$(call option,turn,TURN)

check-debug:
	@$(RUN) --lane=umldbg --all --no-lint

check-smp:
	@$(RUN) --lane=smpdbg --no-lint $(call option,all,ALL)

check-kcsan:
	@$(RUN) --lane=kcsan --no-lint $(call option,all,ALL)

check-strict:
	@scripts/tests/lab/check-strict $(call option,case,CASE) $(call option,lane,LANE) \
		$(call option,provider,PROVIDER) $(call option,profile,PROFILE) $(call option,jobs,JOBS) \
		$(call option,missing,MISSING) $(call option,list,LIST)

kunit:
	@scripts/tests/lab/run --case=kunit --lane=uml $(call option,jobs,JOBS)

userspace:
	@scripts/tests/userspace/kunit-run

fuzz:
	@scripts/tests/userspace/fuzz-run $(call option,time,TIME) $(call option,target,TARGET) \
		$(call option,seed,SEED) $(call option,jobs,JOBS)

userspace-coverage:
	@scripts/tests/userspace/coverage

mutants:
	@scripts/tests/mutation/mutants $(call option,file,FILE) $(call option,only,ONLY) \
		$(call option,deep,DEEP) $(call option,write,WRITE) $(call option,list,LIST) \
		$(call option,jobs,JOBS)

mutants-device:
	@scripts/tests/mutation/device-mutants $(call option,count,COUNT) $(call option,seed,SEED) \
		$(call option,file,FILE) $(call option,only,ONLY) $(call option,lane,LANE) \
		$(call option,list,LIST) $(call option,jobs,JOBS) $(call option,most,MOST) \
		$(call option,kept,KEPT) $(call option,write,WRITE)

reach:
	@scripts/tests/mutation/reach $(call option,case,CASE) $(call option,lane,LANE) \
		$(call option,provider,PROVIDER) \
		$(call option,jobs,JOBS) $(call option,all,ALL) $(call option,never,NEVER)

models:
	@scripts/tests/models/run $(call option,name,NAME)

proofs:
	@scripts/tests/proofs/run $(call option,name,NAME) $(call option,time,TIME) \
		$(call option,bound,BOUND) $(call option,planted,PLANTED) $(call option,again,AGAIN) \
		$(call option,trace,TRACE) $(call option,record,RECORD)

lint:
	@scripts/tests/lab/run --case=lint $(call option,jobs,JOBS)

selftest:
	@scripts/tests/lab/selftest

coverage:
	@scripts/tests/lab/coverage

conformance:
	@scripts/docs/conformance check

manual:
	@scripts/docs/manual write

docs:
	@scripts/docs/build '$(or $(O),build/docs)'

demo:
	@scripts/tests/demo.sh $(LANE)

bench:
	@scripts/bench/run $(BENCH)

fault-table:
	@scripts/tests/lab/fault-table $(CHOICE) $(call option,runs,RUNS) $(call option,again,AGAIN)

kernel-table:
	@scripts/tests/lab/kernel-table record $(JUNIT)

interop:
	@scripts/tests/lab/interop $(CHOICE) $(call option,lane,LANE) $(call option,peers,PEERS)

help:
	@sed 's/^# \{0,1\}//; 1d' scripts/make-help
