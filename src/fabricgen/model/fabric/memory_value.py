"""Defines the packet memory of one port as read from rendered files, each number with its lines."""

from fabricgen.core.record import record


@record()
class MemoryValue:
    """A number of a file, or one that the switch computes from numbers of the file.

    `lines`: their places, for example `config_db.json: BUFFER_POOL > ingress_lossless_pool > xoff`.
    """

    value: int
    lines: tuple[str, ...]


@record(kw_only=True)
class PortTold:
    """One port and one lossless priority; None if the files do not state it.

    `pause`: the priority, if the port pauses it. `headroom`: bytes for traffic that arrives after
    pause. `pool`: bytes that all groups share for headroom. `shared`: bytes they share before
    pause. `alpha`: exponent n of the threshold 2^n. `groups`: lossless groups that share. `mtu`: of
    IP packets. `minimum`, `maximum`, `percent`: ECN. `poll`, `detection`, `restoration`:
    milliseconds of the watchdog. `cut`: bytes that remain of a packet that its full queue trims.
    `instead`: values that apply if the files have none. `confidence`:
    confidence that the model supports its memory lines, in sentences with their sources.
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
    cut: MemoryValue | None = None
    poll: MemoryValue | None = None
    detection: MemoryValue | None = None
    restoration: MemoryValue | None = None
