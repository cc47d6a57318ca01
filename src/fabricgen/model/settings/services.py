"""Declares the services of every switch of a site: time, logs, DNS, logins and monitoring."""

from typing import ClassVar, Literal

from fabricgen.core.record import record
from fabricgen.model.settings.setting import (
    Address,
    DomainName,
    Name,
    SafeText,
    Secret,
    keys,
    required,
    setting,
)

LOGIN = r"^[a-z_][a-z0-9_-]{0,31}$"
STORED = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,55}\.[A-Za-z0-9]{1,8}$"
SNMP_USER = r"^[a-zA-Z][a-zA-Z0-9_-]{3,31}$"
"""sonic-snmp.yang asks for 4 to 32 characters."""
_MOST_SERVERS = 8
"""max-elements of TACPLUS_SERVER and RADIUS_SERVER (sonic-system-tacacs.yang, -radius.yang)."""

_LONGEST_DN = 65
"""sonic-system-ldap.yang, base_dn and bind_dn."""


@record(kw_only=True)
class Ptp:
    """Precise time by PTP (IEEE 1588, its default profile): each switch is a boundary clock."""

    domain: int = setting(
        0, "Domain, the same at grandmaster and servers.", fact="domain", ge=0, le=127
    )
    fabrics: tuple[Name, ...] = required(
        "Fabrics through which time goes: every link between their switches, and the ports of "
        "servers that say `ptp`.",
        min_length=1,
        max_length=16,
    )


@record(kw_only=True)
class SnmpUser:
    """A user of SNMP v3: SHA authenticates, AES with 128 bits hides, which all platforms have."""

    name: str = required("Name, 4 to 32 characters.", pattern=SNMP_USER)
    auth: Secret = required("", fact="auth")
    privacy: Secret = required("", fact="privacy")


@record(kw_only=True)
class SnmpTraps:
    """Where switches send traps of version 3, by themselves."""

    targets: tuple[Address, ...] = required("Who gets them.", min_length=1, max_length=8)
    user: str = required("The user they are sent as.", fact="user", pattern=SNMP_USER)


@record(kw_only=True)
class Snmp:
    """SNMP read access for collectors: by users of version 3, or by a community of version 2c."""

    community: Secret | None = setting(
        None, "Reference to the community of version 2c, which is sent in the clear.",
        fact="community",
    )  # fmt: skip
    users: tuple[SnmpUser, ...] = setting((), "Users of version 3.")
    traps: SnmpTraps | None = setting(None, "Traps, off unless given.")
    location: SafeText | None = setting(None, "sysLocation text.", fact="location")
    contact: SafeText | None = setting(None, "sysContact text.", fact="contact")


@record(kw_only=True)
class Telemetry:
    """gNMI: which collectors may connect."""

    port: int = setting(
        6030, "TCP port the gNMI server listens on.", fact="port", ge=1024, le=65535
    )
    collectors: tuple[Address, ...] = setting((), "Addresses of the gNMI collectors.")


@record(kw_only=True)
class Sflow:
    """Samples of packets, of every port in use, to collectors by sFlow (UDP 6343)."""

    collectors: tuple[Address, ...] = required(
        "Addresses; SONiC takes two (sonic-sflow.yang).", min_length=1, max_length=2
    )
    rate: int = required(
        "One packet in this many: EOS takes no fewer, SONiC no more.",
        fact="rate",
        ge=16_384,
        le=8_388_608,
    )


@record(kw_only=True)
class CloudVision:
    """CloudVision, to which EOS streams its state by TerminAttr, and which it dials itself."""

    servers: tuple[Address, ...] = required("Its addresses.", min_length=1, max_length=3)
    port: int = setting(9910, "TCP port of CloudVision's ingest.", ge=1, le=65535)


@record(kw_only=True)
class Tls:
    """The certificate that eAPI and gNMI show: files in the switch's own store, put there before.

    On EOS `copy … certificate:` and `copy … sslkey:`. A file that is not there closes both.
    """

    certificate: str = required("File of the certificate.", fact="certificate", pattern=STORED)
    key: str = required("File of its private key.", fact="key", pattern=STORED)


