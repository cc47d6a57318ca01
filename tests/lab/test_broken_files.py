"""Rendered files that a switch refuses, and files of a part: what is said, and what stays up."""

from dataclasses import replace

import pytest
from tests.lab.machinery import INTENT, Ground
from tests.lab.running import compiled, wrong

from fabricgen.compile.compiler import files
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.lab.client import LabClient, LabFailure
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.up import LabRequest, boot
from fabricgen.prove.verifier import Verifier, expectations

LEAF, SPINE = "be-su01-leaf1", "be-spine1"


@pytest.fixture
def site(machine: None, ground: Ground, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Compile the example site; its labs are on the test's own ground."""
    for name, value in ground.environment.items():
        monkeypatch.setenv(name, value)
    made = compiled().site
    assert made is not None
    return made


def part(site: Site, *names: str) -> LabPlan:
    """Plan a lab of some switches."""
    return lay_out(site, name="part", lifted=None, files=(), limit=names)


def booted(
    site: Site, plan: LabPlan, path: str = "", edit: tuple[str, str] = ("", "")
) -> LabClient:
    """Boot a plan with one text of one rendered file replaced."""
    rendered = [file for _, group in files(site) for file in group]
    if path:
        assert any(file.path.endswith(path) and edit[0] in file.text for file in rendered)
    edited = [
        replace(file, text=file.text.replace(*edit)) if path and file.path.endswith(path) else file
        for file in rendered
    ]
    names = tuple(switch.name for switch in plan.switches)
    return boot(
        LabRequest(plan=plan, intent=INTENT, limit=names), edited, lambda _: None, lambda _: None
    )


def test_frr_names_the_line_that_it_refuses(site: Site, ground: Ground) -> None:
    path = f"{LEAF}/etc/frr/frr.conf"
    (text,) = [f.text for _, group in files(site) for f in group if f.path.endswith(path)]
    line = text.splitlines().index(" no bgp default ipv4-unicast") + 1
    with pytest.raises(LabFailure) as refusal:
        booted(site, part(site, LEAF), path, (" no bgp default ipv4", " no bgp defualt ipv4"))
    said = str(refusal.value)
    assert said.startswith(f"{LEAF}: FRR rejected etc/frr/frr.conf: ")
    assert f"line {line}:" in said
    assert "no bgp defualt ipv4-unicast" in said
    assert ground.left() == []


def test_ifupdown2_names_the_line_that_it_refuses(site: Site, ground: Ground) -> None:
    path, edit = f"{LEAF}/etc/network/interfaces", ("iface swp5", "ifase swp5")
    (text,) = [f.text for _, group in files(site) for f in group if f.path.endswith(path)]
    line = text.splitlines().index("iface swp5") + 1
    with pytest.raises(LabFailure) as refusal:
        booted(site, part(site, LEAF), path, edit)
    said = str(refusal.value)
    assert said.startswith(f"{LEAF}: ifupdown2 rejected etc/network/interfaces: error: ")
    assert f"line{line}: error processing line 'ifase swp5'" in said
    assert ground.left() == []


def test_a_part_with_two_cables_swapped(site: Site, ground: Ground) -> None:
    """Both ends of both cables are named, and nothing is missed of peers outside the part."""
    plan = part(site, LEAF, SPINE)
    uplinks = [cable for cable in plan.cables if cable.b == SPINE]
    assert len(uplinks) == 2
    ports = [cable.b_port for cable in uplinks]
    swapped = [
        replace(cable, b_port=port) for cable, port in zip(uplinks, ports[::-1], strict=True)
    ]
    others = [cable for cable in plan.cables if cable.b != SPINE]
    faulty = replace(plan, cables=(*others, *swapped))
    client = booted(site, faulty)
    verifier = Verifier(client.ask, expectations(site, plan.names))
    try:
        said = wrong(verifier, lambda found: all(len(each) == 2 for each in found.values()))
    except AssertionError as late:
        for name in (LEAF, SPINE):
            for ask in ("ps -eo pid,stat,args | grep [l]ldpd", "lldpcli show statistics"):
                late.add_note(f"{name}: {ask}: {client.execute(name, ('sh', '-c', ask))}")
        raise
    finally:
        client.call("down")
    (one, two), (far_one, far_two) = [cable.a_port for cable in uplinks], ports
    assert {sentence for each in said.values() for sentence in each} == {
        f"{LEAF}: {one} is cabled to {SPINE} {far_two}, but the model has {SPINE} {far_one}",
        f"{LEAF}: {two} is cabled to {SPINE} {far_one}, but the model has {SPINE} {far_two}",
        f"{SPINE}: {far_one} is cabled to {LEAF} {two}, but the model has {LEAF} {one}",
        f"{SPINE}: {far_two} is cabled to {LEAF} {one}, but the model has {LEAF} {two}",
    }
