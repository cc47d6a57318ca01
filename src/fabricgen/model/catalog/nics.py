"""Reads NIC models from the catalog: ports, speeds and driver features."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.files import FactFile, fact_files

FAMILIES = ("connectx", "pollara", "thor")
"""Those whose tools are known; docs/reference/server-files.md has the needs of another one."""


@record(kw_only=True)
class NicModel:
    """One NIC. `family` names the tools that configure it: connectx, thor or pollara.

    ports: how many ports a card has, to the fastest speed of each. cages: the forms that its cages
    may have then, where a source says so. ports_per_cage: ports that share one cage then, if more
    than one. speeds: every speed of a port.
    largest_mtu: what the driver takes. lossless: how many priorities its sources show paused at
    once, which may be fewer than it can; lossless_source says it. spray: it places packets that
    arrive out of order. spreads: it sends the packets of one queue pair over many paths, whatever
    the switches do. For NCCL: gid_index, the RoCE v2 GID of an IPv4 address; ecn_bits, the low bits
    of the traffic class; queue_pairs, the connections that ECMP can spread. firmware: what the card
    has to keep for its host's commands to count, in the words of mlxconfig. split: what makes
    several ports of its one cage, by their number, in the same words, of which the first tells
    whether it is done. rates: what its maker
    recommends for DCQCN, in the words of its tool; none where it stays as delivered.
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
    gid_index: int
    ecn_bits: int
    queue_pairs: int
    firmware: Mapping[str, int]
    split: Mapping[int, str]
    rates: Mapping[str, int]
    source: str

    def runs(self, ports: int, speed: BitsPerSecond) -> bool:
        """Tell whether a card with that many ports runs each of them at `speed`."""
        most = max((top for count, top in self.ports.items() if count >= ports), default=None)
        return most is not None and speed <= most and speed in self.speeds


@cache
def _files() -> dict[str, FactFile]:
    known: dict[str, FactFile] = {}
    for file in fact_files("nics/*.yaml"):
        if file.path.stem in known:
            raise file.refused("the catalog has a NIC of that name already")
        known[file.path.stem] = file
    return known


def nic_names() -> tuple[str, ...]:
    """Return the name of every NIC in the catalog."""
    return tuple(sorted(_files()))


@cache
def nic_model(name: str) -> NicModel | None:
    """Return the NIC of that name, or None when the catalog does not have it."""
    file = _files().get(name)
    if file is None:
        return None
    with file.reading():
        return read_nic(file.read())


def read_nic(facts: Mapping[str, Any]) -> NicModel:
    """Read one NIC from what its file says."""
    if facts["family"] not in FAMILIES:
        raise ValueError(f"the family is one of {', '.join(FAMILIES)}")
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
        gid_index=facts["nccl"]["gid_index"],
        ecn_bits=facts["nccl"]["ecn_bits"],
        queue_pairs=facts["nccl"]["queue_pairs"],
        firmware=facts.get("firmware", {}),
        split={int(count): words for count, words in facts.get("split", {}).items()},
        rates=facts.get("rates", {}),
        source=facts["source"],
    )
