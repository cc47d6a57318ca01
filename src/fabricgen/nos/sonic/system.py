"""Lower device metadata, the management port and the services of a site to CONFIG_DB."""

from collections.abc import Mapping
from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.settings.services import LdapServers, SnmpUser
from fabricgen.model.settings.setting import placeholder
from fabricgen.nos.sonic.driver.onswitch.tables import COUNTERS, MARKS
from fabricgen.nos.sonic.facts import SonicFacts, sku_of
from fabricgen.nos.sonic.names import MANAGEMENT_PORT, MANAGEMENT_VRF, ROLES
from fabricgen.nos.sonic.releases import Release, release_of
from fabricgen.nos.sonic.view import Entry, Field, Table, Tables

_SERVERS: dict[str, tuple[str, dict[str, Field]]] = {
    "ntp": ("NTP_SERVER", {"association_type": "server", "iburst": "on", "version": "4"}),
    "syslog": (
        "SYSLOG_SERVER",
        {"vrf": MANAGEMENT_VRF, "port": "514", "protocol": "udp", "severity": "info"},
    ),
    "dns": ("DNS_NAMESERVER", {}),
}
"""Table of the servers of a setting, and the fields of each server."""
_PROTOCOLS = {"tacacs": ("TACPLUS", "tacacs+"), "radius": ("RADIUS", "radius")}
_FIRST = 64  # the highest priority of a server, in both models
# SONiC's paths (sonic-buildimage src/sonic-config-engine/minigraph.py). Without the files the
# server would use no encryption. The operator places them.
_CERTIFICATES: dict[str, Field] = {
    "server_crt": "/etc/sonic/telemetry/streamingtelemetryserver.cer",
    "server_key": "/etc/sonic/telemetry/streamingtelemetryserver.key",
    "ca_crt": "/etc/sonic/telemetry/dsmsroot.cer",
}


def system(switch_slice: SwitchSlice, facts: SonicFacts) -> Tables:
    """Return DEVICE_METADATA.

    `mac` is omitted, because it is in the switch's EEPROM. `config reload` reads it from there if
    the file has none (sonic-utilities config/main.py load_sysinfo_if_missing). It must be saved
    afterwards: no service does that at boot, and vlanmgrd and vxlanmgrd stop without it (sonic-swss
    cfgmgr).
    """
    fields: dict[str, Field] = {
        "hostname": switch_slice.switch.name,
        "hwsku": sku_of(switch_slice).name,
        "platform": facts.platform,
        "type": ROLES[switch_slice.switch.role],
        "bgp_asn": str(switch_slice.asn),
        # fabricgen renders frr.conf, because CONFIG_DB has no fields for L3VNI routes. FRR then
        # reads /etc/sonic/frr/frr.conf (sonic-buildimage dockers/docker-fpm-frr/docker_init.sh).
        "docker_routing_config_mode": "split-unified",
        "frr_mgmt_framework_config": _word(_watched(switch_slice)),
        "buffer_model": "dynamic" if facts.dynamic else "traditional",
        # fabricgen renders PFC_WD too; `enable` would let `pfcwd start_default` replace it.
        "default_pfcwd_status": "disable",
        "synchronous_mode": "enable",
    }
    why = switch_slice.why(switch_slice.switch.because, "asn")
    return {"DEVICE_METADATA": {"localhost": Entry(why, fields)}}


def _watched(switch_slice: SwitchSlice) -> bool:
    """Return whether BFD watches any session: bfdd starts only with the management framework.

    That is so in every release (sonic-buildimage dockers/docker-fpm-frr/frr/supervisord/
    supervisord.conf.j2). frrcfgd then starts instead of bgpcfgd. It writes CONFIG_DB to FRR only in
    the mode `unified` (sonic-frr-mgmt-framework/frrcfgd/frrcfgd.py, BGPConfigDaemon). In the
    rendered mode it follows changes of VRF.vni, which frr.conf also has, and of BGP tables, which
    fabricgen does not write.
    """
    return bool(switch_slice.sessions) and switch_slice.routing.bfd is not None


