"""How a leaf treats bridged ports of servers: spanning tree, floods, and coming back when down."""

from fabricgen.core.record import record
from fabricgen.model.fabric.because import Because


@record(eq=False)
class Choice:
    """Whether something is on, as people said."""

    on: bool
    because: Because


@record(eq=False)
class StormLimit:
    """What frames of a kind may take of a port, in percent of its speed."""

    kind: str  # broadcast | multicast | unknown-unicast
    percent: float
    because: Because


@record(eq=False, kw_only=True)
class PortProfile:
    """A profile with all that it inherits. portfast, guard: None where nobody chose."""

    name: str
    portfast: Choice | None
    guard: Choice | None
    storms: tuple[StormLimit, ...]
    because: Because


@record()
class Recovery:
    """Ports that went down for one of these causes come back after so many seconds."""

    causes: tuple[str, ...]
    after: int
    because: Because


def portfast(profile: PortProfile | None) -> bool:
    """Tell whether a port forwards at once: unless people say otherwise."""
    return profile is None or profile.portfast is None or profile.portfast.on


def guarded(profile: PortProfile | None) -> bool:
    """Tell whether a port goes down when a bridge is behind it: unless people say otherwise."""
    return profile is None or profile.guard is None or profile.guard.on
