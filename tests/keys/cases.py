"""Keys whose effect needs a context: what their site must say, and the change that must show."""

from __future__ import annotations

from typing import Any

from tests.keys import (
    access_cases,
    acknowledge_cases,
    dci_cases,
    demand_cases,
    failures_cases,
    job_cases,
    numbering_cases,
    own_cases,
    pin_cases,
    plant_cases,
    port_cases,
    port_pin_cases,
    review_cases,
    server_cases,
    service_cases,
    state_cases,
    tenant_cases,
    time_cases,
    watch_cases,
    zone_cases,
)
from tests.keys.case import Case, Words, at
from tests.keys.sites import DELL, EDGE


def _backend(given: Words, changed: Words, site: str = "rails") -> Case:
    return Case(site, {"backend": given}, {"backend": changed})


def _frontend(given: Words, changed: Words, site: str = "tenants") -> Case:
    return Case(site, {"frontend": given}, {"frontend": changed})


def _storage(given: Words, changed: Words) -> Case:
    return Case("storage", {"fabrics": {"storage": given}}, {"fabrics": {"storage": changed}})


def _side(name: str, **words: Any) -> Words:
    return {"roce": None, "sides": {name: words}}


def _nics(name: str, **words: Any) -> Words:
    """A side of one lossless class, as any NIC takes it."""
    return {"roce": {"storage": None}, "sides": {name: {"servers": words}}}


def _vrf(given: Words, changed: Words) -> Case:
    return Case(
        "tenants",
        {"tenants": {"red": {"vrfs": {"red": given}}}},
        {"tenants": {"red": {"vrfs": {"red": changed}}}},
    )


def _on(fabric: str) -> Words:
    return {"tenants": {"red": {"fabric": fabric}}, "jobs": None}


def _red(words: Words) -> Words:
    return {"tenants": {"red": words}}


def _shared(rails: int) -> Words:
    return {"units": "2", "rails_per_leaf": rails}


_TWO = {"leaf_groups": {"racks": {"leafs": "1-1"}, "bonded": {"leafs": "2-2"}}}
_HALF_PORTS = {"servers": {"nic_speed": "200G", "nic_ports": 2}}
_LOSSY = {"roce": {"enabled": False, "storage": None}}


def _login(given: Words, changed: Words) -> Case:
    return Case(
        "rails",
        at("site", "management", "aaa", words=given),
        at("site", "management", "aaa", words=changed),
    )


_RADIUS = {"servers": ["10.255.15.242", "10.255.15.243"], "key": "env:RADIUS"}
_LDAP = {**_RADIUS, "base_dn": "dc=example,dc=net", "bind_dn": "cn=switches"}
# SONiC has headroom of its hwsku for every speed
_EOS = {"model": "7060X6-64PE", "platform": "eos"}
_HALF = {"servers": {"nic_speed": "200G"}}
_SHARES = {"roce": {"scheduler": {"lossless": 50, "best_effort": 30}}}
_OTHER_SHARES = {"roce": {"scheduler": {"lossless": 40, "best_effort": 40}}}
_ISP6: Words = {"accept": None, "address": None, "peer": None}
_ISP6 |= {"address6": "fd00::1/126", "peer6": "fd00::2"}
_SIX = {"vlans": {"web": {"subnet": "2001:db8:1::/64"}}, "external": {"core": None, "isp": _ISP6}}
_SEVENTH = {"address": {"address6": "fd00::1/125"}, "peer": {"peer6": "fd00::3"}}
_PEER = {"external": {"isp": {"address": "192.0.2.1/29", "peer": "192.0.2.2"}}}
_NVIDIA = {
    "leaf": {"model": "SN5600", "platform": "sonic"},
    "spine": {"model": "SN5600", "platform": "sonic"},
    "links": {"speed": "800G"},
}
_TRIMMED = {
    "leaf": {"model": "SN5640", "platform": "sonic"},
    "spine": {"model": "SN5640", "platform": "sonic"},
    "roce": {"pfc": False, "storage": None, "trimming": {"size": 256}},
}
_BIG = {
    **{key: {"model": "7060X6-64PE"} for key in ("leaf", "spine")},
    "leaf_groups": {
        "racks": {"servers": {"speed": "400G"}},
        "bonded": {"servers": {"speed": "400G"}, "hardware": {"model": "7060X6-64PE"}},
    },
    "links": {"speed": "400G"},
}

