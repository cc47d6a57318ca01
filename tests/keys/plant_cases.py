"""Keys of the physical plan: no switch is told, unless a lossless class asks for lengths."""

from tests.keys.case import Case, Words, at


def _laid(changed: Words) -> Case:
    return Case("access", {}, {"cabling": changed})


def _by_panels(changed: Words) -> Case:
    return Case("access", _given(), {"cabling": {"structured": {"frontend": changed}}})


def _panels(changed: Words, medium: str = "multimode") -> Case:
    return Case("access", _given(medium), {"cabling": changed})


def _given(medium: str = "multimode") -> Words:
    """Return words of fiber by panels."""
    media = {"frontend": {"switches": [medium]}}
    racks = {"compute": {"panels": 8}, "network": {"panels": 8}}
    return {"cabling": {"media": media, "structured": {"frontend": {}}}, "racks": racks}


def _through(changed: Words) -> Case:
    """Return a case of fiber between racks that an area connects."""
    given = _given()
    given["racks"]["area"] = {"row": 3, "panels": 8, "contents": [{"pdus": 1}]}
    pairs = [["compute", "area"], ["area", "network"]]
    said = {"trunk": 8, "between": pairs, "through": {"area": "cross-connect"}}
    given["cabling"]["structured"]["frontend"] = said
    return Case("access", given, {"cabling": {"structured": {"frontend": changed}}})


def _racks(changed: Words) -> Case:
    return Case("access", {}, at("racks", "compute", words=changed))


_BESIDE = {"kind": "InfiniBand", "switches": 4, "links": 64, "length": 4, "watts": 900}


def _counted(**changed: object) -> Case:
    given = {"cabling": {"other_networks": {"ib": _BESIDE}}}
    return Case("access", given, {"cabling": {"other_networks": {"ib": changed}}})


CASES: list[tuple[str, Case]] = [
    ("racks.*.skips", _racks({"skips": [2]})),
    ("racks.*.ports", _racks({"ports": "hot-aisle"})),
    ("racks.*.units", _racks({"units": {"cpu0001": 20}})),
    ("cabling.media.*.servers", _laid({"media": {"frontend": {"servers": ["single-mode"]}}})),
    ("cabling.media.*.switches", _laid({"media": {"frontend": {"switches": ["single-mode"]}}})),
    (
        "cabling.media.*.copper",
        _laid({"media": {"frontend": {"copper": 1, "switches": ["copper", "multimode"]}}}),
    ),
    (
        "cabling.media.*.optics",
        _laid({"media": {"frontend": {"optics": ["QSFP28-100G-CWDM4"]}}}),
    ),
    ("cabling.media.*.color", _laid({"media": {"frontend": {"color": "aqua"}}})),
    ("cabling.media.*.jacket", _laid({"media": {"frontend": {"jacket": "plenum"}}})),
    ("cabling.structured.*.polarity", _by_panels({"polarity": "A"})),
    ("cabling.structured.*.gender", _by_panels({"gender": "pinned"})),
    ("cabling.structured.*.through", _through({"through": {"area": "interconnect"}})),
    ("cabling.structured.*.most_panels", _through({"most_panels": 2})),
    ("cabling.lengths", _laid({"lengths": [1.0, 40.0]})),
    ("cabling.spares.switches", _laid({"spares": {"switches": 0.1}})),
    ("cabling.spares.optics", _laid({"spares": {"optics": 0.1}})),
    ("cabling.spares.cables", _laid({"spares": {"cables": 0.1}})),
    ("cabling.minutes_per_cable", _laid({"minutes_per_cable": 7})),
    ("cabling.other_networks.*.switches", _counted(switches=5)),
    ("cabling.other_networks.*.links", _counted(links=65)),
    ("cabling.other_networks.*.length", _counted(length=40)),
    ("cabling.other_networks.*.medium", _counted(medium="single-mode")),
    ("cabling.other_networks.*.watts", _counted(watts=901)),
    ("cabling.slack.meters", _laid({"slack": {"meters": 9}})),
    ("cabling.structured.*.trunk", _by_panels({"trunk": 8})),
    ("cabling.structured.*.between", _by_panels({"between": [["network", "network"]]})),
    ("cabling.structured.*.spare", _by_panels({"spare": 200})),
    ("cabling.structured.*.next_fibers", _by_panels({"next_fibers": 32})),
    ("cabling.panel.ports", _panels({"panel": {"ports": 1}})),
    ("cabling.panel.units", _panels({"panel": {"units": 2}})),
    ("cabling.manager", _laid({"manager": 1})),
    ("cabling.losses.mpo", _panels({"losses": {"mpo": 0.1}})),
    ("cabling.losses.lc", _panels({"losses": {"lc": 0.1}}, "single-mode")),
    ("cabling.losses.multimode", _panels({"losses": {"multimode": 9}})),
    ("cabling.losses.single_mode", _panels({"losses": {"single_mode": 9}}, "single-mode")),
    ("cabling.slack.percent", _laid({"slack": {"percent": 90}})),
]
CABLING: dict[str, str] = {
    **{
        f"{fabric}.switches.*.model": "what to buy; files differ where those of its chip do"
        for fabric in ("backend", "frontend", "fabrics.oob")
    },
    "frontend.links.length": "what to buy, where the frontend has no lossless class",
    "frontend.leaf_groups.*.servers.cable_length": "what to buy, as above",
    "fabrics.oob.links.length": "what to buy, as above",
    "fabrics.oob.cable_length": "what to buy, as above",
    "frontend.oob.cable_length": "what to buy, as above",
    "racks.*.height": "how long cables are, where no lossless class asks",
    "racks.*.units": "as above",
    "racks.*.skips": "as above",
    "racks.*.contents.*.unit": "as above",
    "servers.*.height": "as above",
    "racks.*.panels": "what panels and cable managers may take",
    "racks.*.ports": "how switches are mounted",
    "racks.*.contents.*.airflow": "as above",
    "racks.*.power": "what the racks are planned for",
    "servers.*.watts": "as above",
    "dci.*.circuit": "the name of a line in the list of cables",
    "dci.*.kilometers": "the optics of a line",
    "dci.*.line": "as above",
    "dci.*.amplified": "as above",
}
"""Keys that only say which cable is bought: they are in the model's list of cables."""
