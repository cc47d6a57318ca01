"""FRR on the switch: judges a file, says what runs, and moves from one to the other.

frr-reload.py is not atomic: when it fails, part of the change is there. It rewrites frr.conf unless
that is the file it is given (frr-reload.py of FRR 8.4, last lines), so the new file lies there
before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver.onswitch import disk, hidden
from fabricgen.nos.linux.driver.onswitch.commands import PRIVATE, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONF = "etc/frr/frr.conf"
_RELOAD = "/usr/lib/frr/frr-reload.py"
_QUIET = ("--stdout", "--log-level", "warning")
_LONGEST = 300
_LOGGED = re.compile(r"\d{4}-\d\d-\d\d [\d:,]+ \x1b\[91m *[A-Z]+\x1b\[0m: ")
_HEAD = ("Building configuration", "Current configuration")


def judge(where: Path) -> str:
    """Return what FRR's own parser refuses of a file, with the line; empty when nothing."""
    done = run(("vtysh", "-C", "-f", str(where)))
    if not done.status:
        return ""
    lines = [line.strip() for line in (done.out + done.err).splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith("line ")), "; ".join(lines[-3:]))
    return hidden.hide(CONF, said)


def running() -> str:
    """Return what runs, in the order and form in which FRR says it."""
    done = run(("vtysh", "-c", "show running-config no-header"))
    if done.status:
        raise OSError(f"vtysh does not say what runs: {done.said}")
    lines = done.out.splitlines()
    kept = [line.rstrip() for line in lines if line != "end" and not line.startswith(_HEAD)]
    return "\n".join(kept).strip("\n") + "\n"


def difference(where: Path) -> list[str]:
    """Return what a reload of a file would change: lines with - and +, contexts said once."""
    done = run((_RELOAD, "--test", *_QUIET, str(where)), umask=PRIVATE)
    if done.status:
        raise OSError(f"frr-reload.py --test fails: {_plain(done.said)}")
    return collapsed(done.out)


def collapsed(said: str) -> list[str]:
    """Join what frr-reload.py would do, command by command, to lines as a configuration has them.

    Each command comes with the contexts that it is in, and one that deletes with `no`.
    """
    root: dict[Any, Any] = {}
    sign = ""
    place: list[dict[Any, Any]] = [root]
    for line in said.splitlines():
        if line.startswith("Lines To "):
            sign = "-" if "Delete" in line else "+"
        elif sign and line.strip() and not line.startswith("==="):
            depth = len(line) - len(line.lstrip())
            place = place[: depth + 1] if depth < len(place) else place
            place.append(place[-1].setdefault((sign, line.strip()), {}))
    return list(_shown(root, 0))


def _shown(level: dict[Any, Any], depth: int) -> Iterator[str]:
    """Yield the lines of a level; what has lines below it that were deleted is only their place."""
    for (sign, line), below in level.items():
        if sign == "+":
            yield f"+ {' ' * depth}{line}"
        elif below:
            yield f"  {' ' * depth}{line}"
        else:
            yield f"- {' ' * depth}{line[3:] if line.startswith('no ') else f'no {line}'}"
        yield from _shown(below, depth + 1)


def reload() -> str:
    """Make frr.conf run; why not, if not."""
    done = run((_RELOAD, "--reload", *_QUIET, str(disk.place(CONF))), _LONGEST, PRIVATE)
    return f"frr-reload.py: {_plain(done.said)}" if done.status else ""


def _plain(said: str) -> str:
    """Take time, level, colour and secrets from what frr-reload.py logs."""
    return hidden.hide(CONF, _LOGGED.sub("", said))
