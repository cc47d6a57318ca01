"""NICs that a set of ports on an evpn fabric names: their cages, their speeds, and no host line."""

from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import compile_site, files_of, host_slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.media import far_place, far_socket
from fabricgen.model.cabling.parts import SWITCH, counted_parts
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.plan.cabling import Plan

Keys = dict[str, Any]
SMALL = {"model": "7050CX3-32S", "platform": "eos"}
PORTS = {"fabric": "frontend", "ports": 2, "speed": "25G", "cable_length": 10}
LX = {"nic": "connectx-6-lx", "nic_ports": 2}
HERE = "servers.web.ports.front"


def keys(**ports: Any) -> Keys:
    """Return a site whose servers have ports on leafs alone."""
    vlans = {"web": {"id": 10, "subnet": "10.1.0.0/24"}}
    vrfs = {"red": {"id": 1, "vlans": vlans}}
    return {
        "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
        "servers": {"web": {"count": 4, "ports": {"front": {**PORTS, **ports}}}},
        "frontend": {"leaf": SMALL, "spine": {**SMALL, "count": 2}, "oversubscription": 16},
        "tenants": {"red": {"vrfs": vrfs, "attachments": [{"servers": "web", "access": "web"}]}},
    }


def built(**ports: Any) -> Site:
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(keys(**ports))}))
    assert made.ok, made.findings
    assert made.site is not None
    return made.site


def frontend(site: Site) -> Fabric:
    return site.fabrics[0]


def parts(site: Site) -> dict[str, int]:
    """Return what joins servers and leafs, without the grade of fiber."""
    plan = Plan.of(site)
    pieces = [piece for piece in plan.pieces if (link := piece.cables[0].link) and link.to_server]
    laid = [cable for piece in pieces for cable in piece.cables]
    counts = counted_parts(plan.site, pieces, laid)
    return {
        part.name.removeprefix("OM3 "): each["frontend"]
        for part, each in counts.items()
        if part.kind != SWITCH
    }


def test_the_nic_decides_the_optic_of_the_server() -> None:
    # 4 servers with 2 ports of 25G, 4 of them in a cage of the leaf
    assert parts(built()) == {
        "QSFP28-100G-SR4": 2,
        "MPO-12/UPC to 4x not known": 2,
        "not known": 8,
    }
    assert parts(built(**LX)) == {
        "QSFP28-100G-SR4": 2,
        "MPO-12/UPC to 4x duplex LC/UPC": 2,
        "SFP28-25G-SR": 8,
    }


def test_a_cable_with_fixed_ends_is_laid_where_it_fits_both_cages() -> None:
    assert parts(built(**LX, cable_length=3)) == {"QSFP28-4xSFP28-DAC": 2}
    assert "QSFP28-4xSFP28-DAC" not in parts(built(nic="connectx-7", cable_length=3))


def test_ports_that_share_a_cage_share_it_on_leafs_too() -> None:
    fabric = frontend(built(speed="100G", nic="connectx-8", nic_ports=2))
    links = [link for link in fabric.topology.links if link.to_server]
    places = {far_place(fabric, link).cage for link in links if link.lower.name == "web0001"}
    assert len(places) == 1
    socket = far_socket(fabric, links[0])
    assert socket is not None
    assert (socket.forms, socket.modes) == (("OSFP",), ("2x100G",))


def texts(site: Site) -> dict[str, str]:
    renderer = Renderer()
    return {file.path: file.text for one in host_slices(site) for file in files_of(one, renderer)}


def test_no_line_of_a_server_follows_from_it() -> None:
    assert texts(built()) == texts(built(**LX)) != {}


@pytest.mark.parametrize(
    ("ports", "code", "path", "message", "hint"),
    [
        (
            {"nic": "connectx-6-lx", "nic_ports": 2, "speed": "100G"},
            Code.SPEED_NOT_ON_MODEL,
            f"{HERE}.speed",
            "connectx-6-lx does not run 2 port(s) at 100G",
            f"set `{HERE}.nic` to another NIC, one of: bluefield-3, ",
        ),
        (
            {"nic": "pollara-400", "nic_ports": 2, "speed": "100G"},
            Code.UNSUPPORTED,
            f"{HERE}.nic_ports",
            "pollara-400 has at most 1 port(s), but the intent needs 2",
            f"set `{HERE}.nic` to another NIC, one of: bluefield-3, ",
        ),
        (
            {"nic": "conectx-7"},
            Code.UNKNOWN_REFERENCE,
            f"{HERE}.nic",
            "no NIC 'conectx-7' in the catalog",
            "did you mean 'connectx-7'?",
        ),
        (
            {"nic": "connectx-7", "nic_ports": 4},
            Code.BAD_VALUE,
            f"{HERE}.nic_ports",
            "2 ports of a server are not a multiple of 4 ports per NIC",
            "",
        ),
        (
            {"nic_ports": 2},
            Code.MISSING_KEY,
            f"{HERE}.nic_ports",
            "the ports of a NIC are set, but not the NIC",
            "set its model in `nic`",
        ),
        (
            {"nic_slots": ["0000:18:00.0"]},
            Code.BAD_VALUE,
            f"{HERE}.nic_slots",
            "frontend is of kind evpn, where `nic_slots` has no effect",
            "a set of ports there supports bond, ",
        ),
    ],
)
def test_a_nic_that_does_not_fit_is_an_error(
    ports: Keys, code: Code, path: str, message: str, hint: str
) -> None:
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(keys(**ports))}))
    (found,) = (item for item in made.findings if item.severity is Severity.ERROR)
    assert (found.code, ".".join(map(str, found.path))) == (code, path)
    assert found.message == message
    assert found.hint.startswith(hint)


def test_a_refused_name_of_a_nic_brings_no_second_error() -> None:
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(keys(nic="", nic_ports=2))}))
    found = [item for item in made.findings if item.severity is Severity.ERROR]
    assert [".".join(map(str, item.path)) for item in found] == [f"{HERE}.nic"]


def test_a_frontend_with_roce_asks_its_nics_what_rails_ask() -> None:
    words = keys(nic="thor2", nic_ports=2, speed="100G")
    words["frontend"] |= {"roce": {"over_subscription": 8, "storage": {}}}
    words["frontend"] |= {"leaf": {"model": "SN5600", "platform": "sonic"}}
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)}))
    messages = [item.message for item in made.findings if item.severity is Severity.ERROR]
    assert any(text.startswith("thor2 pauses 1 priority") for text in messages), messages
