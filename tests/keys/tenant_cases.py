"""Keys of tenants' VLANs and VRFs whose effect needs a context."""

from tests.keys.case import Case, Words


def _vrf(given: Words, changed: Words) -> Case:
    return Case(
        "tenants",
        {"tenants": {"red": {"vrfs": {"red": given}}}},
        {"tenants": {"red": {"vrfs": {"red": changed}}}},
    )


def _web(**words: object) -> Words:
    return {"vlans": {"web": words}}


def _beat(**words: object) -> Case:
    return Case("tenants", {}, {"tenants": {"red": {"vlans": {"heartbeat": words}}}})


def _attached(**words: object) -> Words:
    return {"tenants": {"red": {"attachments": [{"group": "racks", "access": "web", **words}]}}}


def _route(**words: object) -> Words:
    return {"routes": [{"to": "10.50.0.0/16", "by": "10.110.0.7", **words}]}


def _targets(*targets: str) -> Words:
    return {"route_targets": {"imports": [*targets], "exports": [*targets]}}


def _imports(target: str) -> Words:
    return {"route_targets": {"imports": [target, "65000:9"]}}


def _exports(target: str) -> Words:
    return {"route_targets": {"exports": [target, "65000:9"]}}


_RELAY = {"dhcp_relay": {"servers": ["10.110.0.5"], "sources": "10.98.1.0/24"}}
_PROBED = {"diagnostics": {"subnet": "10.97.1.0/24"}}
_SIX = _web(subnet6="2001:db8::/64")
_ASKED = _web(subnet6="2001:db8::/64", announce="dhcp")
_CLASSES: Words = {
    "frontend": {
        "classes": {
            "gold": {"queue": 4, "dscps": [34], "share": 40},
            "bulk": {"queue": 1, "dscps": [8], "share": 10},
        }
    },
    "tenants": {"red": {"vlans": None, "attachments": [{"group": "racks", "access": "web"}]}},
    "jobs": None,
}


_BEATING: Words = {"group": "racks", "access": "heartbeat"}


def _bulk(**words: object) -> Case:
    return Case("tenants", _CLASSES, {"frontend": {"classes": {"bulk": words}}})


def _classed(changed: Words) -> Case:
    return Case("tenants", _CLASSES, {"tenants": {"red": changed}})


