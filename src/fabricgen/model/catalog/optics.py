"""Finds the optics and cables that join two cages, from the optics catalog.

A transceiver in one cage connects over fiber to one with the same signal in the other. A cable with
fixed ends is in both cages. The catalog is read only when a cable is checked or listed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.catalog.files import fact_files

Kind = Literal["transceiver", "DAC", "ACC", "AEC", "AOC", "copper"]
"""A module for fiber; a cable with fixed ends, of passive or active copper or fiber; or copper
pairs.
"""
Media = Literal["single-mode", "multimode", "twinax", "fiber", "twisted pair"]

FITS: Mapping[str, tuple[str, ...]] = {
    "OSFP224": ("OSFP224", "OSFP"),
    "QSFP-DD": ("QSFP-DD", "QSFP112", "QSFP56", "QSFP28", "QSFP+"),
    "QSFP112": ("QSFP112", "QSFP56", "QSFP28", "QSFP+"),
    "QSFP56": ("QSFP56", "QSFP28", "QSFP+"),
    "QSFP28": ("QSFP28", "QSFP+"),
    "SFP56": ("SFP56", "SFP28", "SFP+"),
    "SFP28": ("SFP28", "SFP+"),
}
"""Forms that a cage accepts besides its own: the cage of each MSA accepts earlier modules (QSFP-DD
hardware specification 6.3, chapter 1; SFF-8665, SFF-8402; OSFP MSA 5.0).
"""


@record(kw_only=True)
class Optic:
    """One optic or cable with fixed ends.

    `cages`: medium by cage form and mode, for example 2x400G. A transceiver has each form on sale.
    A cable has its two ends, or one entry if they are equal. `lanes`: lanes of the cage's
    electrical side. `reach`: meters; `less` has modes with a shorter reach. `power`: watts of one
    end. `loss`: maximum dB of the fiber between both ends. `receive`: minimum and maximum dBm of
    the average power that one lane receives.

    The rest are figures of coherent optics. `amplified`: meters over an amplified line. An optic
    for such lines only has the reach 0. `dispersion`: tolerated, in ps/nm. `osnr`: needed, in dB
    for 0.1 nm. `latency`: microseconds in one end.
    """

    name: str
    kind: Kind
    cages: Mapping[str, Mapping[str, str]]
    lanes: int
    reach: Meters
    less: Mapping[str, Meters]
    media: Media
    connector: str | None
    fibers: int | None
    wavelength: str | None
    fec: str | None
    power: float | None
    source: str
    loss: float | None = None
    amplified: Meters | None = None
    dispersion: int | None = None
    osnr: float | None = None
    latency: float | None = None
    receive: Sequence[float] | None = None

    @property
    def is_cable(self) -> bool:
        """Return whether both ends are part of it."""
        return self.kind != "transceiver"

    @property
    def coherent(self) -> bool:
        """Return whether it is a coherent optic."""
        return (self.amplified or self.latency) is not None

    def far_forms(self, near: str) -> tuple[str, ...]:
        """Return the possible forms of the other end of a cable."""
        return tuple(form for form in self.cages if form != near) or (near,)

    def reaches(self, mode: str) -> Meters:
        """Return the reach at a mode of the cage."""
        return self.less.get(mode, self.reach)


@record(kw_only=True)
class Socket:
    """Cage for one end of a link: forms of the cage, and its possible modes.

    `modes`: for example 2x400G; several if unknown, as on a NIC.
    """

    forms: tuple[str, ...]
    modes: tuple[str, ...]


@record()
class MediaOption:
    """One option to join two sockets: an optic in each, or a cable in both; and its reach."""

    near: Optic
    far: Optic
    reach: Meters


def ways(near: Socket, far: Socket | None, optics: Iterable[Optic]) -> Iterator[MediaOption]:
    """Yield every option. `far`: None if that end is unknown, so that everything fits."""
    every = list(optics)
    others = (
        None if far is None else [(optic, *end) for optic in every for end in _ends(optic, far)]
    )
    for optic in every:
        for form, mode, signal in _ends(optic, near):
            if others is None:
                yield MediaOption(optic, optic, optic.reaches(mode))
                continue
            for other, there, its_mode, its_signal in others:
                if signal == its_signal and _meet(optic, form, other, there):
                    reach = min(optic.reaches(mode), other.reaches(its_mode))
                    yield MediaOption(optic, other, reach)


def fitting(socket: Socket, optics: Iterable[Optic]) -> list[Optic]:
    """Return the optics that fit a socket."""
    return [optic for optic in optics if any(True for _ in _ends(optic, socket))]


def taken_by(form: str) -> tuple[str, ...]:
    """Return the forms that a cage of this form accepts."""
    return FITS.get(form, (form,))


def _ends(optic: Optic, socket: Socket) -> Iterator[tuple[str, str, str]]:
    """Yield the ends of an optic that fit the socket: form, mode and signal."""
    for form in dict.fromkeys(taken for each in socket.forms for taken in taken_by(each)):
        spoken = optic.cages.get(form, {})
        yield from ((form, mode, spoken[mode]) for mode in socket.modes if mode in spoken)


def _meet(near: Optic, form: str, far: Optic, there: str) -> bool:
    """Return whether two ends with one signal are the ends of one cable, or both accept fiber."""
    open_ends = not (near.is_cable or far.is_cable)
    return open_ends or (near is far and there in near.far_forms(form))


_NEEDED = {"kind", "cages", "lanes", "reach", "media", "source"}


@cache
def shipped_optics() -> Mapping[str, Optic]:
    """Return every optic from the shipped catalog and from packages, by name."""
    known: dict[str, Optic] = {}
    for file in fact_files("optics.yaml"):
        with file.reading():
            for name, facts in file.read().items():
                if name in known:
                    raise file.refused(f"optic {name} is already in the catalog")
                if not facts.keys() >= _NEEDED:
                    raise file.refused(f"{name} needs {', '.join(sorted(_NEEDED - facts.keys()))}")
                known[name] = read_optic(name, facts)
    return known


def read_optic(name: str, facts: Mapping[str, Any]) -> Optic:
    """Read one optic from the facts in its file."""
    return Optic(
        name=name,
        kind=facts["kind"],
        cages=facts["cages"],
        lanes=facts["lanes"],
        reach=Meters(facts["reach"]),
        less={mode: Meters(meters) for mode, meters in facts.get("less", {}).items()},
        media=facts["media"],
        connector=facts.get("connector"),
        fibers=facts.get("fibers"),
        wavelength=facts.get("wavelength"),
        fec=facts.get("fec"),
        power=facts.get("power"),
        loss=facts.get("loss"),
        amplified=Meters(facts["amplified"]) if "amplified" in facts else None,
        dispersion=facts.get("dispersion"),
        osnr=facts.get("osnr"),
        latency=facts.get("latency"),
        receive=facts.get("receive"),
        source=facts["source"],
    )


def connectors(optic: Optic) -> tuple[int, str]:
    """Return the number and the kind of an optic's connectors: 2x MPO-12/APC."""
    count, times, kind = (optic.connector or "").partition("x ")
    return (int(count), kind) if times and count.isdigit() else (1, optic.connector or "fiber")


@cache
def modes_of(speed: BitsPerSecond) -> tuple[str, ...]:
    """Return the modes of a cage in which each interface has this speed."""
    return tuple(f"{count}x{speed}" for count in (1, 2, 4, 8))
