"""The address of an application moves to the other site by BGP, and each engine walks it there."""

import pytest
from tests.unit.reach.engines import broken, every_case
from tests.unit.reach.features import SERVED

from fabricgen.prove.reach.matrix import Case
from fabricgen.prove.walk.packet import Outcome

SILENT = {
    "linux": ("east-leaf0?/etc/frr/frr.conf", r"(?m)^ *neighbor 10\.195\.\S+ remote-as 65101\n"),
    None: ("east-leaf0?/eos.cfg", r"(?m)^ *neighbor 10\.195\.\S+ remote-as 65101\n"),
}
"""The sessions with the servers of the first site, by platform."""
CUT = {
    "linux": ("east-leaf01/etc/frr/frr.conf", r"(?m)^ *neighbor 10\.250\.\S+ remote-as 64802\n"),
    None: ("east-leaf01/eos.cfg", r"(?m)^ *neighbor 10\.250\.\S+ remote-as 64802\n"),
}
"""The session of the primary link."""


def answering(case: Case) -> set[str]:
    """Return the sites whose leafs the path of a packet to an application enters."""
    nodes = (hop.node.partition("-leaf") for hop in case.written.hops)
    return {site for site, leaf, _ in nodes if leaf}


@pytest.mark.parametrize("platform", [None, "linux"])
@pytest.mark.parametrize(
    ("broken_by", "client", "server"),
    [
        ({}, "west", "east"),
        ({}, "east", "east"),
        (SILENT, "west", "west"),
        (SILENT, "east", "west"),
        (CUT, "west", "west"),
        (CUT, "east", "east"),
    ],
    ids=["whole-west", "whole-east", "silent-west", "silent-east", "cut-west", "cut-east"],
)
def test_an_address_moves_to_the_backup_and_back(
    platform: str | None, broken_by: dict[str | None, tuple[str, str]], client: str, server: str
) -> None:
    """Clients of both sites are served while one advertises it; without the link, by their own."""
    crosses = client != server
    client = f"{client}-node0003:front0"
    ends = (client, "application:inference")
    if broken_by:
        place, old = broken_by[platform]
        (case, *_) = broken((SERVED, platform), place, old, "", *ends)
    else:
        every = every_case(SERVED, platform, chosen=lambda each: each.station.name in ends)
        case = next(each for each in every if each.one.station.name == client)
    assert case.written.outcome is Outcome.REACHES, case.written
    assert answering(case) == ({"east", "west"} if crosses else {server})
