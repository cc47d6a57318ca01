"""How a frr.conf takes own lines."""

from fabricgen.nos.own_file import OwnFile, lines_of
from fabricgen.nos.shared.onswitch.frr import MANNER
from fabricgen.nos.shared.onswitch.hidden import ROUTING

_ACTS = "end|exit|quit|configure|write|copy|clear|do|debug|find|terminal|vtysh|watchfrr|mtrace|ping"


def frr_file(path: str) -> OwnFile:
    """Return how frr.conf takes own lines, for an OS that has it at `path`."""
    return OwnFile(
        path=path,
        manner=MANNER,
        port="interface {}",
        secrets=(ROUTING,),
        refused=(
            # docs.frrouting.org, Basic Commands and VTY: none of them is a line of configuration.
            (lines_of(_ACTS), "it is a command, not a configuration"),
            # The same: who may speak to the daemons, and where they write.
            (lines_of("line vty|log file|banner"), "own lines open no other way in"),
        ),
    )