def _word(yes: bool) -> str:  # noqa: FBT001
    return "true" if yes else "false"


def management(switch_slice: SwitchSlice) -> Tables:
    """Return the management port, its address and its VRF, and the address of SNMP."""
    host, services = switch_slice.management.host, switch_slice.services
    why = Provenance((services.path,), "the management port has a separate VRF")
    tables: Tables = {
        "MGMT_PORT": {
            MANAGEMENT_PORT: Entry(why, {"alias": MANAGEMENT_PORT, "admin_status": "up"})
        },
        "MGMT_INTERFACE": {
            f"{MANAGEMENT_PORT}|{switch_slice.management}": Entry(
                switch_slice.why(why, "management"), {"gwaddr": services.gateway}
            )
        },
        "MGMT_VRF_CONFIG": {"vrf_global": Entry(why, {"mgmtVrfEnabled": "true"})},
    }
    if services.snmp:
        # Without this snmpd listens on every address (dockers/docker-snmp/snmpd.conf.j2).
        why = Provenance(((*services.path, "snmp"),), "SNMP answers on the management address only")
        tables["SNMP_AGENT_ADDRESS_CONFIG"] = {f"{host}|161|{MANAGEMENT_VRF}": Entry(why, {})}
    return tables


def _entry(
    wanted: Services,
    fields: Mapping[str, Field],
    *keys: str,
    rule: str = "as written, for every switch of the site",
) -> Entry:
    return Entry(Provenance((wanted.at(*keys),), rule), fields)


@lru_cache(maxsize=16)
def services(wanted: Services, has: Release) -> Tables:
    """Return the services of a site for a release.

    LLDP needs no table: it is on, and lldpmgrd reads none.
    """
    return {
        **_time(wanted),
        **_carried(wanted, has),
        **_snmp(wanted),
        **_gnmi(wanted, has),
        **_login(wanted),
    }


def _time(wanted: Services) -> Tables:
    if not wanted.ntp:
        return {}
    own: dict[str, Field] = {
        "admin_state": "enabled",
        "src_intf": MANAGEMENT_PORT,
        "vrf": MANAGEMENT_VRF,
        "dhcp": "disabled",
        "server_role": "disabled",
    }
    return {"NTP": {"global": _entry(wanted, own, "ntp")}}


def _carried(wanted: Services, has: Release) -> Tables:
    """Return the entries of servers, the domain and the banner."""
    tables: Tables = {
        table: {host: _entry(wanted, fields, key) for host in getattr(wanted, key)}
        for key, (table, fields) in _SERVERS.items()
    }
    if has.search and wanted.domain is not None:
        search: dict[str, Field] = {"search": [wanted.domain]}
        tables["DNS_OPTIONS"] = {"GLOBAL": _entry(wanted, search, "domain")}
    if wanted.banner is not None:
        banner: dict[str, Field] = {"state": "enabled", "login": wanted.banner}
        tables["BANNER_MESSAGE"] = {"global": _entry(wanted, banner, "banner")}
    return tables


def _snmp(wanted: Services) -> Tables:
    snmp = wanted.snmp
    if snmp is None:
        return {}
    general: Table = {}
    for key, text in (("location", snmp.location), ("contact", snmp.contact)):
        if text is not None:
            general[key.upper()] = _entry(wanted, {key.capitalize(): text}, "snmp", key)
    rule = "a secret, resolved by the push"
    tables: Tables = {"SNMP": general}
    if snmp.community is not None:
        community = _entry(wanted, {"TYPE": "RO"}, "snmp", "community", rule=rule)
        tables["SNMP_COMMUNITY"] = {placeholder(snmp.community): community}
    tables["SNMP_USER"] = {
        user.name: _entry(wanted, _snmp_user(user), "snmp", "users", rule=rule)
        for user in snmp.users
    }
    return tables


