"""A listing of the switch's flash in; which files keep what ran before which plan out.

`flash:fabricgen-<number>-<plan>-<digest>.cfg`. The number counts checkpoints of this switch, so
that their order needs no clock; the digest is that of the configuration the plan committed, so that
a process that did not make the commit can tell whether it arrived. Files of flash outlive a reload;
EOS's own `checkpoint:` files are not named by a source that says so, and others' commits age them.
"""

import re
from dataclasses import dataclass

_FILE = re.compile(r"\bfabricgen-(?P<number>[0-9]{4,})-(?P<plan>\S+)-(?P<digest>[0-9a-f]{12})\.cfg")
KEPT = 5


@dataclass(frozen=True, slots=True, order=True)
class Checkpoint:
    number: int
    plan: str
    digest: str

    @property
    def url(self) -> str:
        return f"flash:fabricgen-{self.number:04}-{self.plan}-{self.digest}.cfg"


def read(listing: str) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of `dir flash:`, the oldest first."""
    kept = (
        Checkpoint(int(file["number"]), file["plan"], file["digest"])
        for file in _FILE.finditer(listing)
    )
    return tuple(sorted(kept))


def of_plan(plan: str, kept: tuple[Checkpoint, ...]) -> Checkpoint | None:
    """Return what ran before the plan's last commit."""
    return next((one for one in reversed(kept) if one.plan == plan), None)


def following(plan: str, digest: str, kept: tuple[Checkpoint, ...]) -> Checkpoint:
    return Checkpoint(kept[-1].number + 1 if kept else 1, plan, digest)
