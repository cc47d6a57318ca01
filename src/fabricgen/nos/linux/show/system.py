"""Read the identity, daemons, clock and port-channel members of a Linux switch."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from fabricgen.core.tree.facts import FALSE, TRUE, Facts
from fabricgen.nos.questions import Answer, UnreadableError
from fabricgen.nos.show import BUNDLED

RUNNING, STOPPED = "running", "stopped"
DAEMONS = ("zebra", "bgpd", "ospfd", "bfdd", "lldpd", "chronyd")
_FOLDERS = "/usr/lib/frr /usr/sbin"
# /proc/PID/comm has the name of a program, up to 15 letters (man 5 proc_pid_comm). A process may
# end meanwhile: cat then continues, but sort would print nothing. This shell is always in the list.
# So an empty list is no answer. If a signal ended cat (status > 128), its list is no answer.
SYSTEM = (
    'echo "hostname $(cat /proc/sys/kernel/hostname)"; '
    'echo "uptime $(cut -d " " -f 1 /proc/uptime)"; echo "clock $(date +%s)"; '
    f"for each in {' '.join(DAEMONS)}; do for place in {_FOLDERS}; do "
    '[ ! -x "$place/$each" ] || echo "installed $each"; done; done; '
    "names=$(cat /proc/[0-9]*/comm 2>/dev/null); "
    '[ $? -gt 128 ] || [ -z "$names" ] || { echo "$names" | sort -u '
    f"| grep -xE '{'|'.join(DAEMONS)}' | sed 's/^/running /'; echo end; }}"
)
CLOCK = "command -v chronyc > /dev/null || { echo absent; exit 0; }; chronyc -c -n tracking"
FLAPS = "grep -H . /sys/class/net/*/carrier_changes"
_FLAPS = re.compile(r"/sys/class/net/([^/]+)/carrier_changes:(\d+)\Z")
_LEAST_FIELDS = 10
_PORT = "swp"
_USED = {"collecting", "distributing"}
"""Port states of 802.1AX, 6.4.7, while LACP uses a member."""


class System:
    """Lines of the command SYSTEM by their first word."""

    def __init__(self, answer: Answer) -> None:
        """Split the lines of the answer."""
        self.lines: dict[str, list[str]] = {}
        word = ""
        for line in filter(str.strip, answer.text.splitlines()):
            word, _, rest = line.strip().partition(" ")
            if word not in {"hostname", "uptime", "clock", "installed", "running", "end"}:
                raise UnreadableError(line.strip()[:80])
            self.lines.setdefault(word, []).append(rest)
        if "hostname" not in self.lines:
            raise UnreadableError("no host name")
        self.complete = word == "end" and not answer.status

    def identity(self) -> Facts:
        """Return the host name, without its DNS domain."""
        return {("identity",): {"hostname": self.lines["hostname"][0].partition(".")[0]}}

    def daemons(self) -> Facts:
        """Return the state of each installed daemon. In a truncated list, none is stopped."""
        if not self.complete:
            raise UnreadableError("the list of processes is empty or truncated")
        running = self.lines.get("running", ())
        return {
            ("daemon", name): {"state": RUNNING if name in running else STOPPED}
            for name in self.lines.get("installed", ())
        }

    def absent(self) -> dict[tuple[str, ...], str]:
        """Return the daemons that are not installed, whose state is unknown."""
        there = self.lines.get("installed", ()) if self.complete else DAEMONS
        return {
            ("daemon", "state", name): f"{name} is not installed"
            for name in DAEMONS
            if name not in there
        }

    def number(self, word: str) -> float | None:
        """Return a number of the answer. None if it is missing."""
        found = self.lines.get(word)
        return float(found[0]) if found else None


def clock(answer: Answer) -> Facts:
    """Return whether the clock is synchronized: the last value is the leap status (man chronyc)."""
    line = next(iter(answer.text.strip().splitlines()), "no output")
    if line == "absent":
        return {}
    fields = line.split(",")
    if answer.status or len(fields) < _LEAST_FIELDS:
        raise UnreadableError(line[:80])
    return {("clock",): {"synchronized": TRUE if fields[-1].strip() == "Normal" else FALSE}}


def flaps(answer: Answer) -> dict[tuple[str, ...], float]:
    """Return the changes of each link since the start of its device."""
    found: dict[tuple[str, ...], float] = {}
    for line in filter(str.strip, answer.text.splitlines()):
        one = _FLAPS.match(line.strip())
        if one is None:
            raise UnreadableError(line.strip()[:80])
        if one[1].startswith(_PORT):
            found["flaps", one[1]] = float(one[2])
    return found


def bundled(devices: Iterable[Mapping[str, Any]]) -> Facts:
    """Return the members of port-channels with LACP, and whether LACP uses each one."""
    facts: Facts = {}
    for item in devices:
        link = item.get("linkinfo", {})
        states = link.get("info_slave_data", {}).get("ad_actor_oper_port_state_str")
        if link.get("info_slave_kind") != "bond" or states is None:
            continue
        lacks = sorted(_USED - {*states})
        facts["bundle-member", str(item["master"]), str(item["ifname"])] = {
            "state": BUNDLED if not lacks else f"not {' and not '.join(lacks)}"
        }
    return facts