def _snmp_user(user: SnmpUser) -> dict[str, Field]:
    """Return an SNMP user with read access, authentication and encryption (sonic-snmp.yang)."""
    return {
        "SNMP_USER_TYPE": "Priv",
        "SNMP_USER_PERMISSION": "RO",
        "SNMP_USER_AUTH_TYPE": "SHA",
        "SNMP_USER_AUTH_PASSWORD": placeholder(user.auth),
        "SNMP_USER_ENCRYPTION_TYPE": "AES",
        "SNMP_USER_ENCRYPTION_PASSWORD": placeholder(user.privacy),
    }


def _gnmi(wanted: Services, has: Release) -> Tables:
    """Return the gNMI server; collectors connect to it and must present a certificate.

    Without a VRF field it answers in every VRF: net.ipv4.tcp_l3mdev_accept is 1
    (sonic-buildimage files/image_config/sysctl/sysctl-net.conf).
    """
    if wanted.gnmi is None:
        return {}
    fields: dict[str, Field] = {
        "port": str(wanted.gnmi.port),
        "client_auth": "true",
        "log_level": "2",
    }
    if has.gnmi_vrf:
        fields["vrf"] = MANAGEMENT_VRF
    return {
        "GNMI": {
            "gnmi": _entry(wanted, fields, "gnmi"),
            "certs": _entry(wanted, _CERTIFICATES, "gnmi"),
        }
    }


def _login(wanted: Services) -> Tables:
    """Return the login servers. Local accounts are used if no server answers.

    The server with the higher priority is first (sonic-system-tacacs.yang). A refusal of a server
    is final: `failthrough` would still accept a local password (sonic-host-services
    data/templates/common-auth-sonic.j2).
    """
    tables: Tables = {}
    for protocol, each in wanted.login.items():
        if isinstance(each, LdapServers):
            tables |= _ldap(wanted, each)
            continue
        table, word = _PROTOCOLS[protocol]
        here = ("aaa", protocol)
        secret: dict[str, Field] = {"passkey": placeholder(each.key)}
        own: dict[str, Field] = {"vrf": MANAGEMENT_VRF}
        (secret if protocol == "tacacs" else own)["src_intf"] = MANAGEMENT_PORT
        tables[table] = {"global": _entry(wanted, secret, *here)}
        tables[f"{table}_SERVER"] = {
            host: _entry(wanted, {**own, "priority": str(_FIRST - place)}, *here, "servers")
            for place, host in enumerate(each.servers)
        }
        login: dict[str, Field] = {"login": f"{word},local", "failthrough": "False"}
        tables["AAA"] = {"authentication": _entry(wanted, login, "aaa")}
    return tables


def _ldap(wanted: Services, each: LdapServers) -> Tables:
    """Return the LDAP servers (sonic-system-ldap.yang), without a VRF, for which it has no leaf.

    With `ldap,local`, local accounts are next (common-auth-sonic.j2 of sonic-host-services).
    """
    here = ("aaa", "ldap")
    own: dict[str, Field] = {"base_dn": each.base_dn, "bind_dn": each.bind_dn}
    own["bind_password"] = placeholder(each.key)
    servers = {
        host: _entry(wanted, {"priority": str(8 - place)}, *here, "servers")
        for place, host in enumerate(each.servers)
    }
    return {
        "LDAP": {"global": _entry(wanted, own, *here)},
        "LDAP_SERVER": servers,
        "AAA": {"authentication": _entry(wanted, {"login": "ldap,local"}, "aaa")},
    }


def counters(switch_slice: SwitchSlice) -> Tables:
    """Return the flexible counters, the last section of every file.

    Marked packets are counted if a class has ECN marking and the release polls that counter.
    """
    marks = (
        switch_slice.qos is not None
        and switch_slice.qos.marked
        and release_of(switch_slice.switch.release).marks
    )
    return _counters(switch_slice.qos.because if switch_slice.qos is not None and marks else None)


@lru_cache(maxsize=16)
def _counters(marks: Provenance | None) -> Tables:
    enabled: dict[str, Field] = {"FLEX_COUNTER_STATUS": "enable"}
    why = Provenance((), "SONiC's default counters")
    table = {name: Entry(why, enabled) for name in COUNTERS}
    if marks is not None:
        table[MARKS] = Entry(marks, enabled)
    return {"FLEX_COUNTER_TABLE": table}
