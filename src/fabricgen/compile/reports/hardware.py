"""Report the known and unknown facts of the hardware in a catalog, with their sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from fabricgen.core.units import spans
from fabricgen.model.catalog.asics import Asic
from fabricgen.model.catalog.cages import Cage
from fabricgen.model.catalog.catalog import Catalog
from fabricgen.model.catalog.nics import NicModel
from fabricgen.model.catalog.optics import Optic, Socket, fitting
from fabricgen.model.catalog.skus import Sku
from fabricgen.model.catalog.switches import SwitchModel, running_as
from fabricgen.model.catalog.targets import target_of


def hardware(catalog: Catalog, release: str = "") -> dict[str, Any]:
    """Return the hardware as data; `own` is the catalog of the site.

    release: the release whose packet memory of hwskus is used; empty for the default one.
    """
    switches = (catalog.known(name) for name in catalog.switch_names())
    asics = (catalog.asic(name) for name in catalog.asic_names())
    optics = catalog.optics()
    return {
        "switches": {
            model.name: switch_data(model, optics, release, own=model.name in catalog.own_switches)
            for model in switches
        },
        "nics": {
            nic.name: nic_data(nic, own=nic.name in catalog.own_nics) for nic in catalog.nics()
        },
        "asics": {
            asic.name: asic_data(asic, own=asic.name in catalog.own_asics)
            for asic in asics
            if asic is not None
        },
        "optics": {
            optic.name: optic_data(optic, own=optic.name in catalog.own_optics) for optic in optics
        },
    }


def running(
    switches: Mapping[str, Any], platform: str, release: str | None = None
) -> Iterator[tuple[str, Any]]:
    """Yield the switches with an OS, with the facts and SKUs of one release."""
    for name, facts in switches.items():
        told = facts["platforms"].get(platform, {"rendered": False})
        skus = {
            sku: each
            for sku, each in told.get("skus", {}).items()
            if release is None or not each["releases"] or release in each["releases"]
        }
        if told["rendered"] and (skus or "skus" not in told):
            here = {**told, "skus": skus} if skus else told
            yield name, {**facts, "platforms": {platform: here}}


def switch_data(
    model: SwitchModel, optics: Sequence[Optic], release: str = "", *, own: bool
) -> dict[str, Any]:
    """Return the facts of a switch model."""
    chip = model.chip
    return {
        "vendor": model.vendor,
        "own": own,
        "asic": model.asic,
        "packet_buffer": chip.packet_buffer if chip else None,
        "cell": chip.cell if chip else None,
        "rack_units": model.rack_units,
        "watts": asdict(model.watts) if model.watts else None,
        "latency": asdict(model.latency) if model.latency else None,
        "cages": [_row(list(cages), optics) for _, cages in groupby(model.cages, _alike)],
        "platforms": {name: dict(_platform(model, name, release)) for name in model.platforms},
        "unknown": list(unknown(model)),
        "source": model.source,
    }


def _alike(cage: Cage) -> tuple[object, ...]:
    return cage.form, cage.lanes, cage.modes, cage.service


def _row(cages: list[Cage], optics: Sequence[Optic]) -> dict[str, Any]:
    one, modes = cages[0], {}
    for mode in one.modes:
        used = f"{mode.count}x{mode.speed}"
        fits = fitting(Socket(forms=(one.form,), modes=(used,)), optics)
        modes[used] = {optic.name: optic.reaches(used) for optic in fits}
    return {
        "first": one.number,
        "last": cages[-1].number,
        "form": one.form,
        "lanes": one.lanes,
        "modes": {f"{mode.count}x{mode.speed}": mode.lanes for mode in one.modes},
        "service": one.service,
        "optics": modes,
    }


def _platform(model: SwitchModel, name: str, release: str) -> Iterator[tuple[str, Any]]:
    raw = model.platforms[name]
    yield "rendered", "unsupported" not in raw
    for key in ("unsupported", "platform", "buffer_model", "driver", "source"):
        if key in raw:
            yield key, raw[key]
    for key in ("load_balancing", "memory"):
        if raw.get(key):
            yield key, raw[key]
    if "ports" in raw:
        yield "port_map", len(raw["ports"])
    if name in model.skus:
        leaf, spine = (
            running_as(model, None, target_of(role, release)).skus[name]
            for role in ("leaf", "spine")
        )
        yield "skus", {one.name: _sku(one, other) for one, other in zip(leaf, spine, strict=True)}


def _sku(sku: Sku, as_spine: Sku) -> dict[str, Any]:
    modes: dict[str, list[int]] = {}
    for cage, mode in sku.layout.items():
        modes.setdefault(f"{mode.count}x{mode.speed}", []).append(cage)
    return {
        "ports": {text: spans(cages) for text, cages in modes.items()},
        "splits": sku.splits,
        "releases": list(sku.releases),
        "lossless": _lossless_of_roles(sku, as_spine),
    }


def _lossless_of_roles(leaf: Sku, spine: Sku) -> str:
    """Return the packet memory of a hwsku, as leaf and as spine if they differ."""
    one, other = lossless(leaf), lossless(spine)
    return one if one == other else f"as leaf {one}; as spine {other}"


def lossless(sku: Sku) -> str:
    """Return the packet memory of a hwsku for lossless traffic."""
    if sku.lacks is not None:
        return f"none ({sku.lacks})"
    own = f", with the site's own figures: {sku.own}" if sku.own else ""
    if sku.dynamic:
        return f"computed by the switch{own}"
    speeds = sorted({row.speed for row in sku.rows})
    longest = max(row.length for row in sku.rows)
    return f"headroom for {', '.join(map(str, speeds))} up to {longest} m of cable{own}"


def unknown(model: SwitchModel) -> Iterator[str]:
    """Yield each unknown fact of a model, and its consequence."""
    chip = model.chip
    if chip is not None and chip.voq:
        yield "a model of its virtual output queues: no lossless class on it"
    elif chip is None or chip.packet_buffer is None:
        nothing = "no budget is proven" if model.asic == "none" else "no lossless class on it"
        yield f"its packet memory: {nothing}"
    elif chip.cell is None:
        yield "the cell of its chip: headroom is computed without rounding to cells"
    if any(cage.form == "unknown" for cage in model.usable):
        yield "the form of its cages: cables to it are checked by the other end, or not at all"
    if model.asic != "none":
        yield from _of_box(model)
    for name, raw in model.platforms.items():
        if "unsupported" in raw:
            yield f"{name}: {raw['unsupported']}"
    if (skus := model.skus.get("sonic")) and all(sku.lacks for sku in skus):
        yield "sonic: packet memory of a hwsku: no lossless class there"
    if "eos" in model.platforms and not model.platforms["eos"].get("memory"):
        yield "eos: the lines of its packet memory: headroom is planned and not written"


def _of_box(model: SwitchModel) -> Iterator[str]:
    """Yield the unknown facts of the box: the plans omit them."""
    if model.rack_units is None:
        yield "its height in a rack"
    if model.watts is None:
        yield "its power: the watts of a design omit it"


def nic_data(nic: NicModel, *, own: bool) -> dict[str, Any]:
    """Return the facts of a NIC."""
    return {
        "vendor": nic.vendor,
        "own": own,
        "family": nic.family,
        "ports": {count: str(speed) for count, speed in nic.ports.items()},
        "cages": {count: list(forms) for count, forms in nic.cages.items()},
        "ports_per_cage": dict(nic.ports_per_cage),
        "speeds": list(map(str, nic.speeds)),
        "largest_mtu": nic.largest_mtu,
        "lossless_priorities": nic.lossless,
        "lossless_source": nic.lossless_source,
        "dcqcn": nic.dcqcn,
        "spray": nic.spray,
        "spreads": nic.spreads,
        "source": nic.source,
    }


def asic_data(asic: Asic, *, own: bool) -> dict[str, Any]:
    """Return the facts of a chip."""
    return {
        "own": own,
        "packet_buffer": asic.packet_buffer,
        "cell": asic.cell,
        "source": asic.source,
    }


def optic_data(optic: Optic, *, own: bool) -> dict[str, Any]:
    """Return the facts of an optic or a cable."""
    return {
        "own": own,
        "kind": optic.kind,
        "cages": {form: dict(modes) for form, modes in optic.cages.items()},
        "lanes": optic.lanes,
        "reach": optic.reach,
        "less": dict(optic.less),
        "media": optic.media,
        "connector": optic.connector,
        "fibers": optic.fibers,
        "wavelength": optic.wavelength,
        "fec": optic.fec,
        "amplified": optic.amplified,
        "dispersion": optic.dispersion,
        "osnr": optic.osnr,
        "latency": optic.latency,
        "power": optic.power,
        "loss": optic.loss,
        "receive": list(optic.receive) if optic.receive is not None else None,
        "source": optic.source,
    }
