"""The NIC catalog: a model's name in; its ports, speeds, and what its drivers can do out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fabricgen.units import BitsPerSecond

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER = Path(__file__).parent / "data" / "nics"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class NicModel:
    """One NIC. `family` names the tools that configure it: connectx, thor or pollara.

    ports: how many ports a card has, to the fastest speed of each. speeds: every speed of a port.
    largest_mtu: what the driver takes. lossless: how many priorities its sources show paused at
    once, which may be fewer than it can; lossless_source says it. spray: it places packets that
    arrive out of order. spreads: it sends the packets of one queue pair over many paths, whatever
    the switches do. For NCCL: gid_index, the RoCE v2 GID of an IPv4 address; ecn_bits, the low bits
    of the traffic class; queue_pairs, the connections that ECMP can spread.
    """

    name: str
    vendor: str
    family: str
    ports: Mapping[int, BitsPerSecond]
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
    source: str

    def runs(self, ports: int, speed: BitsPerSecond) -> bool:
        """Tell whether a card with that many ports runs each of them at `speed`."""
        most = max((top for count, top in self.ports.items() if count >= ports), default=None)
        return most is not None and speed <= most and speed in self.speeds


@lru_cache(maxsize=1)
def nic_names() -> tuple[str, ...]:
    """Return the name of every NIC in the catalog."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


@lru_cache(maxsize=64)
def nic_model(name: str) -> NicModel | None:
    """Return the NIC of that name, or None when the catalog does not have it."""
    if name not in nic_names():
        return None
    text = (_FOLDER / f"{name}.yaml").read_text()
    facts: dict[str, Any] = yaml.load(text, Loader=_LOADER)  # noqa: S506 - SafeLoader either way
    return NicModel(
        name=facts["model"],
        vendor=facts["vendor"],
        family=facts["family"],
        ports={int(count): BitsPerSecond.parse(top) for count, top in facts["ports"].items()},
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
        source=facts["source"],
    )
