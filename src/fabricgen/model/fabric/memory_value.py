"""Defines the packet memory of one port as read from rendered files, each number with its lines."""

from fabricgen.core.record import record


@record()
class MemoryValue:
    """A number of a file, or computed as the switch computes it from numbers of the file.

    lines: where they stand, as `config_db.json: BUFFER_POOL > ingress_lossless_pool > xoff`.
    """

    value: int
    lines: tuple[str, ...]


@record(kw_only=True)
class PortTold:
    """One port and one lossless priority; None where the files do not say.

    pause: the priority, where the port pauses it. headroom: bytes for what arrives after pause.
    pool: bytes that all groups share for headroom. shared: bytes they share before pause. alpha:
    exponent n of the threshold 2^n. groups: lossless groups that share. mtu: of IP packets.
    minimum, maximum, percent: ECN. poll, detection, restoration: milliseconds of the watchdog.
    instead: what applies where the files do not say. confidence: how well it is known that the
    model takes lines of its memory, in sentences with their sources.
    """

    instead: str
    confidence: tuple[str, ...] = ()
    mtu: MemoryValue | None = None
    pause: MemoryValue | None = None
    headroom: MemoryValue | None = None
    pool: MemoryValue | None = None
    shared: MemoryValue | None = None
    alpha: MemoryValue | None = None
    groups: MemoryValue | None = None
    minimum: MemoryValue | None = None
    maximum: MemoryValue | None = None
    percent: MemoryValue | None = None
    poll: MemoryValue | None = None
    detection: MemoryValue | None = None
    restoration: MemoryValue | None = None
