"""Find the checkpoint files of each plan in a listing of the switch's flash.

A name is `flash:fabricgen-<number>-<plan>-<digest>.cfg`. The number counts the checkpoints of this
switch, so their order needs no clock. The digest identifies the configuration that the plan
committed. With it, another process can check whether the commit arrived. Files in flash survive a
reload. No source says whether EOS's own `checkpoint:` files can be named, and commits by others
expire them.
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
    """Return the checkpoint from before the plan's last commit."""
    return next((one for one in reversed(kept) if one.plan == plan), None)


def following(plan: str, digest: str, kept: tuple[Checkpoint, ...]) -> Checkpoint:
    return Checkpoint(kept[-1].number + 1 if kept else 1, plan, digest)
