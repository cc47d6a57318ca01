"""What-if: the design at its own point, longer cables, linear in ports, and as check refuses."""

import shutil
from pathlib import Path

import pytest

from fabricgen import Site, UnknownName
from fabricgen.api.lossless import LosslessReport
from fabricgen.api.whatif import Change
from fabricgen.core.diagnostics import Code, Severity

FULL = Path("intent/full")
OF_LOSSLESS = {
    Code.BUFFER_EXCEEDED,
    Code.HEADROOM_DIFFERS,
    Code.HEADROOM_UNKNOWN,
    Code.MARKING_RULE,
}


@pytest.fixture(scope="module")
def report() -> LosslessReport:
    return Site.load(FULL).lossless()


def _groups(report: LosslessReport) -> list[tuple[str, int]]:
    """Return the first switch of each kind, with the number of each of its groups."""
    return [
        (kind.names[0], number)
        for kind in report.kinds
        for number in range(len(report.groups(kind.names[0])))
    ]


@pytest.mark.parametrize("name", ["full", "lab", "three-tier"])
def test_the_point_of_the_design_has_its_numbers(name: str) -> None:
    report = Site.load(Path("intent") / name).lossless()
    compared = 0
    for switch, number in _groups(report):
        fabric = next(each for each in report.fabrics if switch in each.lossless.switches)  # type: ignore[union-attr]
        lossless = fabric.lossless
        assert lossless is not None
        buffers = lossless.switches[switch]
        told = report.what_if(switch, Change(group=number))
        assert (told.headroom, told.shared) == (buffers.headroom, buffers.shared)
        assert told.pause_at == buffers.pause_at
        assert told.terms == buffers.terms
        assert told.port in [port for port, _ in buffers.ports]
        assert told.round_trip == lossless.round_trip
        role = next(each.role for each in fabric.topology.switches if each.name == switch)
        for kind, points in lossless.plans_of(role):
            assert told.marking[kind.value][str(points.speed)] == points
        assert not told.refused
        compared += 1
    assert compared


def test_the_grid_has_the_point_of_the_design(report: LosslessReport) -> None:
    for grid in report.what_if_grids().values():
        mtu = grid["mtus"].index(grid["mtu"])
        for kind in grid["kinds"]:
            found = report.groups(kind["switches"][0])
            for number, (cables, speed, count) in enumerate(kind["groups"]):
                length = grid["lengths"].index(grid["cables"][cables][1])
                point = grid["tables"][kind["table"]]["points"][mtu][speed][length]
                told = report.what_if(kind["switches"][0], Change(group=number))
                assert point[0] == told.port.headroom
                assert [value for _, value, _ in point[-1]] == [
                    term.value for term in told.port.computed.terms
                ]
                assert found[number].ports == count
            assert kind["shown"] == [told.headroom, told.shared, told.pause_at]


def test_a_longer_cable_never_lowers_headroom(report: LosslessReport) -> None:
    lengths = (1, 2, 3, 5, 8, 13, 20, 30, 41, 75, 100, 150, 300, 301, 700, 2000)
    for switch, number in _groups(report):
        found = [report.what_if(switch, Change(group=number, meters=each)) for each in lengths]
        computed = [each.port.computed.total for each in found]
        # Where the vendor's rows end, the value may fall: the row of 40 m is above the formula.
        rows = [each.port.headroom for each in found if each.port.shipped is not None]
        beyond = [each.port.headroom for each in found if each.port.shipped is None]
        assert rows == sorted(rows)
        assert beyond == sorted(beyond)
        assert rows
        assert beyond
        assert computed == sorted(computed)
        assert computed[0] < computed[-1]
        trips = [each.round_trip.total for each in found]
        assert trips == sorted(trips)
        assert trips[0] < trips[-1]


def test_the_memory_is_linear_in_the_ports(report: LosslessReport) -> None:
    for switch, number in _groups(report):
        one, two, many = (
            report.what_if(switch, Change(group=number, ports=count)).shared
            for count in (1, 2, 101)
        )
        assert one - many == 100 * (one - two)
        assert one > two


def _refused(folder: Path) -> set[Code]:
    findings = Site.load(folder).findings
    return {Code(each.code) for each in findings if each.severity is Severity.ERROR} & OF_LOSSLESS


def _with_length(target: Path, meters: int) -> Path:
    shutil.copytree(FULL, target)
    file = target / "backend.yaml"
    text = file.read_text()
    changed = text.replace("links: {speed: 400G}", f"links: {{speed: 400G, length: {meters}}}")
    assert changed != text
    file.write_text(changed)
    return target


def test_check_refuses_from_the_breaking_length_on(report: LosslessReport, tmp_path: Path) -> None:
    def breaks(meters: int) -> bool:
        return not report.what_if("be-spine1", Change(meters=meters)).ok

    first = next(meters for meters in range(1, 2001) if breaks(meters))
    assert first > 5
    assert not _refused(_with_length(tmp_path / "below", first - 1))
    told = report.what_if("be-spine1", Change(meters=first)).refused
    assert _refused(_with_length(tmp_path / "at", first)) == {each.code for each in told}
    far = report.what_if("be-spine1", Change(meters=2000)).refused
    assert Code.MARKING_RULE in {each.code for each in far}
    assert _refused(_with_length(tmp_path / "far", 2000)) == {each.code for each in far}


def test_an_unknown_switch_and_group_are_refused(report: LosslessReport) -> None:
    with pytest.raises(UnknownName, match="be-spine1"):
        report.what_if("be-spine11", Change())
    with pytest.raises(UnknownName, match="group"):
        report.what_if("be-spine1", Change(group=7))
