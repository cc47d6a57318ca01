"""A NIC whose ports share a cage takes one optic, or one end of a cable, for all of them."""

from collections import Counter

import yaml
from tests.designs.test_designs import intent

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.cabling.parts import OPTIC, counted_parts, plugged
from fabricgen.model.fabric.topology import Server
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.labels import labels
from fabricgen.plan.documents.plan import lldp


def planned(nic: str, servers: int = 64, **cabling: object) -> Plan:
    """Return the plan of NVIDIA's scalable unit of 64 DGX B300 with another NIC."""
    words = intent("superpod-b300", servers)
    words["backend"]["servers"]["nic"] = nic
    if cabling:
        words["cabling"] = cabling
    site = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)})).site
    assert site is not None
    return Plan.of(site)


def server_optics(plan: Plan) -> int:
    ends = ((end, optic) for _, end, optic in plugged(plan.laid))
    return sum(isinstance(end.owner, Server) and optic is not None for end, optic in ends)


def test_a_unit_of_512_gpus_buys_512_optics_for_its_nics() -> None:
    plan = planned("connectx-8")
    assert sum(cable.link is not None and cable.link.to_server for cable in plan.laid) == 1024
    assert server_optics(plan) == 512
    parts = counted_parts(plan.site, plan.pieces, plan.laid)
    optics = sum(count.total() for part, count in parts.items() if part.kind == OPTIC)
    assert optics == 512 + 512 + 1024  # NICs, leafs below, and both ends between switches


def test_two_cages_take_an_optic_each() -> None:
    assert server_optics(planned("bluefield-3")) == 1024


def legs(plan: Plan) -> dict[tuple[str, int | str], list[Cable]]:
    """Return the cables of each cage of a NIC."""
    found: dict[tuple[str, int | str], list[Cable]] = {}
    for cable in plan.laid:
        if isinstance(cable.far.owner, Server):
            found.setdefault((cable.far.name, cable.far.place.cage), []).append(cable)
    return found


def test_both_ports_of_a_cage_have_one_optic_and_a_label_each() -> None:
    plan = planned("connectx-8", 2)
    for pair in legs(plan).values():
        one, other = pair
        assert one.far.optic is other.far.optic is not None
        assert {one.plane, other.plane} == {1, 2}
        assert {one.far.place.sub, other.far.place.sub} == {0, 1}
    assert len(legs(plan)) == 2 * 8
    ends = Counter(line.split(",")[0] for line in labels(plan).splitlines()[1:])
    assert set(ends.values()) == {1}
    assert lldp(plan.site).count('"gpu0001"') == 16


def test_copper_with_two_equal_ends_does_not_reach_two_planes() -> None:
    media = {"media": {"backend": {"servers": ["copper", "multimode"]}}}
    plan = planned("connectx-8", 2, **media)
    assert {cable.medium for pair in legs(plan).values() for cable in pair} == {"multimode"}
