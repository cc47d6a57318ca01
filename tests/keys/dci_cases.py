"""Keys of links between sites, and of gateways, whose effect needs a context."""

from typing import Any

from tests.keys import gateway_cases
from tests.keys.case import Case, Words, at


def _link(**words: Any) -> Words:
    return at("dci", "wan", words=words)


def _transfer(**words: Any) -> Case:
    return Case("joined", {}, _link(transfers={"backup": words}))


_ALONE = {"east": {"cages": "20"}, "west": {"cages": "22"}}
_CLASSED = at(
    "fabrics",
    words={
        hall: {"classes": {"bulk": {"queue": 1, "dscps": [8], "share": 20}}}
        for hall in ("east", "west")
    },
)
CASES: list[tuple[str, Case]] = [
    *gateway_cases.CASES,
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
    "dci.*.transfers.*.qos": "what has a share of the rate may need more than its window",
    "dci.*.transfers.*.terabytes": "a window that is too short is an error",
    "dci.*.transfers.*.hours": "as above",
    "dci.*.transfers.*.efficiency": "as above",
}