_TRAPS = {"site": {"management": {"snmp": {"traps": {"user": "other"}}}}}
_APART = (
    *(
        access_cases,
        dci_cases,
        demand_cases,
        job_cases,
        numbering_cases,
        own_cases,
        pin_cases,
        plant_cases,
        port_cases,
    ),
    *(
        port_pin_cases,
        review_cases,
        server_cases,
        service_cases,
        state_cases,
        failures_cases,
        tenant_cases,
        time_cases,
        watch_cases,
        zone_cases,
    ),
)
CASES: list[tuple[str, Case]] = [
    *acknowledge_cases.CASES,
    *(case for module in _APART for case in module.CASES),
    ("backend.management", _backend({}, {"management": "10.255.8.0/24"})),
    ("frontend.management", _frontend({}, {"management": "10.255.8.0/24"})),
    ("fabrics.*.management", _storage({}, {"management": "10.255.8.0/24"})),
    *(
        (
            f"fabrics.*.sides.{side}.servers.{key}",
            _storage({"roce": None}, _side(side, servers={key: value})),
        )
        for side in ("compute", "storage")
        for key, value in (
            ("speed", "200G"),
            ("names", "other{number}"),
            ("network", "networkd"),
            ("nic_slots", ["0000:18:00.0", "0000:2a:00.0"]),
        )
    ),
    *(
        (
            f"fabrics.*.sides.{side}.servers.{key}",
            _storage(_nics(side, **given), _nics(side, **{key: value})),
        )
        for side in ("compute", "storage")
        for key, value, given in (
            ("nic", "thor2", {}),
            ("nic_ports", 2, {"nic": "connectx-8"}),
        )
    ),
    ("fabrics.*.links.speed", _storage({"roce": None}, {"links": {"speed": "800G"}})),
    *(
        (
            f"fabrics.*.sides.{side}.leaf.{key}",
            _storage(_side(side, leaf=_EOS), _side(side, leaf={key: value})),
        )
        for side in ("compute", "storage")
        for key, value in (
            ("model", "7060DX5-64S"),
            ("breakout", "1x400G"),
            ("platform", "linux"),
        )
    ),
    ("fabrics.*.growth.compute", _storage({"demand": None}, {"growth": {"compute": 600}})),
    ("fabrics.*.growth.storage", _storage({}, {"growth": {"storage": 200}})),
    (
        "fabrics.*.demand.servers",
        _storage({"demand": {"rate": 1000.0, "servers": 20}}, {"demand": {"servers": 2}}),
    ),
    ("fabrics.*.names.leaf", _storage({}, {"names": {"leaf": "{group}-{index}"}})),
    (
        "tenants.*.fabric",
        Case("tenants", {"fabrics": {"edge": EDGE}, **_on("frontend")}, _on("edge")),
    ),
    (
        "site.name",
        Case(
            "rails",
            {"backend": {"names": {"leaf": "{site}-{number}"}}},
            {"site": {"name": "other"}},
        ),
    ),
    *(
        (
            f"site.management.tls.{word}",
            Case("rails", {}, {"site": {"management": {"tls": {word: "other.pem"}}}}),
        )
        for word in ("certificate", "key")
    ),
    ("site.management.snmp.traps.user", Case("rails", {}, _TRAPS)),
    ("site.management.aaa.order", _login({"radius": _RADIUS}, {"order": ["radius", "tacacs"]})),
    *(
        (
            f"site.management.aaa.radius.{word}",
            _login({"tacacs": None, "radius": _RADIUS}, {"radius": {word: other}}),
        )
        for word, other in (("servers", ["10.255.15.243", "10.255.15.242"]), ("key", "env:OTHER"))
    ),
    *(
        (
            f"site.management.aaa.ldap.{word}",
            _login({"tacacs": None, "ldap": _LDAP}, {"ldap": {word: other}}),
        )
        for word, other in (
            ("servers", ["10.255.15.243", "10.255.15.242"]),
            ("key", "env:OTHER"),
            ("base_dn", "dc=example,dc=org"),
            ("bind_dn", "cn=other"),
        )
    ),
    ("backend.addressing.vteps", _backend({}, {"addressing": {"vteps": "10.99.0.0/16"}}, "shared")),
    ("tenants.*.vrfs.*.local", Case("shared", {}, _red({"vrfs": {"red": {"local": True}}}))),
    (
        "tenants.*.attachments.*.vrf",
        Case(
            "shared",
            _red({"vrfs": {"other": {"id": 3}}}),
            _red({"attachments": [{"numbers": "1-2,5-6", "vrf": "other"}]}),
        ),
    ),
    ("backend.servers.nic_speed", _backend(DELL, {"servers": {"nic_speed": "200G"}})),
    ("backend.servers.nic_ports", _backend(_HALF, {"servers": {"nic_ports": 2}})),
    ("backend.servers.nic_ports", _backend({**DELL, **_HALF}, {"servers": {"nic_ports": 2}})),
    ("backend.planes", _backend({"servers": {"nic_speed": "200G", "nic_ports": 2}}, {"planes": 2})),
    ("backend.servers.nic", _backend({"roce": {"storage": None}}, {"servers": {"nic": "thor2"}})),
    (
        "backend.servers.nic_slots",
        _backend({}, {"servers": {"nic_slots": ["0000:18:00.0", "0000:2a:00.0"]}}),
    ),
    ("backend.sites", _backend({}, {"sites": ["lab", "other"]})),
    (
        "backend.planes",
        _backend({**DELL, "servers": {"nic_speed": "200G", "nic_ports": 2}}, {"planes": 2}),
    ),
    ("backend.links.speed", _backend({"roce": {"enabled": False}}, {"links": {"speed": "800G"}})),
    (
        "backend.growth.servers",
        _backend({"spine": {"count": None}, "oversubscription": 1.0}, {"growth": {"servers": 128}}),
    ),
    (
        "backend.roce.pause_response",
        _backend(
            {
                **_NVIDIA,
                "links": {"speed": "800G", "length": 500},
                "roce": {"storage": None, "ecn": {"enabled": False}, "pause_response": "shipped"},
            },
            {"roce": {"pause_response": "conservative"}},
        ),
    ),
    (
        "backend.roce.pause_response",
        _backend(
            {**_NVIDIA, "roce": {"pause_response": "shipped"}},
            {"roce": {"pause_response": "conservative"}},
        ),
    ),
    ("backend.roce.ecn.maximum", _backend({}, {"roce": {"ecn": {"maximum": 440_000}}})),
    (
        "backend.roce.storage.ecn.maximum",
        _backend({}, {"roce": {"storage": {"ecn": {"maximum": 440_000}}}}),
    ),
    ("backend.load_balancing.mode", _backend({}, {"load_balancing": {"mode": "flowlet"}})),
    *(
        (f"backend.roce.watchdog.{key}", _backend({}, {"roce": {"watchdog": {key: value}}}))
        for key, value in (
            *(("enabled", False), ("action", "forward")),
            *(("detection", 400), ("restoration", 400)),
        )
    ),
    (
        "backend.roce.watchdog.poll",
        _backend(
            {"roce": {"watchdog": {"detection": 400, "restoration": 400}}},
            {"roce": {"watchdog": {"poll": 200}}},
        ),
    ),
    ("backend.roce.trimming.size", _backend(_TRIMMED, {"roce": {"trimming": {"size": 300}}})),
    ("backend.roce.trimming.dscp", _backend(_TRIMMED, {"roce": {"trimming": {"dscp": 12}}})),
    (
        "backend.roce.trimming.priority",
        _backend(_TRIMMED, {"roce": {"trimming": {"priority": 5}}}),
    ),
    ("backend.roce.scheduler.lossless", _backend(_SHARES, _OTHER_SHARES)),
    ("backend.roce.scheduler.best_effort", _backend(_SHARES, _OTHER_SHARES)),
    (
        "backend.switches.*.platform",
        _backend(
            {"switches": {"be-spine1": {"platform": "eos"}}},
            {"switches": {"be-spine1": {"platform": "linux"}}},
        ),
    ),
    ("frontend.leaf.breakout", _frontend(_BIG, {"leaf": {"breakout": "1x400G"}})),
    (
        "frontend.leaf_groups.*.hardware.breakout",
        _frontend(_BIG, {"leaf_groups": {"bonded": {"hardware": {"breakout": "1x400G"}}}}),
    ),
    ("frontend.spine.breakout", _frontend(_BIG, {"spine": {"breakout": "1x400G"}})),
    (
        "frontend.superspine.breakout",
        _frontend(
            {**_BIG, "superspine": {"model": "7060X6-64PE"}},
            {"superspine": {"breakout": "1x400G"}},
            "pods",
        ),
    ),
    (
        "backend.superspine.links",
        _backend({"superspine": {"count": 4}}, {"superspine": {"links": 8}}, "tiers"),
    ),
    ("backend.pod.units", _backend({"growth": {"pods": 4}}, {"pod": {"units": 1}}, "tiers")),
    ("frontend.spine.ratio", _frontend({"spine": {"count": None}}, {"spine": {"ratio": 0.3}})),
    (
        "frontend.superspine.ratio",
        _frontend({"growth": {"superspines": 8}}, {"superspine": {"ratio": 0.5}}, "pods"),
    ),
    (
        "backend.scalable_unit.shared.*.units",
        _backend({"servers": {"count": 6}}, {"scalable_unit": {"shared": [_shared(2)]}}),
    ),
    (
        "backend.scalable_unit.shared.*.rails_per_leaf",
        _backend(
            {"servers": {"count": 5, "gpus": 4}, "scalable_unit": {"shared": [_shared(2)]}},
            {"scalable_unit": {"shared": [_shared(4)]}},
        ),
    ),
    (
        "frontend.pair.links",
        _frontend({"design": "collapsed", "spine": None, **_TWO}, {"pair": {"links": 3}}),
    ),
    ("backend.leafs_per_nic", _backend({**_LOSSY, **_HALF_PORTS}, {"leafs_per_nic": 2})),
    ("backend.spine.per_rail", _backend({}, {"spine": {"per_rail": True}})),
    ("backend.leaf.reserve", _backend({"scalable_unit": None}, {"leaf": {"reserve": 8}})),
    ("backend.superspine.ratio", _backend({}, {"superspine": {"ratio": 8.0}}, "tiers")),
    ("backend.spine.ratio", _backend({"spine": {"count": None}}, {"spine": {"ratio": 1.0}})),
    *(
        (f"backend.{tier}.speed", _backend(_LOSSY, {tier: {"speed": "200G"}}, "tiers"))
        for tier in ("spine", "superspine")
    ),
    *(
        (f"frontend.{tier}.speed", _frontend(_BIG | more, {tier: {"speed": "200G"}}, site))
        for tier, more, site in (
            ("spine", {}, "tenants"),
            ("superspine", {"superspine": {"model": "7060X6-64PE"}}, "pods"),
        )
    ),
    (
        "frontend.switches.*.platform",
        _frontend(
            {"switches": {"fe-leaf01": {"platform": "eos"}}},
            {"switches": {"fe-leaf01": {"platform": "linux"}}},
        ),
    ),
    (
        "tenants.*.vrfs.*.external.*.area",
        _vrf(
            {"external": {"core": {"asn": None, "protocol": "ospf", "accept": ["10.99.0.0/16"]}}},
            {"external": {"core": {"area": "0.0.0.7"}}},
        ),
    ),
    (
        "tenants.*.vrfs.*.external.*.address",
        _vrf(_PEER, {"external": {"isp": {"address": "192.0.2.1/28"}}}),
    ),
    *(
        (f"tenants.*.vrfs.*.external.*.{key}6", _vrf(_SIX, {"external": {"isp": _SEVENTH[key]}}))
        for key in ("address", "peer")
    ),
    ("tenants.*.vrfs.*.external.*.peer", _vrf(_PEER, {"external": {"isp": {"peer": "192.0.2.3"}}})),
]


