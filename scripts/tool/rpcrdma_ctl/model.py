# SPDX-License-Identifier: GPL-2.0-only
"""The facts about this machine, as plain data: facts.py gathers them, findings*.py evaluate them."""

from dataclasses import dataclass, field

NFS_RDMA_PORT = 20049
ROCE_UDP_PORT = 4791


@dataclass
class Module:
    """A kernel module: the loaded one, and the file that modprobe would load."""
    name: str
    loaded: bool = False
    srcversion: str = ""
    file: str = ""
    file_srcversion: str = ""
    file_ours: bool = False
    signer: str = ""            # of the file
    rdma_headers: str = ""      # that it was built with, if not with the kernel's
    version: str = ""
    file_version: str = ""


@dataclass
class Gid:
    gid: str            # as an IPv6 address
    kind: str           # "RoCE v2", "IB/RoCE v1", or "" where there are no kinds
    netdev: str


@dataclass
class Port:
    """A port of an RDMA device."""
    device: str
    number: int
    kind: str           # "InfiniBand", "RoCE", "iWARP"
    state: str          # "ACTIVE", "DOWN", ...
    software: bool = False
    stuck: bool = False     # its queue pair for connecting is in error
    netdevs: list = field(default_factory=list)
    gids: list = field(default_factory=list)

    def name(self):
        return f"{self.device}/{self.number}"


@dataclass
class Netdev:
    name: str
    up: bool                    # switched on, with a carrier
    mtu: int
    addresses: list = field(default_factory=list)
    enabled: bool = True        # switched on
    hardware: bool = False


@dataclass
class Mount:
    directory: str
    server: str
    port: int
    source: str = ""    # server and path, as mount takes them
    options: str = ""


@dataclass
class Nfsd:
    threads: int = 0
    listeners: list = field(default_factory=list)   # (transport, port)
    wanted_port: int = 0                            # by nfs.conf; 0: no rdma there
    exports: bool = False                           # this machine is to serve something


@dataclass
class Attempt:
    """The answer of a server to an attempt to connect."""
    server: str
    port: int
    outcome: str        # listening, absent, refused, silent, no-device, no-route, unknown
    detail: str = ""
    source: str = ""    # our address towards it
    netdev: str = ""    # our network device towards it
    alive: bool = False         # it answers ICMP echo
    mtu: int = 0                # of our network device
    peer_mtu: int = 0           # its answers come in fragments of that size
    large_lost: bool = False    # large packets are not answered, small ones are


@dataclass
class Facts:
    release: str = ""
    modules: dict = field(default_factory=dict)
    builtin: bool = False
    signed_only: bool = False                       # the kernel refuses modules without a key it trusts
    keys: list = field(default_factory=list)        # names of the keys that it trusts
    rdma_core: str = ""                             # file of ib_core, below /lib/modules/RELEASE
    dkms: bool = False                              # DKMS builds the modules
    other_releases: list = field(default_factory=list)
    ports: list = field(default_factory=list)
    netdevs: dict = field(default_factory=dict)
    mounts: list = field(default_factory=list)
    nfsd: Nfsd = field(default_factory=Nfsd)
    chains: list = field(default_factory=list)      # of firewall.py
    attempts: list = field(default_factory=list)
    connections: list = field(default_factory=list)  # of views.py
    credit_waits: dict = field(default_factory=dict)  # name: how many came while we looked
    more_credits: set = field(default_factory=set)  # names of those that got more while we looked
    settings: dict = field(default_factory=dict)    # "xprtrdma.versions": "1"
    traffic: list = None                            # rules of traffic.py; None: there is no file
    traffic_fault: str = ""                         # what is wrong with the file
    log: list = field(default_factory=list)         # recent lines of the kernel log
    notes: list = field(default_factory=list)       # what could not be looked at


@dataclass
class Command:
    text: str
    on: str = "this machine"    # or "the server", "the client"


@dataclass
class Finding:
    name: str
    severity: str       # ERROR: it does not work; WARNING: it works less well than it could
    text: str
    repair: list        # of Command, to be given in this order


ERROR, WARNING = "error", "warning"


def here(*texts):
    return [Command(text) for text in texts]


def there(on, *texts):
    return [Command(text, on) for text in texts]
