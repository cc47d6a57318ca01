"""Define the views of the templates of the system, its services, VLANs and VRFs."""

from collections.abc import Mapping
from typing import Any, ClassVar

from fabricgen.core.provenance import Block, Provenance, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.settings.ports import Errdisable
from fabricgen.model.settings.setting import Resolved
from fabricgen.nos.eos.view.qos import Memory


@record(eq=False, kw_only=True)
class LoginServer:
    """A server that is asked who may log in; `key` as EOS keeps it, type 7."""

    protocol: str
    address: str
    key: str


@record(eq=False, kw_only=True)
class Login(Block):
    """Who says whether a person may log in; `methods` are asked in turn, local accounts last."""

    vrf: str
    servers: tuple[LoginServer, ...]
    methods: str


@record(eq=False)
class Reason(Block):
    """Lines that are the same wherever they stand."""


@record(eq=False)
class Tracking(Block):
    """Ports go down with the uplinks. recovery: seconds that they stay down when those are back."""

    recovery: int | None


@record(eq=False)
class Entry:
    """One entry of a list that EOS numbers. because: where it is other than the list's."""

    sequence: int
    text: str
    because: Provenance | None = None


@record(eq=False, kw_only=True)
class Basis(SharedBlock):
    """What every EOS switch is told first; the VLANs from first to last are for routed ports."""

    first: int
    last: int
    spanning_tree: str


@record(eq=False, kw_only=True)
class User:
    """A local account; `login` is its secret, or that it has none."""

    name: str
    level: int
    role: str
    login: str
    ssh_key: str | None


@record(eq=False)
class Accounts(SharedBlock):
    """The local accounts."""

    users: tuple[User, ...]


@record(eq=False, kw_only=True)
class Network(SharedBlock):
    """The management VRF and its default gateway; LLDP, SSH and eAPI live there.

    tls: eAPI shows the certificate of the SSL profile. restricted: only who is on a list may use
    eAPI and SSH.
    """

    vrf: str
    gateway: str
    tls: bool
    restricted: bool


@record(eq=False)
class Admitted(SharedBlock):
    """Who may manage the switch."""

    entries: tuple[Entry, ...]


@record(eq=False, kw_only=True)
class Carried(SharedBlock):
    """A setting as the intent has it.

    Attributes:
        vrf: VRF in which the switch reaches servers.
        restricted: Only networks on a list may manage the switch.
        value: Value of the setting.
        word: Name of the interface of logs in the train.
    """

    vrf: str
    restricted: bool
    value: Any
    word: str


@record(eq=False, kw_only=True)
class Ptp(Block):
    """A boundary clock; domain: unless it is that of EOS, 0."""

    domain: int | None
    priority: int


@record(eq=False)
class TerminAttr(SharedBlock):
    """What streams state to CloudVision, with its options as the daemon takes them."""

    options: str


@record(eq=False, kw_only=True)
class Gnmi(SharedBlock):
    """The gNMI server and, when they are known, the collectors that may connect.

    tls: it shows the certificate of the SSL profile. listed: the access list of the server.
    """

    vrf: str
    port: int
    tls: bool
    collectors: tuple[Entry, ...]
    listed: str | None


@record(eq=False, kw_only=True)
class Services:
    """The basis and the services of a site. carried: settings by their keys.

    acl: the gNMI server, where it has an access list.
    radius, tacacs: servers of the protocol, where there are any.
    """

    shared: ClassVar[bool] = True
    basis: Basis
    network: Network
    accounts: Accounts | None
    carried: Mapping[str, Carried]
    terminattr: TerminAttr | None
    gnmi: Gnmi | None
    acl: Gnmi | None
    admitted: Admitted | None
    login: Login
    radius: Carried | None
    tacacs: Carried | None


@record()
class Querier:
    """Who asks the servers of a VLAN for their groups: from the gateway's address, every leaf."""

    vlan: int
    address: str


@record(eq=False)
class Snooping(SharedBlock):
    """The VLANs whose groups go to members alone; the same on leafs with the same VLANs."""

    queriers: tuple[Querier, ...]


@record(eq=False, kw_only=True)
class System(Block):
    """The head of the file; the memory profile stands in it. tracking: ports go with uplinks.

    recovery: ports that went down come back by themselves.
    """

    hostname: str
    services: Services
    tracking: Tracking | None
    recovery: Resolved[Errdisable] | None
    snooping: Snooping | None
    memory: Memory | None
    relay: Reason | None


@record(eq=False, kw_only=True)
class Vlan(Block):
    """A VLAN; one without `vni` is local to its switch."""

    id: int
    name: str
    vni: int | None


@record(eq=False)
class Vrf(Block):
    """The VRF of a tenant."""

    name: str
    vni: int


@record(eq=False, kw_only=True)
class VrfInstance(Block):
    """A VRF, described where its tenant is; that of the management port does not route."""

    name: str
    routes: bool
    description: str | None = None


@record(eq=False, kw_only=True)
class Vrfs(Block):
    """All VRFs, the management VRF among them, by name.

    over_ipv6: interfaces without IPv4 addresses forward IPv4, too.
    """

    instances: tuple[VrfInstance, ...]
    over_ipv6: bool


@record(eq=False)
class IPv6(Block):
    """Where IPv6 is routed: in the whole switch, and in VRFs."""

    everywhere: bool
    vrfs: tuple[str, ...]


@record(eq=False)
class AnycastMac(Block):
    """The MAC address of all anycast gateways."""

    mac: str


@record(eq=False)
class Hash(Block):
    """The fields that choose among equal paths, where they are not those of EOS."""

    fields: str


@record(eq=False)
class Rule(Block):
    """One line of an access list, and the flow that it is there for."""

    sequence: int
    text: str


@record(eq=False, kw_only=True)
class AccessList(Block):
    """What may come in at one place. family: ip or ipv6."""

    family: str
    name: str
    rules: tuple[Rule, ...]


@record(eq=False, kw_only=True)
class Zones(SharedBlock):
    """The access lists of a switch: those for IPv6 stand first, then by name."""

    lists: tuple[AccessList, ...]


@record(eq=False, kw_only=True)
class Mlag(Block):
    """What a leaf of an MLAG pair says of the other. own, others: seconds, see `mlag.py`."""

    domain: str
    peer: str
    bundle: int
    own: int
    others: int


@record(kw_only=True)
class Static(Block):
    """A static route of a VRF. family: ip or ipv6.

    port: what it leaves by, before its next hop; empty where nothing is said.
    """

    family: str
    vrf: str
    prefix: str
    by: str
    port: str = ""


@record(eq=False, kw_only=True)
class Tenancy:
    """VLANs, VRFs and the routing between them, alike on switches with the same tenants.

    queue_pairs: equal paths are chosen by RoCE's queue pair as well. by_load: and by load. hashed:
    by a part of the five-tuple. peer: the switch is of an MLAG pair. joined: the VLANs of VRFs on
    its peer link. routes: told by hand, that of the management VRF among them.
    """

    shared: ClassVar[bool] = True
    services: Services
    queue_pairs: Reason | None
    by_load: Reason | None
    hashed: Hash | None
    peer: Reason | None
    joined: tuple[Vlan, ...]
    vlans: tuple[Vlan, ...]
    vrfs: Vrfs
    mac: AnycastMac | None
    ipv6: IPv6 | None
    zones: Zones | None
    routes: tuple[Static, ...]
