"""Implements `fabricgen lab list`, which lists the labs of this user on this machine."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.lab.terminal import one_line
from fabricgen.cli.output import data_option
from fabricgen.cli.plain import console, say

if TYPE_CHECKING:
    from rich.table import Table

    from fabricgen.operate.lab.listing import ListedLab


@define_verb("list", examples=("lab list", "lab list --format json"))
@data_option
@one_line
def command(form: str) -> int:
    """List the labs on this machine.

    The list has the site, folder, switches, start time, FRR version and state of each lab. A stale
    lab is the remainder of a terminated machine; `lab up` and `lab down` remove its folder.
    """
    from fabricgen.operate.lab.listing import STALE, listed_labs

    labs = listed_labs()
    if form == "json":
        say(document({"labs": [lab.as_data() for lab in labs]}), nl=False)
    elif not labs:
        say("no lab is running; start one with `fabricgen lab up SITE`")
    else:
        console().print(_table(labs))
        stale = [lab.name for lab in labs if lab.state == STALE]
        if stale:
            say(f"stale: {', '.join(stale)}; `fabricgen lab down --lab {stale[0]}` removes it")
    return 0


def _table(labs: list[ListedLab]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("lab", "state", "switches", "FRR", "since", "site", "folder"):
        table.add_column(title, overflow="fold")
    for lab in labs:
        since = (
            datetime.fromtimestamp(lab.since, UTC).isoformat(" ", "minutes") if lab.since else ""
        )
        count = str(len(lab.switches)) if lab.switches else ""
        table.add_row(lab.name, lab.state, count, lab.frr, since, lab.site, lab.folder)
    return table
