"""Management services in; NTP, syslog, DNS, SNMP, gNMI, the banner and the counters out."""

from __future__ import annotations

from functools import lru_cache

from fabricgen.fabric.because import Because
from fabricgen.fabric.services import Services, placeholder
from fabricgen.nos.sonic.names import MANAGEMENT_PORT, MANAGEMENT_VRF
from fabricgen.nos.sonic.view import (
    Entry,
    Field,
    Section,
    SharedSection,
    Table,
    shared_section,
)

SYSLOG_PORT = "514"
# What SONiC ships (sonic-buildimage files/build_templates/init_cfg.json.j2@00fe9e72). PFCWD is what
# the watchdog polls with; watermarks and drops are how a lossless fabric is watched.
COUNTERS = (
    "PORT",
    "RIF",
    "QUEUE",
    "PFCWD",
    "PG_WATERMARK",
    "PG_DROP",
    "QUEUE_WATERMARK",
    "BUFFER_POOL_WATERMARK",
    "PORT_BUFFER_DROP",
)
# Where SONiC looks for them (sonic-buildimage src/sonic-config-engine/minigraph.py); without them
# the server would speak in the clear. The files are the operator's.
_CERTIFICATES: dict[str, Field] = {
    "server_crt": "/etc/sonic/telemetry/streamingtelemetryserver.cer",
    "server_key": "/etc/sonic/telemetry/streamingtelemetryserver.key",
    "ca_crt": "/etc/sonic/telemetry/dsmsroot.cer",
}


def _why(what: str, rule: str = "as written, for every switch of the site") -> Because:
    return Because((f"site.management.{what}",), rule)


@lru_cache(maxsize=16)
def services(wanted: Services) -> Section | None:
    """Return the services of a site. LLDP needs nothing: it is on, and lldpmgrd reads no table."""
    return shared_section(
        {
            **_time(wanted),
            **_log(wanted),
            **_names(wanted),
            **_snmp(wanted),
            **_gnmi(wanted),
            **_banner(wanted),
        }
    )


def _time(wanted: Services) -> dict[str, Table]:
    if not wanted.ntp:
        return {}
    own: dict[str, Field] = {
        "admin_state": "enabled",
        "src_intf": MANAGEMENT_PORT,
        "vrf": MANAGEMENT_VRF,
        "dhcp": "disabled",
        "server_role": "disabled",
    }
    peer: dict[str, Field] = {"association_type": "server", "iburst": "on", "version": "4"}
    return {
        "NTP": {"global": Entry(_why("ntp"), own)},
        "NTP_SERVER": {address: Entry(_why("ntp"), peer) for address in wanted.ntp},
    }


def _log(wanted: Services) -> dict[str, Table]:
    fields: dict[str, Field] = {
        "vrf": MANAGEMENT_VRF,
        "port": SYSLOG_PORT,
        "protocol": "udp",
        "severity": "info",
    }
    return {"SYSLOG_SERVER": {address: Entry(_why("syslog"), fields) for address in wanted.syslog}}


def _names(wanted: Services) -> dict[str, Table]:
    tables: dict[str, Table] = {
        "DNS_NAMESERVER": {address: Entry(_why("dns"), {}) for address in wanted.dns}
    }
    if wanted.dns and wanted.domain is not None:
        tables["DNS_OPTIONS"] = {"GLOBAL": Entry(_why("domain"), {"search": [wanted.domain]})}
    return tables


def _snmp(wanted: Services) -> dict[str, Table]:
    if wanted.snmp_community is None:
        return {}
    general: Table = {}
    if wanted.snmp_location is not None:
        general["LOCATION"] = Entry(_why("snmp.location"), {"Location": wanted.snmp_location})
    if wanted.snmp_contact is not None:
        general["CONTACT"] = Entry(_why("snmp.contact"), {"Contact": wanted.snmp_contact})
    community = Entry(_why("snmp.community", "a secret, resolved by the push"), {"TYPE": "RO"})
    return {"SNMP": general, "SNMP_COMMUNITY": {placeholder(wanted.snmp_community): community}}


def _gnmi(wanted: Services) -> dict[str, Table]:
    """Return the gNMI server; collectors dial in and must show a certificate."""
    if wanted.gnmi_port is None:
        return {}
    fields: dict[str, Field] = {
        "port": str(wanted.gnmi_port),
        "client_auth": "true",
        "log_level": "2",
        "vrf": MANAGEMENT_VRF,
    }
    return {
        "GNMI": {"gnmi": Entry(_why("gnmi"), fields), "certs": Entry(_why("gnmi"), _CERTIFICATES)}
    }


def _banner(wanted: Services) -> dict[str, Table]:
    if wanted.banner is None:
        return {}
    fields: dict[str, Field] = {"state": "enabled", "login": wanted.banner}
    return {"BANNER_MESSAGE": {"global": Entry(_why("banner"), fields)}}


@lru_cache(maxsize=1)
def counters() -> Section:
    """Return the flexible counters: the section that every file ends with."""
    why = Because(("",), "counters as SONiC ships them")
    table = {name: Entry(why, {"FLEX_COUNTER_STATUS": "enable"}) for name in COUNTERS}
    return SharedSection({"FLEX_COUNTER_TABLE": table})
