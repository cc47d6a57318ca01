"""From intents that reach no switch: that nothing is forgotten without a word (FG309)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_ONLY,
    changed,
    cut,
    designed,
    examine,
    fabric_of,
    first_red,
    reds,
    relinked,
    told,
    with_interface,
)

from fabricgen.compile.checks.coverage import Coverage
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import Site, SwitchSlice

CODE = Code.INTENT_WITHOUT_LINES
SITE = designed(FRONTEND)


def unattached(*numbers: int) -> Site:
    """Return the site without the attachments that carry one of these VLANs."""
    overlay = fabric_of(SITE, "frontend").overlay
    assert overlay is not None
    ports = {
        leaf: {
            server: carries
            for server, carries in servers.items()
            if not {vlan.id for vlan in (carries.untagged, *carries.tagged) if vlan} & set(numbers)
        }
        for leaf, servers in overlay.ports.items()
    }
    return changed(SITE, "frontend", overlay=replace(overlay, ports=ports))


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Coverage, designed(EVERY[shape])), CODE) == []


def test_a_vlan_and_a_vrf_without_attachment_are_warnings() -> None:
    result = examine(Coverage, unattached(120))
    assert reds(result, CODE) == [
        "VLAN blue-app (120) has no attachment, so no switch is configured with it",
        "VLAN blue-heart (130) has no attachment, so no switch is configured with it",
        "VRF blue has no attachment, so no switch is configured with it",
    ]
    assert {finding.severity for finding in result.findings} == {Severity.WARNING}
    assert result.findings[0].path == ("tenants", "blue", "vrfs", "blue", "vlans", "app")


def test_a_switch_without_a_slice_is_found() -> None:
    pieces = [item for item in cut(SITE) if item[1].switch.name != "fe-leaf02"]
    assert "fe-leaf02 has 0 slices" in first_red(examine(Coverage, SITE, pieces), CODE)


def test_a_switch_with_nothing_in_use_is_found() -> None:
    """Catch a bug of a peer: an odd switch got no configuration, and validation was green."""

    def shut(switch_slice: SwitchSlice) -> SwitchSlice:
        return replace(
            switch_slice,
            interfaces=tuple(replace(i, use=Use.UNUSED) for i in switch_slice.interfaces),
        )

    pieces = told(cut(SITE), "fe-spine1", shut)
    assert "fe-spine1 has no interface in use" in first_red(examine(Coverage, SITE, pieces), CODE)


def test_a_server_without_a_link_is_found() -> None:
    site = designed(RAIL_ONLY)
    links = [link for link in site.fabrics[0].topology.links if link.lower.name != "gpu0003"]
    assert "gpu0003 has no link to any switch" in first_red(
        examine(Coverage, relinked(site, "backend", links)), CODE
    )


def test_an_attached_port_that_carries_nothing_is_found() -> None:
    pieces = told(
        cut(SITE),
        "fe-leaf01",
        lambda switch_slice: with_interface(
            switch_slice, lambda i: i.use is Use.EDGE, carries=None
        ),
    )
    said = first_red(examine(Coverage, SITE, pieces), CODE)
    assert said == "server 1 of fe-leaf01 is attached, but no port carries its VLANs"


def test_an_attachment_to_a_leaf_that_is_not_there_is_found() -> None:
    overlay = fabric_of(SITE, "frontend").overlay
    assert overlay is not None
    ports = {**overlay.ports, "fe-leaf77": overlay.ports["fe-leaf01"]}
    site = changed(SITE, "frontend", overlay=replace(overlay, ports=ports))
    assert "fe-leaf77 are attached, but no leaf has this name" in first_red(
        examine(Coverage, site), CODE
    )
