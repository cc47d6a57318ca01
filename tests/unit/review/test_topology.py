"""Two topologies differ in devices and cables; people must visit racks for these."""

import time
from dataclasses import replace

import pytest
from bench.sites import backend
from tests.cli.calling import ROOT
from tests.unit.review.sites import changed, edited, example, moved_server, relinked, with_fabric

from fabricgen.compile.compiler import designed
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link
from fabricgen.review.model import Act
from fabricgen.review.topology import CableChanges, cable_changes

NAMES = [each.name for each in sorted((ROOT / "intent").iterdir()) if each.is_dir()]
ONE_SERVER = ("servers.yaml", "count: 64", "count: 63")


def ends(changes: CableChanges) -> dict[str, list[tuple[str, str]]]:
    """Return the ends of every changed cable by what happens to it."""
    return {
        act: [(str(each.ends.lower), str(each.ends.upper)) for each in some]
        for act in ("added", "removed", "moved", "changed")
        if (some := getattr(changes, act))
    }


def facts(changes: CableChanges) -> list[tuple[str, str, str, str, str]]:
    """Return every difference of a device."""
    return [(it.act.value, it.name, it.attribute, it.before, it.after) for it in changes.devices]


@pytest.mark.parametrize("name", NAMES)
def test_a_site_does_not_differ_from_itself(name: str) -> None:
    assert cable_changes(example(name), edited(name)) == CableChanges()


def test_one_more_server_is_one_device_and_its_cables() -> None:
    changes = cable_changes(edited("full", ONE_SERVER), example("full"))
    assert facts(changes) == [("added", "gpu0064", "", "", "")]
    assert {each.fabric for each in changes.added} == {"frontend", "backend", "storage", "oob"}
    assert {each.ends.lower.name for each in changes.added} == {"gpu0064"}
    assert len(changes.added) == len(changes.cables) == 8 + 2 + 2 + 1


def test_the_opposite_comparison_has_the_opposite_changes() -> None:
    one, other = edited("full", ONE_SERVER), example("full")
    there, back = cable_changes(one, other), cable_changes(other, one)
    assert [each.after for each in there.added] == [each.before for each in back.removed]
    assert [each.name for each in there.devices] == [each.name for each in back.devices]
    assert facts(back) == [("removed", "gpu0064", "", "", "")]


def test_a_server_that_keeps_its_port_has_moved_cables_and_leafs() -> None:
    changes = cable_changes(example("pairs"), moved_server(example("pairs")))
    assert ends(changes).keys() == {"moved"}
    (move,) = changes.server_moves
    assert (move.name, move.fabric) == ("web0001", "frontend")
    assert (move.before, move.after) == (("fe-leaf01", "fe-leaf02"), ("fe-leaf03", "fe-leaf04"))


def test_the_end_that_stays_is_not_unplugged() -> None:
    changes = cable_changes(example("pairs"), moved_server(example("pairs")))
    unplug = [str(jack) for visit in changes.visits for jack in visit.unplug]
    plug = [str(jack) for visit in changes.visits for jack in visit.plug]
    assert unplug == ["fe-leaf01:1/1", "fe-leaf02:1/1"]
    assert plug == ["fe-leaf03:6/1", "fe-leaf04:6/1"]
    floor = example("pairs").floor
    assert {visit.rack: [jack.name for jack in visit.plug] for visit in changes.visits} == {
        floor.stands[name].rack.name: [name] for name in ("fe-leaf03", "fe-leaf04")
    }


def test_a_rack_that_is_not_known_is_not_invented() -> None:
    site = example("pairs")
    bare = changed(site, floor=changed(site.floor, ends={}))
    assert [visit.rack for visit in cable_changes(bare, moved_server(bare)).visits] == [""]


def test_a_server_in_the_port_of_another_has_a_new_cable() -> None:
    def without(name: str) -> Site:
        return relinked(
            example("pairs"), "frontend", lambda link: None if link.lower.name == name else link
        )

    one = with_fabric(without("web0001"), "frontend", lambda it: _without_server(it, "web0001"))
    ports = {
        link.lower_port.label: link.upper_port
        for link in example("pairs").fabrics[0].topology.links
        if link.lower.name == "web0002"
    }

    def taken(link: Link) -> Link | None:
        if link.lower.name == "web0002":
            return None
        if link.lower.name == "web0001":
            return changed(link, upper_port=ports[link.lower_port.label])  # type: ignore[no-any-return]
        return link

    other = relinked(example("pairs"), "frontend", taken)
    other = with_fabric(other, "frontend", lambda it: _without_server(it, "web0002"))
    assert ends(cable_changes(one, other)) == {
        "added": [("web0001:front0", "fe-leaf01:1/2"), ("web0001:front1", "fe-leaf02:1/2")],
        "removed": [("web0002:front0", "fe-leaf01:1/2"), ("web0002:front1", "fe-leaf02:1/2")],
    }


def test_a_server_that_stays_gets_a_new_cable_in_a_port_of_a_removed_one() -> None:
    site = example("pairs")
    db = next(each for each in site.fabrics[0].topology.servers if each.name == "db0001")

    def taken(link: Link) -> Link:
        if (link.lower.name, link.upper.name) != ("web0002", "fe-leaf01"):
            return link
        nic = changed(link.lower_port, name="front9")
        return changed(link, lower=db, lower_port=nic)  # type: ignore[no-any-return]

    other = with_fabric(
        relinked(site, "frontend", taken), "frontend", lambda it: _without_server(it, "web0002")
    )
    changes = cable_changes(site, other)
    assert ends(changes)["added"] == [("db0001:front9", "fe-leaf01:1/2")]
    assert changes.moved == ()
    assert cable_changes(other, site).moved == ()


