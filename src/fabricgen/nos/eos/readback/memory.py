"""Read headroom, pool and threshold from the `platform trident mmu` lines of eos.cfg.

A profile that is not applied has no effect, and a profile is incomplete without its pool.
"""

import re
from collections.abc import Iterable

from fabricgen.core.record import record

_PROFILE = re.compile(r"platform trident mmu queue profile (\S+)")
_APPLIED = re.compile(r"platform trident mmu queue profile (\S+) apply")
_POOL = re.compile(r"platform trident mmu headroom-pool limit cells (\d+)")
_THRESHOLD = re.compile(r"ingress threshold (?:1/)?(1|2|4|8|16|32|64|128)")
_HEADROOM = re.compile(r"ingress headroom cells (\d+)")


@record(kw_only=True)
class Mmu:
    """Memory of a switch: headroom of a port and pool in cells, exponent of alpha.

    `faults`: unknown lines, and an applied profile that does not exist.
    """

    headroom: int | None = None
    pool: int | None = None
    alpha: int | None = None
    faults: tuple[str, ...] = ()


def read_mmu(blocks: Iterable[tuple[str, tuple[str, ...]]]) -> Mmu:
    """Read the unindented lines that begin with `platform`, each with the lines below it."""
    profiles: dict[str, tuple[str, ...]] = {}
    applied, pool, faults = None, None, list[str]()
    for top, below in blocks:
        if match := _PROFILE.fullmatch(top):
            profiles[match[1]] = below
        elif match := _APPLIED.fullmatch(top):
            applied = match[1]
        elif match := _POOL.fullmatch(top):
            pool = int(match[1])
        else:
            faults.append(f"EOS line of unknown meaning: {top}")
    if applied is not None and applied not in profiles:
        faults.append(f"the memory profile {applied} is not in the file")
    headroom, alpha = None, None
    for line in (text.strip() for text in profiles.get(applied or "", ())):
        if match := _HEADROOM.fullmatch(line):
            headroom = int(match[1])
        elif _THRESHOLD.fullmatch(line):
            alpha = _exponent(line.removeprefix("ingress threshold "))
        elif line != "!":
            faults.append(f"EOS line of unknown meaning in a memory profile: {line}")
    return Mmu(headroom=headroom, pool=pool, alpha=alpha, faults=tuple(faults))


def _exponent(word: str) -> int:
    """Return n of the threshold 2^n, as 1/16 or 8."""
    inverse, _, power = word.rpartition("/")
    exponent = int(power).bit_length() - 1
    return -exponent if inverse else exponent
