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
"""sonic-snmp.yang requires 4 to 32 characters."""
_MOST_SERVERS = 8
"""max-elements of TACPLUS_SERVER and RADIUS_SERVER (sonic-system-tacacs.yang, -radius.yang)."""

_LONGEST_DN = 65
"""sonic-system-ldap.yang, base_dn and bind_dn."""


@record(kw_only=True)
class Ptp:
    """Precise time by PTP (IEEE 1588, default profile): each switch is a boundary clock."""

    domain: int = setting(
        0, "PTP domain, the same on grandmasters and servers.", fact="domain", ge=0, le=127
    )
    fabrics: tuple[Name, ...] = required(
        "Fabrics with PTP on every link between switches and on server ports with `ptp`.",
        min_length=1,
        max_length=16,
    )


@record(kw_only=True)
class SnmpUser:
    """An SNMP v3 user with SHA and 128-bit AES, which all platforms support."""

    name: str = required("Name, 4 to 32 characters.", pattern=SNMP_USER)
    auth: Secret = required("", fact="auth")
    privacy: Secret = required("", fact="privacy")


@record(kw_only=True)
class SnmpTraps:
    """Receivers of SNMP v3 traps."""

    targets: tuple[Address, ...] = required(
        "Addresses of the receivers.", min_length=1, max_length=8
    )
    user: str = required("User that the traps are sent as.", fact="user", pattern=SNMP_USER)


@record(kw_only=True)
class Snmp:
    """SNMP read access for collectors, by version 3 users or by a version 2c community."""

    community: Secret | None = setting(
        None, "Reference to the version 2c community, which is sent in clear text.",
        fact="community",
    )  # fmt: skip
    users: tuple[SnmpUser, ...] = setting((), "Users of version 3.")
    traps: SnmpTraps | None = setting(None, "Traps. Default: off.")
    location: SafeText | None = setting(None, "sysLocation text.", fact="location")
    contact: SafeText | None = setting(None, "sysContact text.", fact="contact")


@record(kw_only=True)
class Telemetry:
    """gNMI server and its permitted collectors."""

    port: int = setting(6030, "TCP port of the gNMI server.", fact="port", ge=1024, le=65535)
    collectors: tuple[Address, ...] = setting((), "Addresses of the gNMI collectors.")


@record(kw_only=True)
class Netconf:
    """NETCONF server over SSH (RFC 6242), in the management VRF."""

    port: int = setting(830, "TCP port of the NETCONF server.", fact="port", ge=1, le=65535)


@record(kw_only=True)
class Restconf:
    """RESTCONF server over HTTPS (RFC 8040), in the management VRF. On EOS it needs `tls`."""

    port: int = setting(
        6040,
        "TCP port of the RESTCONF server. EOS's control plane refuses EOS's own default, 6020.",
        fact="port",
        ge=1024,
        le=65535,
    )


@record(kw_only=True)
class Sflow:
    """Packet samples of every port in use for collectors, by sFlow (UDP 6343)."""

    collectors: tuple[Address, ...] = required(
        "Addresses. SONiC supports two (sonic-sflow.yang).", min_length=1, max_length=2
    )
    rate: int = required(
        "Sample one packet in this many. The limits are the minimum of EOS and the maximum of "
        "SONiC.",
        fact="rate",
        ge=16_384,
        le=8_388_608,
    )
    drops: int | None = setting(
        None,
        "Report dropped packets to the collectors, at most this many per second. Default: off.",
        fact="limit",
        ge=1,
        le=500,
    )


@record(kw_only=True)
class CloudVision:
    """CloudVision servers, to which EOS connects and streams its state by TerminAttr."""

    servers: tuple[Address, ...] = required("Addresses of CloudVision.", min_length=1, max_length=3)
    port: int = setting(9910, "TCP port of CloudVision ingest.", ge=1, le=65535)


@record(kw_only=True)
class Tls:
    """Certificate of eAPI, gNMI and RESTCONF: files in the switch's store, copied there before.

    On EOS use `copy … certificate:` and `copy … sslkey:`. A missing file closes the servers.
    """

    certificate: str = required("File of the certificate.", fact="certificate", pattern=STORED)
    key: str = required("File of its private key.", fact="key", pattern=STORED)


