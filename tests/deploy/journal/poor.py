"""A journal where the machine has little to give: what is said, and what is there afterwards.

`python -m tests.deploy.journal.poor full|limited|read-only FOLDER`: one line for each thing.
"""

import os
import resource
import sys
from pathlib import Path

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import JournalFailure, Kind, Phase, Step

STEPS = [Step(switch=f"leaf{each}", phase=Phase.ARMING, message="x" * 300) for each in range(2_000)]


def filled(folder: Path, *, limit: bool) -> None:
    """Write until there is no more room, then make room again."""
    with Journal.open(folder / "journal.db") as journal, journal.lock("s", "p", "w") as held:
        push = held.start(Kind.PUSH, "0.1.0", "x")
        held.record(push, STEPS[:10])
        ballast = folder / "ballast"
        if limit:
            size = (folder / "journal.db").stat().st_size + 65536
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        else:
            fill(ballast)
        try:
            held.record(push, STEPS)
        except JournalFailure as failure:
            say(str(failure))
        say(f"{len(journal.steps(push))} steps")
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        ballast.unlink(missing_ok=True)
        held.record(push, STEPS)
        say(f"{len(journal.steps(push))} steps")


def fill(ballast: Path) -> None:
    """Leave a little room on the disk."""
    status = os.statvfs(ballast.parent)
    with ballast.open("wb") as stream:
        stream.write(b"\0" * ((status.f_bavail - 24) * status.f_frsize))


def read_only(folder: Path) -> None:
    """Be somebody who may not write there."""
    made = folder / "made" / "journal.db"
    Journal.open(made).close()
    made.chmod(0o644)
    made.parent.chmod(0o555)
    folder.chmod(0o555)
    if os.getuid() == 0:
        os.seteuid(65534)
    for path in (folder / "new" / "journal.db", made):
        try:
            with Journal.open(path) as journal:
                say(f"{len(journal.history())} pushes")
                journal.lock("s", "p", "w").__enter__()
        except JournalFailure as failure:
            say(str(failure))


def say(line: str) -> None:
    """Say a line."""
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    case, place = sys.argv[1], Path(sys.argv[2])
    if case == "read-only":
        read_only(place)
    else:
        filled(place, limit=case == "limited")