@record(kw_only=True)
class LocalUser:
    """A local account: a reference to its password hash, a public key, or both."""

    name: str = required("Login name.", pattern=LOGIN)
    role: Literal["admin", "operator"] = setting("admin", "What the account may do.", fact="role")
    password_hash: Secret | None = setting(
        None, "Reference to the SHA-512 crypt hash of the password.", fact="hash"
    )
    ssh_key: SafeText | None = setting(None, "Public SSH key of the account.", fact="key")


@record(kw_only=True)
class LoginServers:
    """Servers of one protocol, asked in this order through the management VRF."""

    in_vrf: ClassVar[bool] = True
    """Files state the VRF of each server."""
    servers: tuple[Address, ...] = required(
        "Addresses, the first one asked first.", min_length=1, max_length=_MOST_SERVERS
    )
    key: Secret = required("")


@record(kw_only=True)
class LdapServers(LoginServers):
    """LDAP servers, asked in this order on port 389; `key` is the password of `bind_dn`."""

    in_vrf = False
    base_dn: SafeText = required(
        "Where accounts stand: `dc=example,dc=net`.", fact="base", max_length=_LONGEST_DN
    )
    bind_dn: SafeText = required(
        "Account that searches there.", fact="bind", max_length=_LONGEST_DN
    )


@record(kw_only=True)
class Aaa:
    """Central login. Local accounts come last, always: without any server people get in."""

    tacacs: LoginServers | None = setting(None, "TACACS+ servers.")
    radius: LoginServers | None = setting(None, "RADIUS servers.")
    ldap: LdapServers | None = setting(None, "LDAP servers.")
    order: tuple[Literal["tacacs", "radius", "ldap"], ...] = setting(
        (),
        "Which protocol is asked first, where both have servers; default: TACACS+. The next one is "
        "asked when none of its servers answers, and local accounts in the end.",
    )

    @property
    def login(self) -> dict[str, LoginServers]:
        """Return the servers by protocol, in the order in which they are asked."""
        every = {key: getattr(self, key) for key in protocols()}
        found = {name: servers for name, servers in every.items() if servers is not None}
        return {name: found[name] for name in self.order or found if name in found}


def protocols() -> tuple[str, ...]:
    """Return the protocols of central login, in the order in which they are asked by default."""
    return tuple(each.key for each in keys(Aaa) if each.inner is not None)


@record(kw_only=True)
class Management:
    """The management network and the services reached through it."""

    ntp: tuple[Address, ...] = setting(
        (), "NTP servers.", fact="ntp", feature="ntp", per_entry=True
    )
    syslog: tuple[Address, ...] = setting(
        (), "Syslog servers.", fact="syslog", feature="syslog", per_entry=True
    )
    dns: tuple[Address, ...] = setting(
        (), "DNS servers.", fact="dns", feature="dns", per_entry=True
    )
    domain: DomainName | None = setting(
        None, "DNS domain of the switches.", fact="domain", feature="dns-domain"
    )
    banner: SafeText | None = setting(
        None, "One-line login banner.", fact="banner", feature="banner"
    )
    ptp: Ptp | None = setting(None, "PTP, off unless given; switches go by NTP.")
    snmp: Snmp | None = setting(None, "SNMP, off unless given.")
    gnmi: Telemetry | None = setting(None, "gNMI, off unless given.", feature="gnmi")
    sflow: Sflow | None = setting(None, "Samples of packets, off unless given.", feature="sflow")
    queue_monitor: bool = setting(
        default=False,
        text="Switches record when an output queue is deep, off unless given.",
        fact="queue-monitor",
        feature="queue-monitor",
    )
    cloudvision: CloudVision | None = setting(
        None, "CloudVision, off unless given.", feature="cloudvision"
    )
    tls: Tls | None = setting(
        None, "Certificate of eAPI and gNMI; default: the switch's own.", feature="tls"
    )
    users: tuple[LocalUser, ...] = setting((), "Local accounts.", feature="local-users")
    aaa: Aaa | None = setting(None, "Central login; local accounts alone unless given.")
