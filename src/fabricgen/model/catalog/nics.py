"""Reads NIC models from the catalog: ports, speeds and driver features."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.files import FactFile, fact_files

FAMILIES = ("connectx", "pollara", "thor")
"""Families with known tools; docs/reference/server-files.md has the needs of another one."""


@record(kw_only=True)
class NicModel:
    """One NIC. `family` names the tools that configure it: connectx, thor or pollara.

    `ports`: number of ports of a card, to the maximum speed of each. `cages`: possible cage forms
    at that number, if a source names them. `ports_per_cage`: ports that share one cage at that
    number, if more than one. `speeds`: every speed of a port. `largest_mtu`: limit of the driver.
    `lossless`: number of priorities that its sources show paused at once, possibly below its
    capability; lossless_source states the source. `spray`: the NIC reorders packets. `spreads`: the
    NIC sends the packets of one queue pair over many paths, independent of the switches. `trimmed`:
    the DSCP by which the NIC recognizes trimmed packets, or None without a source. For NCCL:
    gid_index, the RoCE v2 GID of an IPv4 address; ecn_bits, the low bits of the traffic class;
    queue_pairs, the connections that ECMP can spread. `firmware`: settings that the host's commands
    need, as mlxconfig names them. `split`: settings that split its cage, by number of ports; the
    first one shows whether the split is done. `rates`: the vendor's recommended DCQCN settings, as
    its tool names them; empty if the delivered values stay.
    """

    name: str
    vendor: str
    family: str
    ports: Mapping[int, BitsPerSecond]
    cages: Mapping[int, tuple[str, ...]]
    ports_per_cage: Mapping[int, int]
    speeds: tuple[BitsPerSecond, ...]
    largest_mtu: int
    lossless: int
    lossless_source: str
    spray: bool
    spreads: bool
    dcqcn: bool
    trimmed: int | None
    gid_index: int
    ecn_bits: int
    queue_pairs: int
    firmware: Mapping[str, int]
    split: Mapping[int, str]
    rates: Mapping[str, int]
    source: str

    def runs(self, ports: int, speed: BitsPerSecond) -> bool:
        """Return whether a card with that many ports runs each of them at `speed`."""
        most = max((top for count, top in self.ports.items() if count >= ports), default=None)
        return most is not None and speed <= most and speed in self.speeds


@cache
def _files() -> dict[str, FactFile]:
    known: dict[str, FactFile] = {}
    for file in fact_files("nics/*.yaml"):
        if file.path.stem in known:
            raise file.refused("a NIC of this name is already in the catalog")
        known[file.path.stem] = file
    return known


def nic_names() -> tuple[str, ...]:
    """Return the name of every NIC in the catalog."""
    return tuple(sorted(_files()))


@cache
def nic_model(name: str) -> NicModel | None:
    """Return the NIC of that name; None if it is not in the catalog."""
    file = _files().get(name)
    if file is None:
        return None
    with file.reading():
        return read_nic(file.read())


def read_nic(facts: Mapping[str, Any]) -> NicModel:
    """Read one NIC from the facts in its file."""
    if facts["family"] not in FAMILIES:
        raise ValueError(f"the family must be one of {', '.join(FAMILIES)}")
    return NicModel(
        name=facts["model"],
        vendor=facts["vendor"],
        family=facts["family"],
        ports={int(count): BitsPerSecond.parse(top) for count, top in facts["ports"].items()},
        cages={int(count): tuple(forms) for count, forms in facts.get("cages", {}).items()},
        ports_per_cage={
            int(count): shared for count, shared in facts.get("ports_per_cage", {}).items()
        },
        speeds=tuple(BitsPerSecond.parse(text) for text in facts["speeds"]),
        largest_mtu=facts["largest_mtu"],
        lossless=facts["lossless"]["priorities"],
        lossless_source=facts["lossless"]["source"],
        spray=facts["spray"],
        spreads=facts.get("spreads", False),
        dcqcn=facts["dcqcn"],
        trimmed=(facts.get("trimmed") or {}).get("dscp"),
        gid_index=facts["nccl"]["gid_index"],
        ecn_bits=facts["nccl"]["ecn_bits"],
        queue_pairs=facts["nccl"]["queue_pairs"],
        firmware=facts.get("firmware", {}),
        split={int(count): words for count, words in facts.get("split", {}).items()},
        rates=facts.get("rates", {}),
        source=facts["source"],
    )
