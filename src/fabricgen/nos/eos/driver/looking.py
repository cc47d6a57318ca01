"""A way to run show commands in; one look at the health of the switch out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from napalm.base.exceptions import CommandErrorException

from fabricgen.nos.eos.driver import health
from fabricgen.nos.health import Health

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[[list[Any]], list[dict[str, Any]]]

# EOS refuses the question when no BGP runs (as users of ANTA report); that is an answer, too.
_NO_BGP = "BGP inactive"
_NONE: dict[str, Any] = {"vrfs": {}}


def look(run: Run) -> Health:
    """Ask one command after the other: one that an image or platform lacks costs only itself."""
    unread = list(health.NO_SOURCE)

    def ask(command: str, parts: tuple[Callable[[Any], Any], ...], revision: int = 0) -> list[Any]:
        """Return what each part reads of the answer; None for each when it cannot be read."""
        try:
            (answer,) = run([{"cmd": command, "revision": revision} if revision else command])
            return [part(answer) for part in parts]
        except CommandErrorException as error:
            if _NO_BGP in str(error):
                return [part(_NONE) for part in parts]
            unread.append(f"{command}: {error}")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            unread.append(f"{command}: the answer has another shape ({type(error).__name__})")
        return [None] * len(parts)

    sessions, routes = ask("show bgp summary vrf all", (health.sessions, health.routes), revision=1)
    (bfd,) = ask("show bfd peers", (health.bfd,), revision=1)
    links, errors = ask("show interfaces", (health.links, health.errors))
    (cables,) = ask("show lldp neighbors", (health.cables,))
    (storms,) = ask("show priority-flow-control counters watchdog", (health.storms,))
    return Health(
        sessions=sessions or {},
        bfd=bfd or {},
        links=links or {},
        cables=cables or frozenset(),
        routes=routes or {},
        errors={**(errors or {}), **(storms or {})},
        unread=tuple(unread),
    )
