"""Alpha in; the part of a shared pool it grants, and the occupancy at which pause is sent, out."""

from dataclasses import dataclass
from fractions import Fraction

from fabricgen.core.units import Bytes


@dataclass(frozen=True, slots=True, order=True)
class Alpha:
    """alpha = 2 ** exponent: a queue may hold at most alpha times what is free.

    SONiC writes the exponent (`dynamic_th`), -8 to 7; the intent takes no other.
    """

    exponent: int

    @property
    def ratio(self) -> Fraction:
        """Alpha itself."""
        return Fraction(2) ** self.exponent

    def __str__(self) -> str:
        """Return 8, 1 or 1/16."""
        return str(self.ratio)


def group_limit(alpha: Alpha, groups: int) -> Fraction:
    """Return the part of a shared pool each of `groups` congested groups settles at.

    A group may hold alpha x free; with all of them at that limit free is 1 / (1 + alpha x groups).
    """
    return alpha.ratio / (1 + alpha.ratio * groups)


def pause_threshold(shared: Bytes, alpha: Alpha, ports: int, classes: int) -> Bytes:
    """Return the occupancy of one group at which pause is sent with all of them congested.

    alpha * shared / (1 + alpha * ports * classes), rounded down: marking has to begin below it,
    so a threshold promised too high would let pause come first.
    """
    return Bytes(int(shared * group_limit(alpha, ports * classes)))
