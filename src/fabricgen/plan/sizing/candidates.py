"""Designs and counts every candidate of a size, or reports why it cannot be built."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import ceil, prod
from typing import TYPE_CHECKING

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Diagnostic, Failure, Severity
from fabricgen.core.progress import tracked
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import load_texts
from fabricgen.intent.model.routed import MOST_TOGETHER
from fabricgen.model.catalog.catalog import SHIPPED, Catalog
from fabricgen.model.catalog.infiniband import infiniband, infiniband_models
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Role
from fabricgen.plan.sizing.counts import Counts, counted
from fabricgen.plan.sizing.designs import DESIGNS, EDGE, Design, intent
from fabricgen.plan.sizing.needs import Needs, Ports, rate
from fabricgen.plan.sizing.site_parts import part_files, reduced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.plan.sizing.counts import Counts
    from fabricgen.plan.sizing.needs import Demands, Needs


# Sum of demands x growth <= uplinks of the fabric that carries them, above its leafs and towards
# its servers. Demands beyond that starve other traffic.

_FRONT = ("ingest", "inference")
_STORAGE = ("checkpoint", "storage_reads")


@record(kw_only=True)
class SizingRequest:
    """The demands on one fabric. `terms`: by name, before growth.

    `up`, `down`: bits per second above its leafs, and towards its GPU servers or, if they have
    less, its storage servers.
    """

    fabric: str
    terms: dict[str, int]
    growth: float
    up: int
    down: int

    @property
    def total(self) -> float:
        """Return the sum of demands, with growth."""
        return sum(self.terms.values()) * self.growth

    @property
    def fits(self) -> bool:
        """Return whether the fabric carries it."""
        return self.total <= min(self.up, self.down)

    @property
    def sentence(self) -> str:
        """Return the sum and the available bandwidth as text."""
        parts = " + ".join(
            f"{name.replace('_', ' ')} {rate(bits)}" for name, bits in self.terms.items()
        )
        asked = f"{parts} x {self.growth:g} = {rate(self.total)}"
        sign = "<=" if self.total <= self.up else ">"
        told = f"{asked} {sign} {rate(self.up)} of uplinks of the {self.fabric}"
        if self.total > self.down:
            told += f", and > {rate(self.down)} of the servers' ports there"
        return told


def asked(needs: Needs, counts: Mapping[str, Counts]) -> Iterator[SizingRequest]:
    """Yield the demands on the frontend and on storage, if there are any.

    Without a storage fabric the frontend has its demands.
    """
    storage = "storage" if "storage" in counts else "frontend"
    by_fabric = {"frontend": _FRONT}
    by_fabric[storage] = (*by_fabric.get(storage, ()), *_STORAGE)
    for fabric, names in by_fabric.items():
        terms = _said(needs.demands, names)
        if terms:
            there, down = counts[fabric], counts[fabric].down
            if fabric == "storage" and needs.storage is not None:
                ports = needs.storage.count * needs.storage_servers
                down = min(down, ports * needs.storage.speed)
            yield SizingRequest(
                fabric=fabric, terms=terms, growth=needs.growth, up=there.up, down=down
            )


def _said(demands: Demands, names: tuple[str, ...]) -> dict[str, int]:
    return {name: getattr(demands, name) for name in names if getattr(demands, name)}


@record(kw_only=True)
class Times:
    """Milliseconds of a collective over all GPUs, without latency and protocol."""

    ring: float
    all_to_all: float


def times(*, servers: int, gpus: int, server_bits: float, data: int, ratio: float) -> Times:
    """Return the times for `data` bytes on each GPU.

    `server_bits`: bits per second of all NICs of a server. `ratio`: downlink to uplink bandwidth,
    from the NICs to the top. A ring enters and leaves each server once, over all its NICs, and
    neighbors on it share a leaf. In an all-to-all, data for GPUs of other servers leaves by the
    NIC, and the ratio limits it.
    """
    all_gpus = servers * gpus
    ring = 2 * (all_gpus - 1) / all_gpus * data * 8 / server_bits if servers > 1 else 0.0
    out = data * 8 * (all_gpus - gpus) / all_gpus
    each = out * gpus / server_bits * max(1.0, ratio)
    return Times(ring=ring * 1000, all_to_all=each * 1000)


UPLINKS = (2, 4, 8, 12, 16, 24, 32, 48, 64)
"""Possible numbers of uplinks of each leaf of a frontend."""
MOST_OF_A_LEAF = 512
"""More ports than any leaf has for a rail."""
DATA = 10**9
"""Default bytes on each GPU for times of collectives."""


@record(kw_only=True)
class Candidate:
    """One design of the needs. `why_not`: empty if it fits; otherwise no other field is set."""

    design: Design
    needs: Needs
    files: dict[str, str]
    why_not: str
    counts: dict[str, Counts]
    asked: tuple[SizingRequest, ...] = ()
    times: Times | None = None

    @property
    def backend(self) -> Counts:
        """Return the counts of its GPU fabric."""
        return self.counts["backend"]

    @property
    def joined(self) -> bool:
        """Return whether the fabric connects every pair of GPUs."""
        return self.backend.far is not None and self.backend.far.joined


def candidates(
    needs: Needs, designs: Sequence[Design] = DESIGNS, data: int = DATA
) -> list[Candidate]:
    """Design every candidate. Raises Failure if another fabric does not fit."""
    fitted = roomy(needs)
    return [candidate(fitted, design, data) for design in tracked("designing", designs)]


def roomy(needs: Needs) -> Needs:
    """Return the needs with the fewest uplinks per leaf of a frontend, then the fewest spines.

    A frontend of several servers has at least two leafs. Raise Failure if no shape fits.
    """
    found = _fitted(needs)
    if found.frontend is None or needs.servers == 1:
        return found
    site, _ = designed(intent(found, None), needs.catalog)
    (fabric,) = (each for each in site.fabrics if each.name == "frontend")
    if sum(switch.role is Role.LEAF for switch in fabric.topology.switches) > 1:
        return found
    half = replace(found.frontend, per_leaf=ceil(needs.servers / 2))
    return _fitted(replace(needs, frontend=half))


def _fitted(needs: Needs) -> Needs:
    """Try each shape by the design, with all reserved servers."""
    if needs.frontend is None and needs.storage is None:
        return needs
    told: list[Diagnostic] = []
    for front in _shapes(needs.frontend) if needs.frontend is not None else (None,):
        tried = replace(needs, frontend=front)
        full = replace(tried, servers=needs.reserved, growth=1.0)
        errors = _errors(designed(intent(full, None), needs.catalog)[1])
        if not errors:
            return tried
        if front is None or front.links == 1:  # no other shape has more spines
            told.append(errors[0])
    # More uplinks reduce a ratio and leave fewer ports for servers. These errors remain with any
    # number of uplinks.
    other = (item for item in told if item.code is not Code.GROWTH_TOO_SMALL)
    raise Failure(replace(next(other, told[-1]), path=()))


def _shapes(front: Ports) -> Iterator[Ports]:
    """Yield shapes, those with the fewest uplinks first, then those with the fewest spines.

    The number of spines divides the uplinks. It is a power of two if such a number fits.
    """
    for uplinks in UPLINKS:
        power = uplinks & -uplinks
        for spines in range(2, uplinks + 1):
            if uplinks % spines == 0 and (spines > power or power % spines == 0):
                yield replace(front, spines=spines, links=uplinks // spines)


def candidate(needs: Needs, design: Design, data: int = DATA) -> Candidate:
    """Design one candidate.

    If all servers fit into one unit, and no size is given, the unit has this size. Its uplinks are
    those of a full unit, independent of its servers.
    """
    if design.infiniband and infiniband(needs.nic_speed) is None:
        told = f"no InfiniBand switch has ports of {needs.nic_speed}; choose another `--nic-speed`"
        return Candidate(design=design, needs=needs, files={}, why_not=told, counts={})
    if needs.unit is None and needs.reserved < MOST_OF_A_LEAF:
        small = _candidate(replace(needs, unit=needs.reserved), design, data)
        if not small.why_not:
            return small
    return _candidate(needs, design, data)


def _candidate(needs: Needs, design: Design, data: int) -> Candidate:
    files = intent(needs, design)
    site, findings = designed(files, needs.catalog)
    errors = _errors(findings)
    if errors:
        return Candidate(design=design, needs=needs, files=files, why_not=_why(errors), counts={})
    counts = counted(site)
    return Candidate(
        design=design,
        needs=needs,
        files=files,
        why_not="",
        counts=counts,
        asked=tuple(asked(needs, counts)),
        times=_times(needs, counts["backend"], data),
    )


def whole_site(candidate: Candidate, without: Collection[str] = ()) -> dict[str, str]:
    """Return the files of a site of a candidate, with the parts that its counts do not need.

    Args:
        candidate: A candidate that fits.
        without: Parts of `PARTS` that the site does not have.

    """
    needs, design = candidate.needs, candidate.design
    parts = reduced(without, needs)
    if EDGE in parts and needs.frontend is not None:
        leafs = candidate.counts["frontend"].switches[Role.LEAF]
        needs = replace(needs, frontend=replace(needs.frontend, behind_border=leafs))
    files = intent(needs, design, parts)
    for each in candidate.asked:
        files[f"{each.fabric}.yaml"] += _demand(each, needs.servers)
    site, _ = designed(files, needs.catalog)
    for name, text in part_files(needs, site, parts).items():
        files[name] = files.get(name, "") + text
    return files


def _demand(asked: SizingRequest, servers: int) -> str:
    """Return the `demand` of a fabric. Storage grows with its servers, so it has no factor."""
    rates = {name: BitsPerSecond(bits).written for name, bits in asked.terms.items()}
    indent, words = "  ", {**rates, **({"growth": f"{asked.growth:g}"} if asked.growth > 1 else {})}
    if asked.fabric == "storage":
        together = min(servers, MOST_TOGETHER)
        gigabytes = sum(asked.terms.values()) / 8e9 * together / servers
        indent, words = "    ", {"rate": f"{gigabytes:.9g}", "servers": str(together)}
    told = ", ".join(f"{key}: {word}" for key, word in words.items())
    return f"{indent}demand: {{{told}}}\n"


def _times(needs: Needs, backend: Counts, data: int) -> Times:
    return times(
        servers=needs.servers,
        gpus=needs.gpus,
        server_bits=needs.nics * needs.nic_ports * needs.nic_speed,
        data=data,
        ratio=prod(max(1.0, each) for each in backend.ratios.values()),
    )


def designed(files: dict[str, str], catalog: Catalog = SHIPPED) -> tuple[Site, list[Diagnostic]]:
    """Compile the intent in memory up to its design, with the same code as a site on disk."""
    loaded = load_texts(files)
    assert loaded.intent is not None
    counted = {model.name: model for model in infiniband_models()}
    known = replace(catalog, own_switches={**counted, **catalog.own_switches})
    site, findings = design_site(loaded.intent.naming(known))
    return site, [*loaded.findings, *findings]


def _errors(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [item for item in findings if item.severity is Severity.ERROR]


def _why(errors: Sequence[Diagnostic]) -> str:
    first = errors[0]
    return f"{first.message} ({first.code})" + (f": {first.hint}" if first.hint else "")


def chosen(found: Sequence[Candidate]) -> Candidate | None:
    """Return the candidate with the fewest switches, then links, among those that join all GPUs.

    A design whose rails never meet needs an explicit choice: servers must join the rails.
    """
    fit = [
        each
        for each in found
        if not each.why_not and each.joined and not each.design.infiniband and not each.design.apart
    ]
    return min(
        fit, key=lambda each: (each.backend.switch_count, each.backend.link_count), default=None
    )
