"""Keys of tenants' VLANs and VRFs whose effect needs a context."""

from __future__ import annotations

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


_RELAY = {"dhcp_relay": {"servers": ["10.110.0.5"], "sources": "10.98.1.0/24"}}
_SIX = _web(subnet6="2001:db8::/64")
CASES: list[tuple[str, Case]] = [
    (
        "tenants.*.vrfs.*.dhcp_relay.servers",
        _vrf(_RELAY, {"dhcp_relay": {"servers": ["10.110.0.5", "10.110.0.6"]}}),
    ),
    (
        "tenants.*.vrfs.*.dhcp_relay.sources",
        _vrf(_RELAY, {"dhcp_relay": {"sources": "10.98.2.0/24"}}),
    ),
    ("tenants.*.vrfs.*.vni", _vrf({}, {"vni": 888_888})),
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
JUDGED = {
    "tenants.*.vlans.*.subnet": "refused outside a VRF",
    "tenants.*.vlans.*.gateway": "refused outside a VRF",
    "tenants.*.vlans.*.subnet6": "refused outside a VRF",
    "tenants.*.vlans.*.gateway6": "refused outside a VRF",
}
