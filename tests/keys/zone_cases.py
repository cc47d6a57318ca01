"""Keys of zones and firewalls, whose effect needs other zones and a router outside."""

from typing import Any

from tests.keys import firewall_cases
from tests.keys.case import Case, Words

_PLAIN: Words = {  # ports that SONiC can bind rules to: no VLAN without a gateway beside zones
    "vlans": None,
    "vrfs": {"red": {"external": {"core": None}}},  # and no peer behind a tag
    "attachments": [{"group": "racks", "trunk": ["web", "models"], "native": "web"}],
}
_ZONES: Words = {
    "a": {"vrfs": ["red/red"], "vlans": ["red/web"], "outside": []},
    "b": {"outside": ["red/red/isp"], "vrfs": [], "vlans": [], "prefixes": ["203.0.113.0/24"]},
    "c": {"prefixes": ["198.51.100.0/24"]},
}


def _flow(*, client: str = "a", server: str = "b", service: str = "https") -> list[Words]:
    return [{"clients": [client], "servers": [server], "services": [service]}]


_GIVEN: Words = {
    "tenants": {"red": _PLAIN},
    "zones": _ZONES,
    "services": {"https": ["tcp/443"]},
    "flows": _flow(),
}


def _case(**changed: Any) -> Case:
    return Case("tenants", _GIVEN, changed)


_GPU = {"servers": "gpu", "access": "web"}
CASES: list[tuple[str, Case]] = [
    *firewall_cases.CASES,
    ("zones.*.vrfs", _case(zones={"a": {"vrfs": []}, "b": {"vrfs": ["red/red"]}})),
    ("zones.*.vlans", _case(zones={"a": {"vlans": []}, "b": {"vlans": ["red/web"]}})),
    ("zones.*.outside", _case(zones={"a": {"outside": ["red/red/isp"]}, "b": {"outside": []}})),
    ("zones.*.prefixes", _case(zones={"c": {"prefixes": ["198.51.100.0/25"]}})),
    (
        "zones.*.servers",
        Case(
            "kinds",
            {
                **_GIVEN,
                "tenants": {
                    "red": {**_PLAIN, "attachments": [{"servers": "gpu", "access": "web"}]}
                },
                "zones": {**_ZONES, "a": {"vrfs": ["red/red"]}},
            },
            {"zones": {"b": {"servers": ["gpu"]}}},
        ),
    ),
    ("zones.*.through", _case(zones={"a": {"through": "c"}})),
    ("services", _case(services={"https": ["tcp/8443"]})),
    ("flows.*.clients", _case(flows=_flow(client="c"))),
    ("flows.*.servers", _case(flows=_flow(server="c"))),
    ("flows.*.services", _case(flows=_flow(service="udp/53"))),
]
JUDGED = {
    **firewall_cases.JUDGED,
    "zones.*.through": "a promise that the lists are judged by",
}
