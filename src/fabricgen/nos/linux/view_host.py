"""What the templates of services, accounts and the host itself may see."""

from typing import ClassVar

from fabricgen.core.because import Because, Block, SharedBlock
from fabricgen.core.record import record


@record(eq=False, kw_only=True)
class Multipath(SharedBlock):
    """How the kernel chooses among equal paths; what is None it is not told."""

    policy: int
    fields: str | None
    seed: int | None


@record(kw_only=True)
class Daemons(Block):
    """Which of FRR's daemons run."""

    bgp: str
    bfd: str
    ospf: str


@record(eq=False)
class Host(SharedBlock):
    """What every Linux switch is told, whatever its place."""


@record()
class Lldp:
    """The switch's own name, for itself and for LLDP neighbours."""

    hostname: str
    management_port: str
    because: Because


@record()
class Breakout:
    """Cages to split before the interfaces come up: the cage's name and into how many."""

    cages: tuple[tuple[str, int], ...]
    because: Because


@record()
class Unit:
    """The systemd unit that applies what no service of its own reads."""

    commands: tuple[str, ...]
    because: Because


@record(kw_only=True)
class Account:
    """A local account; `password` is the placeholder of its hash."""

    name: str
    group: str
    password: str | None
    key: str | None


@record(eq=False)
class Accounts:
    """Every local account."""

    shared: ClassVar[bool] = True
    accounts: tuple[Account, ...]
    because: Because


@record(eq=False)
class Protected:
    """Home directories to make, and files with secrets that only root may read."""

    shared: ClassVar[bool] = True
    homes: tuple[str, ...]
    secrets: tuple[str, ...]
    because: Because
