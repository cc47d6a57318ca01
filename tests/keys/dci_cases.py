"""Keys of links between sites, and of gateways, whose effect needs a context."""

from typing import Any

from tests.keys import gateway_cases
from tests.keys.case import Case, Words, at


def _link(**words: Any) -> Words:
    return at("dci", "wan", words=words)


def _transfer(**words: Any) -> Case:
    return Case("joined", {}, _link(transfers={"backup": words}))


_HOSTS = {
    "asn": 65_103,
    "accept": ["10.99.0.0/24"],
    "max_prefixes": {"count": 100, "action": "end"},
}
_ALONE = {"east": {"cages": "20"}, "west": {"cages": "22"}}
_CLASSED = at(
    "fabrics",
    words={
        hall: {"classes": {"bulk": {"queue": 1, "dscps": [8], "share": 20}}}
        for hall in ("east", "west")
    },
)
_SWAPPED = {"east": {"backup": True}, "west": {"backup": False}}
_BOTH = {
    hall: {"vrfs": {"red": {"hosts": {"others": _HOSTS}}}} for hall in ("red-east", "red-west")
}
_GREEN = {
    "tenants": {
        f"red-{hall}": {
            "vrfs": {
                "green": {
                    "id": 9,
                    "vlans": {"spare": {"id": 300, "subnet": f"172.2{number}.0.0/24"}},
                    "hosts": {"nodes": _HOSTS},
                }
            }
        }
        for number, hall in enumerate(("east", "west"), 2)
    },
    "dci": {
        "wan": {"vrfs": {"green": 7}},
        "spare": {"vrfs": {"green": 8}, "rate": "100G"},
    },
}


def _served(given: Words, **changed: Any) -> Case:
    return Case("served", given, changed)


def _line(**words: Any) -> Case:
    return _served({}, dci={"wan": words})


def _application(given: Words, **words: Any) -> Case:
    return _served(given, applications={"inference": words})


def _copies(given: Words, **words: Any) -> Case:
    return _served(given, distribution={"weights": words})


CASES: list[tuple[str, Case]] = [
    *gateway_cases.CASES,
    ("dci.*.circuit", _line(circuit="NET 4712")),
    ("dci.*.kilometers", _line(kilometers=8)),
    ("dci.*.line", _line(line="service")),
    (
        "dci.*.amplified",
        _served({"dci": {"wan": {"kilometers": 8}}}, dci={"wan": {"amplified": True}}),
    ),
    ("dci.*.loss", _line(loss=22.5)),
    ("dci.*.equipment", _line(equipment=5000)),
    (
        "dci.*.milliseconds",
        _served(
            {"dci": {"wan": {"equipment": None, "kilometers": None, "circuit": None}}},
            dci={"wan": {"milliseconds": 3}},
        ),
    ),
    ("dci.*.prefer", _line(prefer="backup")),
    ("applications.*.vrf", _application(_GREEN, vrf="green")),
    ("applications.*.address", _application({}, address="10.99.0.2")),
    (
        "applications.*.replicas.*.hosts",
        _application({"tenants": _BOTH}, replicas={"west": {"hosts": "others"}}),
    ),
    ("applications.*.replicas.*.backup", _application({}, replicas=_SWAPPED)),
    (
        "applications.*.clients",
        _application({"applications": {"inference": {"round_trip": 0.5}}}, clients=["east"]),
    ),
    ("applications.*.round_trip", _application({}, round_trip=0.5)),
    ("distribution.*.terabytes", _copies({}, terabytes=200)),
    ("distribution.*.hours", _copies({}, hours=0.01)),
    ("distribution.*.efficiency", _copies({}, efficiency=0.01)),
    ("distribution.*.qos", _copies({}, qos="none")),
    ("distribution.*.source", _copies({}, source="nowhere")),
    ("distribution.*.sites", _copies({}, sites=["nowhere"])),
    ("distribution.*.vrf", _copies({}, vrf="nowhere")),
    (
        "dci.*.ends.*.cages",
        Case("joined", {}, _link(ends={"east": {"cages": "18-19"}})),
    ),
    ("dci.*.ends.*.peer", Case("tunneled", {}, _link(ends={"east": {"peer": "other1"}}))),
    ("dci.*.gre.vrf", Case("tunneled", {}, _link(gre={"vrf": "spare"}))),
    ("dci.*.vrfs", Case("joined", {}, _link(vrfs={"red": 102}))),
    (
        "dci.*.rate",
        Case("joined", _link(transfers=None, rate="100G", ends=_ALONE), _link(rate="10G")),
    ),
    (
        "dci.*.transfers.*.qos",
        Case("joined", _CLASSED, _link(transfers={"backup": {"qos": "bulk"}})),
    ),
    ("dci.*.transfers.*.terabytes", _transfer(terabytes=500)),
    ("dci.*.transfers.*.hours", _transfer(hours=0.5)),
    ("dci.*.transfers.*.efficiency", _transfer(efficiency=0.1)),
]
JUDGED = {
    "dci.*.loss": "what optics cannot carry is an error",
    "dci.*.equipment": "what an application does not tolerate is an error",
    "dci.*.milliseconds": "as above",
    "applications.*.clients": "as above",
    "applications.*.round_trip": "as above",
    **{
        f"distribution.*.{key}": "copies that exceed their window are an error"
        for key in ("terabytes", "hours", "efficiency", "qos", "source", "sites", "vrf")
    },
    "dci.*.transfers.*.qos": "what has a share of the rate may need more than its window",
    "dci.*.transfers.*.terabytes": "a window that is too short is an error",
    "dci.*.transfers.*.hours": "as above",
    "dci.*.transfers.*.efficiency": "as above",
}
