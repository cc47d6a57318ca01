"""Processes that write looks to a timeline at the same time, and are killed while they do.

`python -m tests.deploy.journal.timeline_processes ADDRESS SWITCHES [MOMENT]`: write one look after
the other and print its number after it is stored. Each look sets the same value on every switch.
With MOMENT, the process kills itself before or after that statement of SQL.
"""

import os
import sys

from tests.deploy.journal.looks import LANE, facts, identity, look
from tests.deploy.journal.processes import die_at

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.state.timeline.timeline import Timeline

GROWS = ("flaps", "Ethernet1")


def write(
    address: str, switches: int, moment: int | None, begin: int = 1, end: int = 10**9
) -> None:
    """Write looks from a number to another."""
    if moment is not None:
        die_at(moment)
    with Journal.open(address) as journal:
        timeline = Timeline(journal.database)
        for number in range(begin, end):
            own = look(facts(mtu=str(number)), numbers={GROWS: number})
            outcome = timeline.write(
                LANE, {f"leaf{each}": own for each in range(switches)}, identity()
            )
            os.write(1, f"{number} {outcome.switches}\n".encode())


if __name__ == "__main__":
    place, size, *rest = sys.argv[1:]
    numbers = [int(each) for each in rest]
    write(place, int(size), (numbers[0] or None) if numbers else None, *numbers[1:])