@record(kw_only=True)
class LocalUser:
    """A local account: a reference to its password hash, a public key, or both."""

    name: str = required("Login name.", pattern=LOGIN)
    role: Literal["admin", "operator"] = setting(
        "admin", "Permissions of the account.", fact="role"
    )
    password_hash: Secret | None = setting(
        None, "Reference to the SHA-512 crypt hash of the password.", fact="hash"
    )
    ssh_key: SafeText | None = setting(None, "Public SSH key of the account.", fact="key")


@record(kw_only=True)
class LoginServers:
    """Servers of one protocol, asked in this order through the management VRF."""

    in_vrf: ClassVar[bool] = True
    """Facts state the VRF of each server."""
    servers: tuple[Address, ...] = required(
        "Addresses, in the order of use.", min_length=1, max_length=_MOST_SERVERS
    )
    key: Secret = required("")


@record(kw_only=True)
class LdapServers(LoginServers):
    """LDAP servers, asked in this order on port 389. `key` is the password of `bind_dn`."""

    in_vrf = False
    base_dn: SafeText = required(
        "Search base of accounts, for example `dc=example,dc=net`.",
        fact="base",
        max_length=_LONGEST_DN,
    )
    bind_dn: SafeText = required(
        "Account that searches the directory.", fact="bind", max_length=_LONGEST_DN
    )


@record(kw_only=True)
class Aaa:
    """Central login. Local accounts always come last, so login works without any server."""

    tacacs: LoginServers | None = setting(None, "TACACS+ servers.")
    radius: LoginServers | None = setting(None, "RADIUS servers.")
    ldap: LdapServers | None = setting(None, "LDAP servers.")
    order: tuple[Literal["tacacs", "radius", "ldap"], ...] = setting(
        (),
        "Protocol that is asked first if both have servers. Default: TACACS+. The next protocol "
        "is asked if no server answers, and local accounts come last.",
    )

    @property
    def login(self) -> dict[str, LoginServers]:
        """Return the servers by protocol, in the order of use."""
        every = {key: getattr(self, key) for key in protocols()}
        found = {name: servers for name, servers in every.items() if servers is not None}
        return {name: found[name] for name in self.order or found if name in found}


def protocols() -> tuple[str, ...]:
    """Return the protocols of central login, in the default order."""
    return tuple(each.key for each in keys(Aaa) if each.inner is not None)


@record(kw_only=True)
class Watching:
    """Time servers, and the collectors of logs, samples and state."""

    ntp: tuple[Address, ...] = setting(
        (), "NTP servers.", fact="ntp", feature="ntp", per_entry=True
    )
    syslog: tuple[Address, ...] = setting(
        (), "Syslog servers.", fact="syslog", feature="syslog", per_entry=True
    )
    gnmi: Telemetry | None = setting(None, "gNMI. Default: off.", feature="gnmi")
    sflow: Sflow | None = setting(None, "Packet samples. Default: off.", feature="sflow")
    cloudvision: CloudVision | None = setting(
        None, "CloudVision. Default: off.", feature="cloudvision"
    )


@record(kw_only=True)
class Management(Watching):
    """The management network and the services reached through it."""

    dns: tuple[Address, ...] = setting(
        (), "DNS servers.", fact="dns", feature="dns", per_entry=True
    )
    domain: DomainName | None = setting(
        None, "DNS domain of the switches.", fact="domain", feature="dns-domain"
    )
    banner: SafeText | None = setting(
        None, "One-line login banner.", fact="banner", feature="banner"
    )
    ptp: Ptp | None = setting(None, "PTP. Default: off; switches then use NTP.")
    snmp: Snmp | None = setting(None, "SNMP. Default: off.")
    netconf: Netconf | None = setting(None, "NETCONF. Default: off.", feature="netconf")
    restconf: Restconf | None = setting(None, "RESTCONF. Default: off.", feature="restconf")
    queue_monitor: bool = setting(
        default=False,
        text="Log deep output queues. Default: off.",
        fact="queue-monitor",
        feature="queue-monitor",
    )
    tls: Tls | None = setting(
        None,
        "Certificate of eAPI, gNMI and RESTCONF. Default: the switch's own certificate.",
        feature="tls",
    )
    users: tuple[LocalUser, ...] = setting((), "Local accounts.", feature="local-users")
    aaa: Aaa | None = setting(None, "Central login. Default: only local accounts.")
