"""VRFs that take routes of others in; the lines of the prefix lists of what each takes, out."""

from fabricgen.model.fabric.overlay import Vrf
from fabricgen.nos.shared.border import PrefixLine


def taken_lines(takers: tuple[Vrf, ...], version: int) -> tuple[PrefixLine, ...]:
    """Return the lines of one family, by the names of their lists and by number."""
    lines = (
        PrefixLine(
            name=taken.list_of(taker.name, version),
            seq=rule.sequence,
            allowed=rule.allowed,
            because=taken.because,
        )
        for taker in takers
        for taken in taker.takes
        for rule in taken.of(version)
    )
    return tuple(sorted(lines, key=lambda line: (line.name, line.seq)))
