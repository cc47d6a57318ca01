"""The catalog beside SONiC's own files: every hwsku, release and topology, cell by cell.

The files in `shipped/` are rows of sonic-buildimage at the commits that each names. They are read
here as they stand; the catalog's data is a reshaped copy, read by the catalog's own code.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.catalog.skus import Sku
from fabricgen.model.catalog.switches import SwitchModel, running_as
from fabricgen.model.catalog.targets import TYPES, target_of
from fabricgen.model.fabric.topology import Port
from fabricgen.nos.sonic.buffers import buffers
from fabricgen.nos.sonic.names import layout
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.view import Tables

SHIPPED_FILES = Path(__file__).parent / "shipped"
ROLES = tuple(TYPES)
LOSSY_ALONE = "its template is lossy: the image's own lossy profiles are not written"
ONE_POOL = (
    "one ingress pool is written, or the switch halves the lossless one (docs/design/lossless.md)"
)
TWO_POOLS = {
    "ACS-SN2201",
    "ACS-MSN3700",
    "ACS-MSN4600C",
    "ACS-MSN4700",
    "ACS-SN5600",
    "Mellanox-SN5600-O128",
}
NOT_IN_A_BRANCH = {
    "CX732Q-N": "no branch has the platform",
    "CX864E-N": "no branch has the platform",
    "DS5000": "no branch has the platform",
    "AS9817-64O": "no branch has the platform",
    "SONIC-VS": "put together when an image is built, from Force10-S6000",
}
EVERY_OTHER = "it uses every other cage"
LEFT_OUT = {
    "Arista-7050CX3-32S-C28S4": "1x10G in a cage of four lanes",
    "Arista-7050CX3-32S-D48C8": "no ports in service cages",
    "Arista-7050CX3-32S-C28S16": "no ports in a service cage",
    "Arista-7050CX3-32S-C6S104": "no ports in a service cage",
    "Arista-7050CX3-32S-S128": "no ports in a service cage",
    "Arista-7060X6-64PE-C256S2": EVERY_OTHER,
    "Arista-7060X6-64PE-C224O8": EVERY_OTHER,
    "Arista-7060X6-64PE-P32V128": "no ports in service cages",
    "Mellanox-SN4600C-D100C12S2": "1x10G in a cage of four lanes",
    "Mellanox-SN5600-C224O8": EVERY_OTHER,
    "Mellanox-SN5600-C256S1": EVERY_OTHER,
    "Mellanox-SN5640-C508O1X2": "several speeds in one cage",
}
Row = dict[str, str]


@cache
def rows(name: str) -> list[Row]:
    lines = (SHIPPED_FILES / f"{name}.csv").read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("# ")))


@cache
def by_platform(name: str, release: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows(name):
        if row["releases"] == "all" or release in row["releases"].split():
            found.setdefault(row["platform"], []).append(row)
    return found


def held(name: str, platform: str, hwsku: str | None, release: str) -> Iterator[Row]:
    """Yield the rows of a platform, or of one of its hwskus, that hold in a release."""
    for row in by_platform(name, release).get(platform, ()):
        if hwsku in (None, row.get("hwsku")):
            yield row


MODELS = {
    name: str(known.platforms["sonic"]["platform"])
    for name in SHIPPED.switch_names()
    if "platform" in (known := SHIPPED.known(name)).platforms.get("sonic", {})
}
IN_A_BRANCH = sorted(MODELS.keys() - NOT_IN_A_BRANCH.keys())
CELLS = [(model, release) for model in IN_A_BRANCH for release in RELEASES]


def target(model: str, release: str, role: str) -> SwitchModel:
    return running_as(SHIPPED.known(model), None, target_of(role, release))


def skus(model: str, release: str, role: str) -> list[Sku]:
    """Return the hwskus that a release has."""
    return [sku for sku in target(model, release, role).skus["sonic"] if sku.ships]


def topology(model: str, hwsku: str, release: str, role: str) -> str:
    """Return the template that the release takes for a role, read from its own tables."""
    kind = {"leaf": "t0", "spine": "t1"}.get(role)
    if kind is not None:
        return kind
    (files,) = held("hwsku_files", MODELS[model], hwsku, release)
    wanted = files["default_topo"] if release == "202405" else "t2"
    return wanted if wanted in files["topologies"].split() else "t1"


def test_every_platform_of_a_branch_is_generated() -> None:
    platforms = {row["platform"] for row in rows("hwsku_files")}
    assert {MODELS[model] for model in IN_A_BRANCH} == platforms
    assert not {MODELS[model] for model in NOT_IN_A_BRANCH} & platforms


@pytest.mark.parametrize(("model", "release"), CELLS)
def test_the_hwskus_are_those_of_the_release(model: str, release: str) -> None:
    shipped = {row["hwsku"] for row in held("hwsku_files", MODELS[model], None, release)}
    assert {sku.name for sku in skus(model, release, "leaf")} == shipped - LEFT_OUT.keys()


def test_what_is_left_out_is_in_a_branch() -> None:
    assert LEFT_OUT.keys() <= {row["hwsku"] for row in rows("hwsku_files")}


def ports_of(model: SwitchModel, sku: Sku) -> tuple[Port, ...]:
    return tuple(
        Port(
            cage=cage,
            sub=sub,
            subs=mode.count,
            lane=sub * mode.lanes,
            lanes=mode.lanes,
            speed=mode.speed,
        )
        for cage, mode in sku.layout.items()
        for sub in range(mode.count)
    )


def shipped_ports(model: str, hwsku: str, release: str) -> set[tuple[str, ...]]:
    (files,) = held("hwsku_files", MODELS[model], hwsku, release)
    named = files["same_as"] or hwsku
    return {
        tuple(port.split("|"))
        for row in held("ports", MODELS[model], named, release)
        for port in row["ports"].split()
    }


def lanes(text: str) -> str:
    first, *more = text.split(",")
    return f"{first}-{more[-1]}" if more else first


@pytest.mark.parametrize(("model", "release"), CELLS)
def test_ports_are_named_as_they_ship(model: str, release: str) -> None:
    """Name, lanes, alias, index and speed of every port of every hwsku as it ships."""
    for sku in skus(model, release, "leaf"):
        runs = running_as(SHIPPED.known(model), sku.name, target_of("leaf", release))
        ports = ports_of(runs, sku)
        made = {
            (each.name, lanes(each.lanes), each.alias, each.index, str(port.speed.megabits))
            for each, port in zip(layout(runs, ports), ports, strict=True)
        }
        assert made == shipped_ports(model, sku.name, release)


@pytest.mark.parametrize(("model", "release"), CELLS)
def test_split_ports_have_the_aliases_of_platform_json(model: str, release: str) -> None:
    for sku in (sku for sku in skus(model, release, "leaf") if sku.splits):
        runs = running_as(SHIPPED.known(model), sku.name, target_of("leaf", release))
        cages = {str(row[0]): int(cage) for cage, row in ports_map(runs).items()}
        for row in held("breakout_aliases", MODELS[model], None, release):
            if "+" not in row["mode"]:
                named = dict(port.split("|") for port in row["ports"].split())
                wanted = {cages[name]: text for name, text in named.items() if name in cages}
                assert spelled(runs, sku, wanted, int(row["mode"].partition("x")[0])) == wanted


def ports_map(model: SwitchModel) -> dict[str, list[object]]:
    return dict(model.platforms["sonic"]["ports"])


def spelled(model: SwitchModel, sku: Sku, cages: Iterable[int], count: int) -> dict[int, str]:
    """Return the aliases of cages that are split alike; the other cages are as they ship."""
    split = [
        Port(
            cage=cage,
            sub=sub,
            subs=count,
            lane=sub * width,
            lanes=width,
            speed=BitsPerSecond.parse("10G"),
        )
        for cage in cages
        for width in (len(str(ports_map(model)[str(cage)][3]).split(",")) // count,)
        for sub in range(count)
    ]
    others = [port for port in ports_of(model, sku) if port.cage not in set(cages)]
    made: dict[int, list[str]] = {}
    for names, port in zip(layout(model, (*split, *others)), (*split, *others), strict=True):
        made.setdefault(port.cage, []).append(names.alias)
    return {cage: ",".join(made[cage]) for cage in cages}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("model", "release"), CELLS)
def test_pools_and_profiles_are_those_of_the_target(model: str, release: str, role: str) -> None:
    """As they are written to config_db.json, by the lowering of a switch with a lossless class."""
    for sku in skus(model, release, role):
        at = topology(model, sku.name, release, role)
        assert sku.topology == at
        made = buffers(sku, sku.rows, 0, Provenance((), "a test"), lossless=sku.lacks is None)
        for cell, ours, theirs in differing(model, sku, release, at, made):
            assert reason(sku, cell), f"{sku.name} {release} {at} {cell}: {ours} is not {theirs}"


Cell = tuple[str, str, str]


def differing(
    model: str, sku: Sku, release: str, at: str, made: Tables
) -> Iterator[tuple[Cell, object, object]]:
    """Yield each field of a pool or profile that is not as it ships."""
    for table, name in (("pools", "pool"), ("profiles", "profile")):
        shipped = {
            row[name]: fields(row, table)
            for row in held(table, MODELS[model], sku.name, release)
            if row["topology"] == at
        }
        ours = {
            key: entry
            for key, entry in made[f"BUFFER_{name.upper()}"].items()
            if not key.startswith("pg_lossless_")
        }
        for key in shipped.keys() | ours.keys():
            mine = {k: str(v) for k, v in dict(ours.get(key, {})).items()}
            for field in shipped.get(key, {}).keys() | mine.keys():
                one, other = mine.get(field), shipped.get(key, {}).get(field)
                if one != other:
                    yield (table, key, field), one, other


def fields(row: Row, table: str) -> dict[str, str]:
    """Return the fields of a row as CONFIG_DB has them."""
    names = {
        "pools": ("type", "mode", "size", "xoff"),
        "profiles": ("pool", "size", "static_th", "dynamic_th"),
    }[table]
    bare = {name: re.sub(r"^\[BUFFER_POOL\|(.*)\]$", r"\1", row[name]) for name in names}
    more = dict(pair.split("=") for pair in (row.get("more") or "").split() if "=" in pair)
    return {**{name: value for name, value in bare.items() if value}, **more}


def reason(sku: Sku, cell: Cell) -> str:
    """Return why a cell differs from what ships; empty where it must not."""
    _, name, field = cell
    if sku.lacks is not None:
        return LOSSY_ALONE
    lossy = name == "ingress_lossy_pool" or (name == "ingress_lossy_profile" and field == "pool")
    if sku.name in TWO_POOLS and lossy:
        return ONE_POOL
    return ""


def test_the_six_hwskus_of_two_ingress_pools_are_known() -> None:
    dynamic = {row["hwsku"] for row in rows("buffer_maps")}
    two = {row["hwsku"] for row in rows("pools") if row["pool"] == "ingress_lossy_pool"}
    assert two & dynamic == TWO_POOLS


@pytest.mark.parametrize("role", ["leaf", "spine"])
@pytest.mark.parametrize(("model", "release"), CELLS)
def test_a_hwsku_is_lossless_where_its_files_are(model: str, release: str, role: str) -> None:
    """A pool and rows of headroom, or in the dynamic model a group without a fixed profile."""
    for sku in skus(model, release, role):
        at, platform = topology(model, sku.name, release, role), MODELS[model]
        pools = {
            row["pool"]
            for row in held("pools", platform, sku.name, release)
            if row["topology"] == at
        }
        groups = {
            row["value"]
            for row in held("buffer_maps", platform, sku.name, release)
            if row["topology"] == at
        }
        lookups = list(held("pg_lookup", platform, sku.name, release))
        ships = "NULL" in groups if sku.dynamic else bool(lookups)
        assert (sku.lacks is None) == (ships and "ingress_lossless_pool" in pools)


@pytest.mark.parametrize(("model", "release"), CELLS)
def test_rows_of_headroom_are_those_of_the_release(model: str, release: str) -> None:
    """Of the traditional model; in the dynamic one the switch reads no row."""
    for sku in (sku for sku in skus(model, release, "spine") if not sku.dynamic):
        shipped = [
            (
                int(row["speed"]),
                int(row["cable"].removesuffix("m")),
                *(int(row[name]) for name in ("size", "xon", "xoff", "threshold")),
                int(row["xon_offset"]) if row["xon_offset"] else None,
            )
            for row in held("pg_lookup", MODELS[model], sku.name, release)
        ]
        assert shipped == [
            (
                row.speed.megabits,
                row.length,
                row.size,
                row.resume,
                row.headroom,
                row.alpha,
                row.resume_offset,
            )
            for row in sku.rows
        ]


def test_the_traffic_of_the_image_is_known_beside_the_worst_case() -> None:
    """An image computes headroom for less than what is written; both stand in the reason."""
    for release, percent in (("202405", 100), ("202411", 50), ("master", 50)):
        (sku, *_) = skus("SN5600", release, "leaf")
        assert sku.traffic is not None
        shipped = {row["value"] for row in held("dynamic", MODELS["SN5600"], "ACS-SN5600", release)}
        wanted = f'{{"AZURE": {{"mtu": "1024", "small_packet_percentage": "{percent}"}}}}'
        assert shipped == {wanted}
        assert (sku.traffic.mtu, sku.traffic.small_percent) == (1024, percent)
        made = buffers(sku, (), 0, Provenance((), "a test"), lossless=True)
        entry = made["LOSSLESS_TRAFFIC_PATTERN"]["AZURE"]
        assert dict(entry) == {"mtu": "4096", "small_packet_percentage": "100"}
        assert entry.because.rule.endswith(f"the image has 1024 bytes and {percent} %")


def test_commits_are_those_of_the_releases() -> None:
    (line,) = (
        line
        for line in (SHIPPED_FILES / "pools.csv").read_text().splitlines()
        if line.startswith("# sonic-net")
    )
    named = dict(re.findall(r"(\w+)@(\w+)", line))
    assert {name: commit[:10] for name, commit in named.items()} == {
        name: release.commit for name, release in RELEASES.items()
    }