def _without_server(fabric: Fabric, name: str) -> Fabric:
    servers = tuple(each for each in fabric.topology.servers if each.name != name)
    return changed(fabric, topology=replace(fabric.topology, servers=servers))  # type: ignore[no-any-return]


def test_another_port_of_the_lower_switch_moves_the_cable() -> None:
    def moved(link: Link) -> Link:
        if (link.lower.name, link.upper.name) == ("fe-leaf01", "fe-spine1"):
            return changed(link, lower_port=link.upper.ports[30])  # type: ignore[no-any-return]
        return link

    changes = cable_changes(example("pairs"), relinked(example("pairs"), "frontend", moved))
    (cable,) = changes.moved
    assert len(changes.cables) == 1
    assert cable.before is not None
    assert str(cable.before.lower) == "fe-leaf01:29"
    assert str(cable.ends.lower) == "fe-leaf01:31"
    assert [str(jack) for visit in changes.visits for jack in visit.plug] == ["fe-leaf01:31"]


def test_another_state_of_a_cable_is_a_change_without_a_visit() -> None:
    because = example("pairs").fabrics[0].topology.links[0].because

    def drained(link: Link) -> Link:
        state = Standing(state=State.DRAINED, because=because)
        name = f"{link.lower.name} {link.upper.name}"
        return changed(link, standing=state) if name == "fe-leaf01 fe-spine1" else link

    changes = cable_changes(example("pairs"), relinked(example("pairs"), "frontend", drained))
    assert [(it.attribute, it.old, it.new) for it in changes.cables] == [
        ("state", "active", "drained")
    ]
    assert changes.visits == ()


def renamed(name: str, former: str = "", *more: tuple[str, str, str]) -> Site:
    """Return an example site whose leafs of the frontend have other names."""
    names = f"  names: {{leaf: 'fe-leafx{{index:02}}'{former}}}\n"
    return edited(name, ("frontend.yaml", "frontend:\n", f"frontend:\n{names}"), *more)


FORMER = ", previous_name: {leaf: 'fe-leaf{index:02}'}"


def test_a_switch_with_its_former_name_keeps_its_cables() -> None:
    there = cable_changes(example("full"), renamed("full", FORMER))
    assert there.cables == ()
    assert {each[:3] for each in facts(there)} == {
        ("renamed", f"fe-leafx{number:02}", "name") for number in range(1, 11)
    }
    assert dict(there.names)["fe-leaf01-mgmt"] == "fe-leafx01-mgmt"


def test_a_former_name_works_in_both_directions() -> None:
    one, other = example("full"), renamed("full", FORMER)
    there, back = cable_changes(one, other), cable_changes(other, one)
    assert {new: old for old, new in there.names} == dict(back.names)
    assert back.cables == ()


def test_servers_named_by_their_leaf_are_renamed_with_it() -> None:
    racks = ("racks.yaml", "fe-leaf", "fe-leafx")
    changes = cable_changes(example("tenants"), renamed("tenants", FORMER, racks))
    assert dict(changes.names)["fe-leaf01-s01"] == "fe-leafx01-s01"
    assert {each.act for each in changes.devices} == {Act.RENAMED}
    assert changes.cables == ()


def test_a_new_name_without_the_former_one_is_another_switch() -> None:
    changes = cable_changes(example("full"), renamed("full"))
    assert changes.names == ()
    assert "fe-leaf01" in changes.device_names(Act.REMOVED)
    assert "fe-leafx01" in changes.device_names(Act.ADDED)


def _with(site: Site, **identity: str) -> Site:
    known = {"fe-leaf01": Identity(**identity)}
    return with_fabric(site, "frontend", lambda it: changed(it, identities=known))


def test_another_serial_number_is_a_replaced_switch() -> None:
    one, other = (_with(example("pairs"), serial=number) for number in ("A1", "B2"))
    assert facts(cable_changes(one, other)) == [("replaced", "fe-leaf01", "serial", "A1", "B2")]


def test_a_serial_number_that_one_side_lacks_proves_nothing() -> None:
    one, other = example("pairs"), _with(example("pairs"), serial="B2")
    assert facts(cable_changes(one, other)) == []
    assert facts(cable_changes(other, one)) == []


def test_another_state_of_a_switch_is_one_change() -> None:
    site = example("pairs")
    because = site.fabrics[0].topology.links[0].because
    states = {"fe-leaf01": Standing(state=State.DEAD, because=because)}
    dead = with_fabric(site, "frontend", lambda it: changed(it, states=states))
    assert facts(cable_changes(dead, site)) == [("changed", "fe-leaf01", "state", "dead", "active")]


def test_a_device_in_another_rack_takes_its_cables_along() -> None:
    site = example("pairs")
    stand, target = site.floor.ends["web0001"], site.floor.ends["fe-leaf02"]
    ends_ = {**site.floor.ends, "web0001": changed(stand, rack=target.rack)}
    moved = changed(site, floor=changed(site.floor, ends=ends_))
    changes = cable_changes(site, moved)
    assert [fact[:3] for fact in facts(changes)] == [("moved", "web0001", "place")]
    assert {each.attribute for each in changes.cables} == {"place"}
    assert len(changes.changed) == 2


def test_100_000_gpus_are_compared_within_three_cpu_seconds() -> None:
    one, other = (designed(load_texts(backend(gpus, "sonic"))).site for gpus in (99_992, 100_000))
    assert one is not None
    assert other is not None
    start = time.process_time()
    changes = cable_changes(one, other)
    assert time.process_time() - start < 3
    assert [each.name for each in changes.devices] == ["gpu12500"]
