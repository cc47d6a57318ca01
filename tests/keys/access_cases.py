"""Keys of racks, of an out-of-band network and of sites whose effect needs a context."""

from tests.keys.case import Case, Words, at

OOB = ("fabrics", "oob")
_FAST = {
    "leaf": {"model": "7060X6-64PE"},
    "spine": {"model": "7060X6-64PE"},
    "speed": "400G",
    "links": {"speed": "400G"},
}


_PEER = {"external": {"office": {"address": "192.0.2.1/29", "peer": "192.0.2.2"}}}


def _oob(given: Words, changed: Words) -> Case:
    return Case("access", at(*OOB, words=given), at(*OOB, words=changed))


def _bare(given: Words, changed: Words) -> Case:
    """Return a case without servers: their ports would have a speed of their own."""
    racks = {"compute": {"contents": [{"switches": "fe-leaf*{rack}"}, {"pdus": 2}]}}
    without = {"servers": None, "racks": racks}
    given = {"external": None, **given}
    return Case("access", {**without, **at(*OOB, words=given)}, at(*OOB, words=changed))


def _compute(given: Words, changed: Words) -> Case:
    racks = ("racks", "compute")
    return Case("access", at(*racks, words=given), at(*racks, words=changed))


def _sharing(given: Words, changed: Words) -> Case:
    here = ("frontend", "oob")
    return Case("sharing", at(*here, words=given), at(*here, words=changed))


def _bare_sharing(changed: Words) -> Case:
    given = {"servers": None, "racks": {"compute": {"contents": [{"pdus": 1}]}}}
    return Case("sharing", given, at("frontend", "oob", words=changed))


def _stands(site: str, *fabric: str, names: str) -> Case:
    given = at(*fabric, words={"names": {"leaf": names}})
    return Case(site, given, at(*fabric, words={"site": "hall2"}))


_TEXTS = {
    "link": "{peer} {peer_port}",
    "server": "{server} {nic}",
    "external": "to {peer}",
    "bundle": "to {peer}",
}


def _described(site: str, *fabric: str, most: int) -> list[tuple[str, Case]]:
    """Return the text of each kind of port that a fabric has; storage is any of `fabrics`."""
    key = ".".join("*" if each == "storage" else each for each in fabric)
    return [
        (
            f"{key}.descriptions.{kind}",
            Case(site, {}, at(*fabric, words={"descriptions": {kind: text}})),
        )
        for kind, text in list(_TEXTS.items())[:most]
    ]


def _licensed(site: str, *place: str) -> Case:
    """Return a case in which a server is in a VLAN of `others`, so that its list has a port."""
    given = {"servers": {"cpu": {"ports": {"bmc": {"vlan": "license"}}}}}
    changed = at(*place, "vlans", "others", "license", words={"isolated": True})
    return Case(site, given, changed)


CASES: list[tuple[str, Case]] = [
    ("fabrics.oob.vlans.others.*.isolated", _licensed("access", *OOB)),
    ("frontend.oob.vlans.others.*.isolated", _licensed("sharing", "frontend", "oob")),
    *_described("tenants", "frontend", most=4),
    *_described("tenants", "site", most=4),
    *_described("rails", "backend", most=2),
    *_described("storage", "fabrics", "storage", most=2),
    *_described("access", *OOB, most=2),
    ("backend.site", _stands("rails", "backend", names="{site}-{unit}-{index}")),
    ("frontend.site", _stands("tenants", "frontend", names="{site}-{index}")),
    ("fabrics.*.site", _stands("storage", "fabrics", "storage", names="{site}-{group}-{index}")),
    ("fabrics.oob.site", _stands("access", *OOB, names="{site}-{index}")),
    ("racks.*.per_row", _compute({}, {"per_row": 2})),
    (
        "racks.*.contents.*.servers",
        _compute(
            {"count": 1, "contents": [{"pdus": 1}]}, {"contents": [{"servers": "cpu", "count": 4}]}
        ),
    ),
    (
        "racks.*.contents.*.count",
        _compute(
            {"count": 1, "contents": [{"servers": "cpu", "count": 4}]},
            {"contents": [{"servers": "cpu", "count": 3}]},
        ),
    ),
    (
        "racks.*.contents.*.first",
        _compute(
            {"count": 1, "contents": [{"servers": "cpu", "count": 2}]},
            {"contents": [{"servers": "cpu", "count": 2, "first": 2}]},
        ),
    ),
    (
        "fabrics.oob.macs",
        _oob(
            {"macs": {"cpu0001": "00:1c:73:00:00:01"}}, {"macs": {"cpu0001": "00:1c:73:00:00:02"}}
        ),
    ),
    (
        "servers.*.ports.*.vlan",
        Case("access", {}, at("servers", "cpu", "ports", "bmc", words={"vlan": "pdu"})),
    ),
    ("racks.*.names", _compute({}, {"names": "{type}-{rack}"})),
    (
        "racks.*.contents.*.airflow",
        _compute(
            {"count": 1, "contents": [{"switches": "fe-leaf*"}]},
            {"contents": [{"switches": "fe-leaf*", "airflow": "port-side-exhaust"}]},
        ),
    ),
    (
        "racks.*.contents.*.switches",
        _compute({"count": 1}, {"contents": [{"switches": "fe-leaf*"}, {"pdus": 2}]}),
    ),
    (
        "fabrics.oob.external.*.address",
        _oob(_PEER, {"external": {"office": {"address": "192.0.2.1/28"}}}),
    ),
    ("fabrics.oob.external.*.peer", _oob(_PEER, {"external": {"office": {"peer": "192.0.2.3"}}})),
    ("fabrics.oob.management", _oob({}, {"management": "10.255.8.0/24"})),
    (
        "fabrics.oob.zones.*.ports",
        _oob(
            {"external": None, "zones": {"compute": {"switch": 10}}},
            {"zones": {"compute": {"ports": 30}}},
        ),
    ),
    ("fabrics.oob.speed", _bare({}, {"speed": "100G"})),
    ("fabrics.oob.links.speed", _oob({}, {"links": {"speed": "40G"}})),
    (
        "fabrics.oob.leaf.model",
        _bare({"speed": "1G", "leaf": {"model": "7010TX-48"}}, {"leaf": {"model": "7050TX3-48C8"}}),
    ),
    (
        "fabrics.oob.leaf.model",
        _bare({"speed": "1G", "leaf": {"model": "AS4630-54PE"}}, {"leaf": {"model": "SN2201"}}),
    ),
    ("fabrics.oob.spine.breakout", _bare(_FAST, {"spine": {"breakout": "1x400G"}})),
    (
        "fabrics.oob.switches.*.platform",
        _oob(
            {"switches": {"oob-spine1": {"platform": "eos"}}},
            {"switches": {"oob-spine1": {"platform": "linux"}}},
        ),
    ),
    ("frontend.oob.speed", _bare_sharing({"speed": "100G"})),
    (
        "frontend.oob.external.*.address",
        _sharing(_PEER, {"external": {"office": {"address": "192.0.2.1/28"}}}),
    ),
    (
        "frontend.oob.external.*.peer",
        _sharing(_PEER, {"external": {"office": {"peer": "192.0.2.3"}}}),
    ),
    ("frontend.oob.cages", _sharing({"cages": {"racks": "10-20"}}, {"cages": {"racks": "11-20"}})),
    (
        "frontend.oob.macs",
        _sharing(
            {"macs": {"cpu0001": "00:1c:73:00:00:01"}}, {"macs": {"cpu0001": "00:1c:73:00:00:02"}}
        ),
    ),
]
