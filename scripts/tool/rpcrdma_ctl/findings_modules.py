# SPDX-License-Identifier: GPL-2.0-only
"""Findings about the modules: which are installed, which are loaded."""

import re
import shlex

from .model import ERROR, WARNING, Finding, here

# The series of kernels that the packages build modules for, as in scripts/package/dkms.conf.in
OLDEST = (6, 1)
NEWEST = (7, 3)


def users_stop(facts):
    """Commands that stop the users of the modules, so that they can be unloaded."""
    stop = [f"umount {shlex.quote(mount.directory)}" for mount in reversed(facts.mounts)]
    return stop + (["systemctl stop nfs-server"] if rdma_listeners(facts) else [])


def users_start(facts):
    return ((["systemctl start nfs-server"] if rdma_listeners(facts) else []) +
            [f"mount -t nfs -o {shlex.quote(mount.options)} {shlex.quote(mount.source)} "
             f"{shlex.quote(mount.directory)}" for mount in facts.mounts])


def rdma_listeners(facts):
    return [port for name, port in facts.nfsd.listeners if name.startswith("rdma")]


def change_over(facts, *loaded):
    """Unload the loaded modules, load the installed ones."""
    return here(*users_stop(facts), f"rmmod {' '.join(loaded)}", "modprobe rpcrdma", *users_start(facts))


def ours_run(facts):
    core = facts.modules["rpcrdma"]
    return core.loaded and "rpcrdma.probe_seconds" in facts.settings


def modules(facts):
    core = facts.modules["rpcrdma"]
    if facts.builtin:
        return [Finding("module-builtin", ERROR,
                        f"kernel {facts.release} has its own rpcrdma built in, which no module can replace",
                        here("zgrep SUNRPC_XPRT_RDMA /boot/config-*   # and boot a kernel with =m"))]
    return (unsupported(facts) or rejected(facts) or other_rdma_core(facts, core) or intree_runs(facts, core)
            or not_installed(facts) or stale(facts) or half_loaded(facts))


def is_built_for(release):
    series = re.match(r"(\d+)\.(\d+)", release)
    return bool(series) and OLDEST <= tuple(int(number) for number in series.groups()) <= NEWEST


def dotted(series):
    return ".".join(str(number) for number in series)


def unsupported(facts):
    """Modules that were built for another kernel nevertheless, by hand, are installed or run."""
    built = ours_run(facts) or any(one.file_ours for one in facts.modules.values())
    if built or is_built_for(facts.release):
        return []
    runs = "; its own rpcrdma is loaded" if facts.modules["rpcrdma"].loaded else ""
    return [Finding("kernel-unsupported", ERROR,
                    f"no package builds the modules for kernel {facts.release}, only for kernels from "
                    f"{dotted(OLDEST)} to {dotted(NEWEST)}{runs}",
                    here("grub-reboot ENTRY && reboot   # RHEL: grub2-reboot; of one of these kernels"))]


def rejected(facts):
    """With Secure Boot or module.sig_enforce=1; a module that is loaded has been accepted."""
    installed = [one for one in facts.modules.values() if one.file_ours]
    if not facts.signed_only or ours_run(facts):
        return []
    unsigned = [one.name for one in installed if not one.signer]
    if unsigned:
        return [Finding("module-rejected", ERROR,
                        "this kernel loads only modules that are signed with a key it trusts, and "
                        f"{' and '.join(unsigned)} {'is' if len(unsigned) == 1 else 'are'} not signed",
                        rebuild_commands(facts))]
    unknown = [one.signer for one in installed if not any(one.signer in key for key in facts.keys)]
    if unknown:
        return [Finding("module-rejected", ERROR,
                        "this kernel loads only modules that are signed with a key it trusts, and it does not "
                        f"trust the key of \"{unknown[0]}\", which has signed the installed modules",
                        here(f"mokutil --import {certificate(facts)}",
                             "reboot   # and choose Enroll MOK"))]
    return []


def other_rdma_core(facts, core):
    replaced = not facts.rdma_core.startswith("kernel/")
    if not core.file_ours or not facts.rdma_core or replaced == bool(core.rdma_headers):
        return []
    built_for = core.rdma_headers or "the kernel's own"
    return [Finding("rdma-core-replaced", ERROR,
                    f"the RDMA core is {facts.rdma_core}{' (DOCA or MLNX_OFED)' if replaced else ''}, but the "
                    f"installed modules were built for {built_for}", rebuild_commands(facts))]


def certificate(facts):
    return "/var/lib/dkms/mok.pub" if facts.dkms else "FILE   # the certificate of that key"


def by_hand(facts):
    return f"make && make install   # in the sources, or install kmod-rpcrdma for {facts.release}"


def rebuild_commands(facts):
    if not facts.dkms:
        return here(by_hand(facts))
    return here(*(f"dkms {command} --force rpcrdma/$(modinfo -F version rpcrdma) -k {facts.release}"
                  for command in ("build", "install")))


def intree_runs(facts, core):
    if not core.loaded or ours_run(facts):
        return []
    if core.file_ours:
        return [Finding("module-intree", ERROR,
                        "the kernel's own rpcrdma is loaded, although ours is installed",
                        change_over(facts, "rpcrdma"))]
    return [Finding("module-intree", ERROR,
                    f"the kernel's own rpcrdma is loaded, and ours is not installed for kernel {facts.release}",
                    install_commands(facts) + change_over(facts, "rpcrdma"))]


def install_commands(facts):
    return here(f"dkms autoinstall -k {facts.release}" if facts.dkms else by_hand(facts))


def not_installed(facts):
    missing = [name for name, one in facts.modules.items() if not one.file_ours]
    if not missing:
        return []
    if facts.other_releases:
        return [Finding("package-stale", ERROR,
                        f"the modules are installed for kernel {', '.join(facts.other_releases)}, not for "
                        f"{facts.release}, which runs", install_commands(facts))]
    if ours_run(facts):
        return [Finding("module-missing", WARNING,
                        f"the modules run, but are not installed for kernel {facts.release}: after the next "
                        "boot the kernel's own is what loads", install_commands(facts))]
    return [Finding("module-missing", ERROR,
                    f"{' and '.join(missing)} not installed for kernel {facts.release}",
                    install_commands(facts))]


def stale(facts):
    running = [one for one in facts.modules.values() if one.loaded]
    old = [one.name for one in running
           if one.srcversion and one.file_srcversion
           and (one.srcversion, one.version) != (one.file_srcversion, one.file_version)]
    if not old:
        return []
    unload = [name for name in ("svcrdma", "xprtrdma", "rpcrdma") if facts.modules[name] in running]
    return [Finding("package-stale", WARNING,
                    f"another version of {' and '.join(old)} is loaded than the one that is installed",
                    change_over(facts, *unload))]


def half_loaded(facts):
    """The module of a side that is in use must be loaded; modprobe does that."""
    needed = {"xprtrdma": bool(facts.mounts),
              "svcrdma": bool(rdma_listeners(facts))}
    lost = [name for name, wanted in needed.items() if wanted and not facts.modules[name].loaded]
    if not lost:
        return []
    return [Finding("module-missing", ERROR, f"{' and '.join(lost)} not loaded, although in use",
                    here(*(f"modprobe {name}" for name in lost)))]
