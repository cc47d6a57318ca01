"""A site answers for its findings, switches, servers, files and lines."""

from pathlib import Path

import pytest
from tests.cli.calling import call

from fabricgen import InvalidSite, Site, UnknownName
from fabricgen.core.diagnostics import Severity


def change(site: Path, old: str, new: str) -> Site:
    file = site / "site.yaml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    return Site.load(site)


def test_a_good_site_has_switches_servers_and_no_errors(lab: Site) -> None:
    assert lab.ok
    assert Severity.ERROR not in {each.severity for each in lab.findings}
    assert [each.place.rpartition("/")[2] for each in lab.findings] == ["frontend.yaml:2:1"]
    assert [*lab.fabrics] == ["frontend", "backend"]
    leaf = lab.switches["fe-leaf01"]
    assert (leaf.fabric, leaf.role, leaf.platform) == ("frontend", "leaf", "linux")
    assert lab["fe-leaf01"] is leaf
    assert lab["gpu0001"] is lab.servers["gpu0001"]


def test_a_broken_site_has_findings_with_places(copy: Path) -> None:
    site = change(copy, "name: lab", "nam: lab")
    assert not site.ok
    first = site.findings[0]
    assert first.severity is Severity.ERROR
    assert (Path(first.file).name, first.line) == ("site.yaml", 4)
    assert "with errors" in repr(site)


@pytest.mark.parametrize(
    "ask",
    [
        lambda site: site.model,
        lambda site: site.fabrics,
        lambda site: site.switches,
        lambda site: site.servers,
        lambda site: site["fe-leaf01"],
        lambda site: site.reach("gpu0001", "gpu0002"),
        lambda site: site.matrix(),
        lambda site: site.failures(),
        lambda site: site.lossless(),
        lambda site: site.cabling(),
        lambda site: site.render(site.path / "out"),
        lambda site: site.verify(answers=site.path),
        lambda site: site.diff("intent/lab"),
    ],
)
def test_a_broken_site_refuses_everything_else(ask: object, copy: Path) -> None:
    site = change(copy, "name: lab", "nam: lab")
    assert callable(ask)
    with pytest.raises(InvalidSite):
        ask(site)
    assert not (copy / "out").exists()


def test_a_folder_that_does_not_exist_is_a_finding(tmp_path: Path) -> None:
    site = Site.load(tmp_path / "none")
    assert [each.code for each in site.findings] == ["FG001"]


@pytest.mark.parametrize("text", ["router-id", "advertise-all-vni"])
def test_a_line_is_explained_as_the_verb_does(lab: Site, text: str) -> None:
    printed = call("explain", "intent/lab", "fe-leaf01", text).out
    lines = Site.load("intent/lab").switches["fe-leaf01"].explain(text=text)
    assert str(lines[0]) in printed
    assert all(f"{line.file}:{line.number}" in printed for line in lines[:1])
    file = lab.switches["fe-leaf01"].files[lines[0].file]
    assert [each.text for each in file.explain(line=lines[0].number)] == [lines[0].text]
    assert file.text.splitlines()[lines[0].number - 1] == lines[0].text


def test_a_server_has_its_cabled_ports(lab: Site) -> None:
    ports = lab.servers["gpu0001"].ports
    cables = [
        cable
        for fabric in lab.fabrics.values()
        for cable in fabric.cables()
        if cable.lower == "gpu0001"
    ]
    assert {(port.switch, port.switch_port) for port in ports} == {
        (cable.upper, cable.upper_port) for cable in cables
    }
    assert len(ports) == len(cables) > 1


@pytest.mark.parametrize(
    ("ask", "hint"),
    [
        (lambda site: site.switches["fe-leaf1"], "did you mean 'fe-leaf01'?"),
        (lambda site: site["gpu001"], "did you mean 'gpu0001'?"),
        (lambda site: site.fabrics["backand"], "did you mean 'backend'?"),
        (lambda site: site.servers["gpu0001"].files["nothing"], "no file of gpu0001"),
        (lambda site: site.failures("fe-spin1"), "did you mean 'fe-spine1'?"),
        (lambda site: site.lossless("be-spin1"), "did you mean"),
        (lambda site: site.reach("gpu001", "gpu0002"), "did you mean 'gpu0001'"),
        (lambda site: site.cabling().at("fe-leaf1:1"), "did you mean 'fe-leaf01'"),
    ],
)
def test_an_unknown_name_has_a_hint(lab: Site, ask: object, hint: str) -> None:
    assert callable(ask)
    with pytest.raises(UnknownName) as raised:
        ask(lab)
    assert hint in str(raised.value)
    assert isinstance(raised.value, KeyError)