CASES: list[tuple[str, Case]] = [
    ("frontend.classes.*.queue", _bulk(queue=5)),
    ("frontend.classes.*.dscps", _bulk(dscps=[8, 10])),
    ("frontend.classes.*.share", _bulk(share=11)),
    ("tenants.*.vrfs.*.qos", _classed({"vrfs": {"red": {"qos": "gold"}}})),
    (
        "tenants.*.vlans.*.qos",
        Case(
            "tenants",
            {**_CLASSES, "tenants": {"red": {"attachments": [_BEATING]}}},
            {"tenants": {"red": {"vlans": {"heartbeat": {"qos": "bulk"}}}}},
        ),
    ),
    ("tenants.*.vrfs.*.vlans.*.qos", _classed({"vrfs": {"red": _web(qos="bulk")}})),
    (
        "tenants.*.attachments.*.qos",
        _classed({"attachments": [{"group": "racks", "access": "web", "qos": "gold"}]}),
    ),
    (
        "tenants.*.attachments.*.trust",
        _classed({"attachments": [{"group": "racks", "access": "web", "trust": True}]}),
    ),
    (
        "tenants.*.vrfs.*.diagnostics.subnet",
        _vrf(_PROBED, {"diagnostics": {"subnet": "10.97.2.0/24"}}),
    ),
    (
        "tenants.*.vrfs.*.dhcp_relay.servers",
        _vrf(_RELAY, {"dhcp_relay": {"servers": ["10.110.0.5", "10.110.0.6"]}}),
    ),
    (
        "tenants.*.vrfs.*.dhcp_relay.sources6",
        _vrf(
            _RELAY | _ASKED,
            {"dhcp_relay": {"servers": ["10.110.0.5", "fd00::5"], "sources6": "fd98::/64"}},
        ),
    ),
    ("tenants.*.vrfs.*.vlans.*.announce", _vrf(_SIX, _web(announce="slaac"))),
    ("tenants.*.vrfs.*.vlans.*.multicast", _vrf({}, _web(multicast="snooped"))),
    (
        "tenants.*.vrfs.*.dhcp_relay.sources",
        _vrf(_RELAY, {"dhcp_relay": {"sources": "10.98.2.0/24"}}),
    ),
    (
        "tenants.*.vrfs.*.external.*.protocol",
        _vrf(
            {"external": {"core": {"accept": ["10.99.0.0/16"]}}},
            {"external": {"core": {"asn": None, "protocol": "static"}}},
        ),
    ),
    ("tenants.*.vrfs.*.routes.*.to", _vrf(_route(), _route(to="10.51.0.0/16"))),
    ("tenants.*.vrfs.*.routes.*.announce", _vrf(_route(), _route(announce=True))),
    ("tenants.*.vrfs.*.routes.*.by", _vrf(_route(), _route(by="10.110.0.8"))),
    ("tenants.*.vrfs.*.vni", _vrf({}, {"vni": 888_888})),
    ("tenants.*.vrfs.*.rd", _vrf({}, {"rd": "65000:1"})),
    ("tenants.*.vrfs.*.route_targets.imports", _vrf(_targets("65000:1"), _imports("65000:1"))),
    ("tenants.*.vrfs.*.route_targets.exports", _vrf(_targets("65000:1"), _exports("65000:1"))),
    ("tenants.*.vrfs.*.vlans.*.rd", _vrf({}, _web(rd=10_110))),
    (
        "tenants.*.vrfs.*.vlans.*.route_targets.imports",
        _vrf(_web(**_targets("65000:1")), _web(**_imports("65000:1"))),
    ),
    (
        "tenants.*.vrfs.*.vlans.*.route_targets.exports",
        _vrf(_web(**_targets("65000:1")), _web(**_exports("65000:1"))),
    ),
    ("tenants.*.vlans.*.rd", _beat(rd=10_112)),
    ("tenants.*.vlans.*.route_targets.imports", _beat(**_targets("65000:1", "65000:2"))),
    ("tenants.*.vlans.*.route_targets.exports", _beat(**_targets("65000:1", "65000:2"))),
    ("tenants.*.vrfs.*.vlans.*.vni", _vrf({}, _web(vni=777_777))),
    ("tenants.*.vrfs.*.vlans.*.name", _vrf({}, _web(name="Web_Tier.1"))),
    ("tenants.*.vlans.*.vni", _beat(vni=777_777)),
    ("tenants.*.vlans.*.name", _beat(name="Heart_Beat")),
    ("tenants.*.vrfs.*.vlans.*.gateway", _vrf({}, _web(gateway="10.110.0.9"))),
    ("tenants.*.vrfs.*.vlans.*.subnet6", _vrf({}, _SIX)),
    ("tenants.*.vrfs.*.vlans.*.gateway6", _vrf(_SIX, _web(gateway6="2001:db8::9"))),
    (
        "tenants.*.attachments.*.addresses6",
        Case(
            "tenants", {"tenants": {"red": {"vrfs": {"red": _SIX}}}}, _attached(addresses6="static")
        ),
    ),
    (
        "tenants.*.attachments.*.first_host",
        Case("tenants", _attached(addresses="static"), _attached(addresses="static", first_host=9)),
    ),
]
TRUSTED = {f"{each}.attachments.*.trust" for each in ("tenants.*", "jobs.*.jobs.*")}
"""SONiC takes what servers mark at every port, and refuses a port that should not."""
JUDGED = {
    "tenants.*.vlans.*.subnet": "refused outside a VRF",
    "tenants.*.vlans.*.gateway": "refused outside a VRF",
    "tenants.*.vlans.*.subnet6": "refused outside a VRF",
    "tenants.*.vlans.*.gateway6": "refused outside a VRF",
    "tenants.*.vlans.*.announce": "refused outside a VRF",
    "tenants.*.vlans.*.multicast": "refused outside a VRF",
}
