"""What the templates of the system, its services, VLANs and VRFs may see."""

from typing import ClassVar

from fabricgen.fabric.because import Because
from fabricgen.fabric.port_profile import Recovery
from fabricgen.nos.eos.view.qos import Memory
from fabricgen.record import record


@record(eq=False, kw_only=True)
class LoginServer:
    """A server that is asked who may log in; `key` as EOS keeps it, type 7."""

    protocol: str
    address: str
    key: str


@record(eq=False, kw_only=True)
class Login:
    """Who says whether a person may log in; `methods` are asked in turn, local accounts last."""

    because: Because
    vrf: str
    servers: tuple[LoginServer, ...]
    methods: str


@record(eq=False)
class Reason:
    """Lines that are the same wherever they stand."""

    because: Because


@record(eq=False)
class Tracking:
    """Ports go down with the uplinks. recovery: seconds that they stay down when those are back."""

    because: Because
    recovery: int | None


@record(eq=False)
class Entry:
    """One entry of a list that EOS numbers. because: where it is other than the list's."""

    sequence: int
    text: str
    because: Because | None = None


@record(eq=False, kw_only=True)
class Basis:
    """What every EOS switch is told first; the VLANs from first to last are for routed ports."""

    shared: ClassVar[bool] = True
    because: Because
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
class Accounts:
    """The local accounts."""

    shared: ClassVar[bool] = True
    because: Because
    users: tuple[User, ...]


@record(eq=False, kw_only=True)
class Network:
    """The management VRF and its default gateway; LLDP, SSH and eAPI live there.

    tls: eAPI shows the certificate of the SSL profile. restricted: only who is on a list may use
    eAPI and SSH.
    """

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    gateway: str
    tls: bool
    restricted: bool


@record(eq=False)
class Admitted:
    """Who may manage the switch."""

    shared: ClassVar[bool] = True
    because: Because
    entries: tuple[Entry, ...]


@record(eq=False)
class Hosts:
    """Servers of one kind, reached through the management VRF."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    addresses: tuple[str, ...]


@record(eq=False, kw_only=True)
class Syslog:
    """Where logs go; word: how the train calls the interface that they leave by."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    addresses: tuple[str, ...]
    word: str


@record(eq=False)
class Text:
    """One line of text: the DNS domain, the login banner."""

    shared: ClassVar[bool] = True
    because: Because
    text: str


@record(eq=False, kw_only=True)
class SnmpUser:
    """A user of SNMP v3."""

    name: str
    auth: str
    privacy: str


@record(eq=False)
class Traps:
    """Who gets traps, and as which user they are sent."""

    user: str
    targets: tuple[str, ...]


@record(eq=False, kw_only=True)
class Snmp:
    """SNMP read access, and traps."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    community: str | None
    users: tuple[SnmpUser, ...]
    traps: Traps | None
    contact: str | None
    location: str | None
    restricted: bool


@record(eq=False, kw_only=True)
class Sflow:
    """Samples of packets, one in `rate`."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    rate: int
    polling: int
    collectors: tuple[str, ...]


@record(eq=False, kw_only=True)
class Ptp:
    """A boundary clock; domain: unless it is that of EOS, 0."""

    because: Because
    domain: int | None
    priority: int


@record(eq=False)
class TerminAttr:
    """What streams state to CloudVision, with its options as the daemon takes them."""

    shared: ClassVar[bool] = True
    because: Because
    options: str


@record(eq=False)
class Tls:
    """The SSL profile of eAPI and gNMI: files in the switch's certificate store."""

    because: Because
    certificate: str
    key: str


@record(eq=False, kw_only=True)
class Gnmi:
    """The gNMI server and, when they are known, the collectors that may connect.

    tls: it shows the certificate of the SSL profile. listed: the access list of the server.
    """

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    port: int
    tls: bool
    collectors: tuple[Entry, ...]
    listed: str | None


@record(eq=False, kw_only=True)
class Services:
    """The basis and the services of a site. acl: the gNMI server, where it has an access list.

    radius, tacacs: servers of the protocol, where there are any.
    """

    shared: ClassVar[bool] = True
    basis: Basis
    network: Network
    accounts: Accounts | None
    syslog: Syslog | None
    dns: Hosts | None
    domain: Text | None
    snmp: Snmp | None
    sflow: Sflow | None
    terminattr: TerminAttr | None
    banner: Text | None
    gnmi: Gnmi | None
    acl: Gnmi | None
    admitted: Admitted | None
    tls: Tls | None
    ntp: Hosts | None
    login: Login
    radius: Hosts | None
    tacacs: Hosts | None


@record()
class Querier:
    """Who asks the servers of a VLAN for their groups: from the gateway's address, every leaf."""

    vlan: int
    address: str


@record(eq=False)
class Snooping:
    """The VLANs whose groups go to members alone; the same on leafs with the same VLANs."""

    shared: ClassVar[bool] = True
    because: Because
    queriers: tuple[Querier, ...]


@record(eq=False, kw_only=True)
class System:
    """The head of the file; the memory profile stands in it. tracking: ports go with uplinks.

    recovery: ports that went down come back by themselves.
    """

    because: Because
    hostname: str
    services: Services
    tracking: Tracking | None
    recovery: Recovery | None
    snooping: Snooping | None
    memory: Memory | None
    relay: Reason | None


@record(eq=False, kw_only=True)
class Vlan:
    """A VLAN; one without `vni` is local to its switch."""

    because: Because
    id: int
    name: str
    vni: int | None


@record(eq=False)
class Vrf:
    """The VRF of a tenant."""

    because: Because
    name: str
    vni: int


@record(eq=False, kw_only=True)
class VrfInstance:
    """A VRF, described where its tenant is; that of the management port does not route."""

    because: Because
    name: str
    routes: bool
    description: str | None = None


@record(eq=False, kw_only=True)
class Vrfs:
    """All VRFs, the management VRF among them, by name.

    over_ipv6: interfaces without IPv4 addresses forward IPv4, too.
    """

    because: Because
    instances: tuple[VrfInstance, ...]
    over_ipv6: bool


@record(eq=False)
class IPv6:
    """Where IPv6 is routed: in the whole switch, and in VRFs."""

    because: Because
    everywhere: bool
    vrfs: tuple[str, ...]


@record(eq=False)
class AnycastMac:
    """The MAC address of all anycast gateways."""

    because: Because
    mac: str


@record(eq=False)
class Hash:
    """The fields that choose among equal paths, where they are not those of EOS."""

    because: Because
    fields: str


@record(eq=False)
class Rule:
    """One line of an access list, and the flow that it is there for."""

    because: Because
    sequence: int
    text: str


@record(eq=False, kw_only=True)
class AccessList:
    """What may come in at one place. family: ip or ipv6."""

    because: Because
    family: str
    name: str
    rules: tuple[Rule, ...]


@record(eq=False, kw_only=True)
class Zones:
    """The access lists of a switch: those for IPv6 stand first, then by name."""

    shared: ClassVar[bool] = True
    because: Because
    lists: tuple[AccessList, ...]


@record(eq=False, kw_only=True)
class Mlag:
    """What a leaf of an MLAG pair says of the other. own, others: seconds, see `mlag.py`."""

    because: Because
    domain: str
    peer: str
    bundle: int
    own: int
    others: int


@record(kw_only=True)
class Static:
    """A static route of a VRF. family: ip or ipv6.

    port: what it leaves by, before its next hop; empty where nothing is said.
    """

    because: Because
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