_ROLES = {
    "backend.leaf": ("rails", "backend", "leaf"),
    "backend.spine": ("rails", "backend", "spine"),
    "backend.superspine": ("tiers", "backend", "superspine"),
    "fabrics.oob.leaf": ("access", *access_cases.OOB, "leaf"),
    "fabrics.oob.spine": ("access", *access_cases.OOB, "spine"),
    "fabrics.oob.switches.*": ("access", *access_cases.OOB, "switches", "oob-spine1"),
    "backend.switches.*": ("rails", "backend", "switches", "be-spine1"),
    "frontend.leaf": ("tenants", "frontend", "leaf"),
    "frontend.leaf_groups.*.hardware": (
        *("tenants", "frontend", "leaf_groups"),
        *("bonded", "hardware"),
    ),
    "frontend.spine": ("tenants", "frontend", "spine"),
    "frontend.superspine": ("pods", "frontend", "superspine"),
    "frontend.switches.*": ("tenants", "frontend", "switches", "fe-leaf01"),
}
CASES += [
    (
        f"{role}.release",
        Case(
            site,
            at(*path, words={"platform": "linux"}),
            at(*path, words={"release": "debian13"}),
        ),
    )
    for role, (site, *path) in _ROLES.items()
]
CASES += [
    (
        f"{role}.hwsku",
        Case(
            site,
            at(*path, words={"model": "SN5600", "platform": "sonic", "hwsku": "ACS-SN5600"}),
            at(*path, words={"hwsku": "Mellanox-SN5600-O128"}),
        ),
    )
    for role, (site, *path) in _ROLES.items()
    if "switches" not in path
]
_FIXED = {"model": "7050CX3-32S", "platform": "sonic", "hwsku": "Arista-7050CX3-32S-C32"}
_SPLITS = {"hwsku": "Arista-7050CX3-32S"}
_AT_100G = {"servers": {"speed": "100G"}}
CASES += [
    (
        "frontend.leaf.hwsku",
        _frontend({"leaf": _FIXED, "leaf_groups": {"racks": _AT_100G}}, {"leaf": _SPLITS}),
    ),
    (
        "frontend.leaf_groups.*.hardware.hwsku",
        _frontend(
            {"leaf_groups": {"bonded": {**_AT_100G, "hardware": _FIXED}}},
            {"leaf_groups": {"bonded": {"hardware": _SPLITS}}},
        ),
    ),
]

