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
    """An authentication server; `key` in EOS's form, type 7."""

    protocol: str
    address: str
    key: str


@record(eq=False, kw_only=True)
class Login(Block):
    """Authentication of people; `methods` in order, local accounts last."""

    vrf: str
    servers: tuple[LoginServer, ...]
    methods: str


@record(eq=False)
class Reason(Block):
    """Lines that are the same everywhere, with their reason."""


@record(eq=False)
class Tracking(Block):
    """Ports go down with the uplinks. `recovery`: seconds that they stay down after recovery."""

    recovery: int | None


@record(eq=False)
class Entry:
    """One entry of a list that EOS numbers. `because`: if it differs from the list's."""

    sequence: int
    text: str
    because: Provenance | None = None


@record(eq=False, kw_only=True)
class Basis(SharedBlock):
    """First lines of every EOS switch; the VLANs from first to last are for routed ports."""

    first: int
    last: int
    spanning_tree: str


@record(eq=False, kw_only=True)
class User:
    """A local account; `login` is its secret or `nopassword`."""

    name: str
    level: int
    role: str
    login: str
    ssh_key: str | None


@record(eq=False)
class Accounts(SharedBlock):
    users: tuple[User, ...]


@record(eq=False, kw_only=True)
class Network(SharedBlock):
    """The management VRF and its default gateway; LLDP, SSH and eAPI run there.

    `tls`: eAPI uses the certificate of the SSL profile. `restricted`: an access list limits the
    clients of eAPI and SSH.
    """

    vrf: str
    gateway: str
    tls: bool
    restricted: bool


@record(eq=False)
class Admitted(SharedBlock):
    """Networks that may manage the switch."""

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
    """A boundary clock. `domain`: empty for EOS's default, 0."""

    domain: int | None
    priority: int


@record(eq=False)
class TerminAttr(SharedBlock):
    """TerminAttr, which streams state to CloudVision, with the options of the daemon."""

    options: str


@record(eq=False, kw_only=True)
class Gnmi(SharedBlock):
    """The gNMI server and, if known, the collectors that may connect.

    `tls`: it uses the certificate of the SSL profile. `listed`: the access list of the server.
    """

    vrf: str
    port: int
    tls: bool
    collectors: tuple[Entry, ...]
    listed: str | None


@record(eq=False, kw_only=True)
class Services:
    """The basis and the services of a site. `carried`: settings by their keys.

    `acl`: the gNMI server, if it has an access list. `radius`, `tacacs`: servers of the protocol.
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
    """The querier of a VLAN's groups: every leaf, from the gateway's address."""

    vlan: int
    address: str


@record(eq=False)
class Snooping(SharedBlock):
    """The VLANs with snooping; the same on leafs with the same VLANs."""

    queriers: tuple[Querier, ...]


@record(eq=False, kw_only=True)
class System(Block):
    """The head of the file with the memory profile. `tracking`: ports go down with uplinks.

    `recovery`: ports recover automatically from errdisable.
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
    name: str
    vni: int


@record(eq=False, kw_only=True)
class VrfInstance(Block):
    """A VRF, described in its tenant; the management VRF does not route."""

    name: str
    routes: bool
    description: str | None = None


@record(eq=False, kw_only=True)
class Vrfs(Block):
    """All VRFs, the management VRF among them, by name.

    `over_ipv6`: interfaces without IPv4 addresses forward IPv4, too.
    """

    instances: tuple[VrfInstance, ...]
    over_ipv6: bool


@record(eq=False)
class IPv6(Block):
    """IPv6 routing: in the complete switch, and in VRFs."""

    everywhere: bool
    vrfs: tuple[str, ...]


@record(eq=False)
class AnycastMac(Block):
    """The MAC address of all anycast gateways."""

    mac: str


@record(eq=False)
class Hash(Block):
    """The hash fields for ECMP paths, if they differ from EOS's default."""

    fields: str


@record(eq=False)
class Rule(Block):
    """One line of an access list, and the flow that needs it."""

    sequence: int
    text: str


@record(eq=False, kw_only=True)
class AccessList(Block):
    """Permitted incoming packets of one interface. `family`: ip or ipv6."""

    family: str
    name: str
    rules: tuple[Rule, ...]


@record(eq=False, kw_only=True)
class Zones(SharedBlock):
    """The access lists of a switch: IPv6 first, then by name."""

    lists: tuple[AccessList, ...]


@record(eq=False, kw_only=True)
class Mlag(Block):
    """MLAG settings of a leaf. `own`, `others`: seconds, see `mlag.py`."""

    domain: str
    peer: str
    bundle: int
    own: int
    others: int


@record(kw_only=True)
class Static(Block):
    """A static route of a VRF. `family`: ip or ipv6.

    `port`: its exit, before the next hop, or empty.
    """

    family: str
    vrf: str
    prefix: str
    by: str
    port: str = ""


@record(eq=False, kw_only=True)
class Tenancy:
    """VLANs, VRFs and the routing between them, equal on switches with the same tenants.

    Attributes:
        queue_pairs, by_load: Whether ECMP paths are also selected by RoCE's queue pair, or by load.
        hashed: Selected fields of the five-tuple.
        peer: Reason of an MLAG pair.
        joined: VLANs of VRFs on its peer link.
        routes: Static routes, including the management VRF's.
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
