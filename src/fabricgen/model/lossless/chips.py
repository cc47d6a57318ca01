"""Selects the headroom model of a chip by its ASIC name and cell size."""

from fractions import Fraction

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.model.lossless.port import PauseResponse
from fabricgen.model.lossless.terms import KIB, NOTHING


@record(kw_only=True)
class SonicDynamic:
    """SONiC's dynamic model with one ASIC's parameters; the defaults are its current code.

    `tile`: 120 bit times of Gb/s per port on chips of two tiles. `extra`, `compensation`: bytes
    that later releases add. The rest are differences between releases: quanta (else a fixed 3.8
    KiB), whole_factor (the cell factor rounded up), kilo (bytes on the cable per 1000, 1024 in
    older code), doubled_at (a speed whose response counts twice), gearbox_ns. `latency`: bytes that
    arrive before a group detects that it must pause (`pipeline_latency`), 19 KiB in the table.
    """

    source: str
    tile: bool = False
    extra: Bytes = NOTHING
    compensation: Bytes = NOTHING
    response: PauseResponse = PauseResponse.SHIPPED
    quanta: bool = True
    whole_factor: bool = True
    kilo: int = 1000
    doubled_at: BitsPerSecond | None = None
    gearbox_ns: int = 0
    latency: Bytes = Bytes(19 * KIB)


@record()
class WireAndCells:
    """The 802.1Qbb sum times the worst amplification by cells, for chips without a better model."""

    source: str


@record(kw_only=True)
class CellFit:
    """Fit to a vendor's rows, not a vendor's formula: a cell for every 84 bytes on the wire.

    Wire bytes are cable + turn_ns x speed + constant. `error`: the largest distance from the rows
    between slowest and fastest; outside that range the general model holds.
    """

    turn_ns: int
    constant: Bytes
    error: Fraction
    slowest: BitsPerSecond
    fastest: BitsPerSecond
    source: str

    def covers(self, speed: BitsPerSecond) -> bool:
        """Return whether the fit includes rows of that speed."""
        return self.slowest <= speed <= self.fastest


Model = SonicDynamic | WireAndCells | CellFit


@record()
class Chip:
    """An ASIC, the allocation unit of its buffer, and its model."""

    name: str
    cell: Bytes
    model: Model


_ASIC_TABLE = "sonic-buildimage@4a9bf641 platform/mellanox/asic_table.j2"
_GENERAL = WireAndCells("IEEE 802.1Qbb Annex N, amplified by the worst frame length for the cell")


def _kib(count: int) -> Bytes:
    return Bytes(count * KIB)


def _fit(turn_ns: int, constant: int, error: str, speeds: str, rows: str) -> CellFit:
    slowest, fastest = (BitsPerSecond.parse(text) for text in speeds.split("-"))
    source = f"fit to device/{rows}/pg_profile_lookup.ini"
    return CellFit(
        turn_ns=turn_ns,
        constant=Bytes(constant),
        error=Fraction(error) / 100,
        slowest=slowest,
        fastest=fastest,
        source=source,
    )


CHIPS = (
    Chip("Spectrum", Bytes(96), SonicDynamic(source=_ASIC_TABLE)),
    Chip("Spectrum-2", Bytes(144), SonicDynamic(source=_ASIC_TABLE)),
    Chip("Spectrum-3", Bytes(144), SonicDynamic(source=_ASIC_TABLE)),
    Chip("Spectrum-4", Bytes(192), SonicDynamic(source=_ASIC_TABLE, tile=True)),
    Chip("Spectrum-5", Bytes(192), SonicDynamic(source=_ASIC_TABLE, tile=True)),
    Chip(
        "Spectrum-6",
        Bytes(256),
        SonicDynamic(
            source=f"{_ASIC_TABLE}; 18 KiB: sonic-swss pull request 4797",
            extra=_kib(18),
            response=PauseResponse.CONSERVATIVE,
            latency=_kib(42),
        ),
    ),
    Chip(
        "Tofino2",
        Bytes(176),
        SonicDynamic(
            source="sonic-buildimage@086b03bd platform/barefoot/asic_table.j2; "
            "edge-core/sonic-swss@ab299201 cfgmgr/buffer_headroom_barefoot.lua",
            whole_factor=False,
            kilo=1024,
            doubled_at=BitsPerSecond.parse("400G"),
            latency=_kib(68),
        ),
    ),
    Chip(
        "Tomahawk4",
        Bytes(254),
        _fit(2030, 18750, "0.11", "200G-400G", "dell/x86_64-dell_z9664f-r0/DellEMC-Z9664f-O64"),
    ),
    Chip(
        "Tomahawk5",
        Bytes(254),
        _fit(2140, 21100, "0.46", "100G-800G", "dell/x86_64-dell_z9864f-r0/Dell-Z9864f-O64"),
    ),
    Chip(
        "Trident4-X9",
        Bytes(318),
        _fit(
            2030, 20000, "0.12", "200G-400G", "dell/x86_64-dellemc_s5448f-r0/DellEMC-S5448f-C48O8"
        ),
    ),
    Chip(
        "Tomahawk6",
        Bytes(420),
        _fit(2270, 15250, "1.01", "200G-800G", "nexthop/x86_64-nexthop_4210-r0021/NH-4210-F-P128"),
    ),
)
_BY_NAME = {item.name: item for item in CHIPS}
# For a chip without a published cell size, the largest known size is assumed, that of Tomahawk6.
LARGEST_CELL = max(item.cell for item in CHIPS)


def chip(asic: str, cell: Bytes | None) -> Chip:
    """Return the chip of that catalog name; an unknown chip has the general model.

    Raises ValueError if the catalog's cell differs from the cell of the chip's model.
    """
    known = _BY_NAME.get(asic)
    if known is None:
        if cell is None:
            assumed = f"{_GENERAL.source}; cell unknown, the largest known one is assumed"
            return Chip(asic, LARGEST_CELL, WireAndCells(assumed))
        return Chip(asic, cell, _GENERAL)
    if cell not in (None, known.cell):
        raise ValueError(f"{asic} has cells of {known.cell} bytes in its model, not {cell}")
    return known