JUDGED: dict[str, str] = zone_cases.JUDGED | {
    "site.accept_unsupported": "turns an error into a warning",
    "backend.sites": "refused with more than one name",
    "backend.rails": "derived from the NICs of a server; checked when given",
    "fabrics.*.demand.rate": "a bound that the links are judged by",
    "fabrics.*.demand.servers": "as above",
    "cabling.structured.*.next_fibers": "a bound that the trunks are judged by",
    "frontend.oversubscription": "a bound that the bought bandwidth is judged by",
    "fabrics.oob.oversubscription": "a bound that the bought bandwidth is judged by",
    "fabrics.oob.leaf.breakout": "refused: management ports are not broken out",
    "fabrics.oob.leaf.hwsku": "models of management ports have one hwsku each",
    "frontend.leaf.reserve": "ports that are free stay free; refused where there are too few",
    "frontend.leaf_groups.*.hardware.reserve": "as above",
    "backend.roce.over_subscription": "a bound that the headroom pool is judged by",
    **acknowledge_cases.JUDGED,
    **dci_cases.JUDGED,
    **demand_cases.JUDGED,
    **job_cases.JUDGED,
    **numbering_cases.JUDGED,
    **pin_cases.JUDGED,
    **port_pin_cases.JUDGED,
    **state_cases.JUDGED,
    **tenant_cases.JUDGED,
}
"""Keys that are judged and reach no file by their nature: their effect is a finding."""

_ON_SONIC = {"backend.roce.pause_response", *tenant_cases.TRUSTED}
COMPUTED_BY_THE_SWITCH = {"sonic": _ON_SONIC, "linux": port_cases.REFUSED}
"""Keys that decide what a platform's switches do without a line, or refuse where it is otherwise.

SONiC computes on NVIDIA (buffer_model dynamic); elsewhere the vendor's row is written out."""
IDENTITY = (
    *pin_cases.IDENTITY,
    *(
        f"{fabric}.names.previous_name.{role}"
        for fabric in ("backend", "frontend")
        for role in ("leaf", "spine", "superspine")
    ),
    *(
        "fabrics.oob.names.previous_name.leaf",
        "fabrics.oob.names.previous_name.spine",
        "fabrics.oob.macs",
    ),
    "frontend.oob.macs",
)
"""Keys that say which box a switch is: plan, push and the first boot go by them, and no file."""
