"""Check frr.conf on the switch, read the running configuration and change it.

frr-reload.py is not atomic: when it fails, part of the change is active. It rewrites frr.conf
unless that is the given file (frr-reload.py of FRR 8.4, last lines), so the new file is placed
there before. Another ASN needs another process of BGP, which a reload cannot start. So the old
process is ended first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fabricgen.core.tree.outline import OutlineSyntax
from fabricgen.nos.shared.onswitch import hidden
from fabricgen.nos.shared.onswitch.commands import PRIVATE, run
from fabricgen.nos.shared.onswitch.refusal import StepError

RELOADER = "/usr/lib/frr/frr-reload.py"
_QUIET = ("--stdout", "--log-level", "warning")
_LONGEST = 300
_LOGGED = re.compile(r"\d{4}-\d\d-\d\d [\d:,]+ \x1b\[91m *[A-Z]+\x1b\[0m: ")
_HEAD = ("Building configuration", "Current configuration")
_NAME = re.compile(r"[-+] hostname ")
_BGP = re.compile(r"^router bgp (?P<asn>\d+)(?: vrf (?P<vrf>\S+))?$", re.MULTILINE)
_ENDS = ("exit", "exit-vrf", "exit-vni", "exit-address-family", "exit-ldp-if", "end", "!")
_CLOSES = {"address-family": "exit-address-family", "vrf": "exit-vrf", "vni": "exit-vni"}
MANNER = OutlineSyntax(
    step=1,
    comment="!",
    separator="!",
    ends=frozenset(_ENDS),
    last="end",
    shuts=frozenset({"shutdown"}),
    closes=lambda head: _CLOSES.get(head.split()[0], "exit"),
)
_BOUND = re.compile(r"^vrf (?P<vrf>\S+)\n vni (?P<vni>\d+)", re.MULTILINE)


class Frr(NamedTuple):
    """FRR on this switch. `prefix`: the words before each command, if FRR runs in a container."""

    prefix: tuple[str, ...] = ()

    def judge(self, where: Path) -> str:
        """Return the errors of FRR's parser for a file, with the line; empty if valid."""
        done = run((*self.prefix, "vtysh", "-C", "-f", str(where)))
        if not done.status:
            return ""
        lines = [line.strip() for line in (done.out + done.err).splitlines() if line.strip()]
        why = next((line for line in lines if line.startswith("line ")), "; ".join(lines[-3:]))
        return hidden.masked(hidden.ROUTING, why)

    def running(self) -> str:
        """Return the running configuration in FRR's order and form."""
        done = run((*self.prefix, "vtysh", "-c", "show running-config no-header"))
        if done.status:
            raise StepError(f"vtysh cannot show the running configuration: {done.reason}")
        lines = done.out.splitlines()
        kept = [line.rstrip() for line in lines if line != "end" and not line.startswith(_HEAD)]
        return "\n".join(kept).strip("\n") + "\n"

    def watched(self) -> list[dict[str, Any]]:
        """Return the BFD sessions; none if bfdd does not run."""
        found = self._shown("bfd peers")
        return found if isinstance(found, list) else []

    def sharing(self) -> dict[str, dict[str, Any]]:
        """Return the EVPN neighbors; none if bgpd does not run."""
        found = self._shown("bgp l2vpn evpn summary")
        return found.get("peers", {}) if isinstance(found, dict) else {}

    def _shown(self, words: str) -> Any:
        """Return the JSON of a show command; None without an answer."""
        done = run((*self.prefix, "vtysh", "-c", f"show {words} json"))
        try:
            return json.loads(done.out)
        except ValueError:
            return None

    def say(self, commands: Sequence[str]) -> str:
        """Run FRR commands without secrets up to the first error; return the error or nothing."""
        words = (part for command in commands for part in ("-c", command))
        done = run((*self.prefix, "vtysh", *words))
        return f"vtysh: {done.reason}" if done.status else ""

    def tell(self, where: Path, longest: float = _LONGEST) -> str:
        """Run the commands of a file in order; return the errors or an empty text.

        An error does not stop it.
        """
        done = run((*self.prefix, "vtysh", "-f", str(where)), longest, holds=True)
        return hidden.masked(hidden.ROUTING, done.reason) if done.status else ""

    def difference(self, where: Path) -> list[str]:
        """Return the changes that a reload of a file would make: lines with - and +, contexts once.

        The host name is excluded: daemons keep the kernel's name from their start, and no command
        sets another (docs.frrouting.org, Basic Commands, `hostname`: for the current vtysh only).
        """
        done = run(
            (*self.prefix, "python3", RELOADER, "--test", *_QUIET, str(where)), umask=PRIVATE
        )
        if done.status:
            raise StepError(f"frr-reload.py --test fails: {_plain(done.reason)}")
        return [line for line in collapsed(done.out) if not _NAME.match(line)]

    def reload(self, where: Path, longest: float = _LONGEST) -> str:
        """Activate frr.conf; return the error or an empty text."""
        words = (*self.prefix, "python3", RELOADER, "--reload", *_QUIET, str(where))
        done = run(words, longest, PRIVATE)
        return f"frr-reload.py: {_plain(done.reason)}" if done.status else ""


def ending(running: str, wanted: str) -> list[str]:
    """Return the commands that end the BGP of an ASN that a file does not have; usually none.

    FRR requires the order. An L3VNI needs the instance of its VRF, and VRF instances need the
    default one (FRRouting/frr bgpd/bgp_vty.c, no_router_bgp: `Please unconfigure l3vni`, `Dependent
    VRF instances exist`).
    """
    stays = {match["asn"] for match in _BGP.finditer(wanted)}
    gone = [match for match in _BGP.finditer(running) if match["asn"] not in stays]
    vrfs = {match["vrf"] for match in gone}
    bound = [match for match in _BOUND.finditer(running) if match["vrf"] in vrfs]
    return [
        *(
            line
            for match in bound
            for line in (f"vrf {match['vrf']}", f"no vni {match['vni']}", "exit-vrf")
        ),
        *(f"no {match[0]}" for match in sorted(gone, key=lambda match: match["vrf"] is None)),
    ]


def collapsed(shown: str) -> list[str]:
    """Join the commands of frr-reload.py to lines as a configuration has them.

    Each command comes with its contexts, and one that deletes with `no`.
    """
    root: dict[Any, Any] = {}
    sign = ""
    place: list[dict[Any, Any]] = [root]
    for line in shown.splitlines():
        if line.startswith("Lines To "):
            sign = "-" if "Delete" in line else "+"
        elif sign and line.strip() and not line.startswith("==="):
            depth = len(line) - len(line.lstrip())
            place = place[: depth + 1] if depth < len(place) else place
            place.append(place[-1].setdefault((sign, line.strip()), {}))
    return list(_shown(root, 0))


def _shown(level: dict[Any, Any], depth: int) -> Iterator[str]:
    """Yield the lines of a level. A parent of deleted lines is only their context."""
    for (sign, line), below in level.items():
        if sign == "+":
            yield f"+ {' ' * depth}{line}"
        elif below:
            yield f"  {' ' * depth}{line}"
        else:
            yield f"- {' ' * depth}{line[3:] if line.startswith('no ') else f'no {line}'}"
        yield from _shown(below, depth + 1)


def _plain(logged: str) -> str:
    """Remove time, level, color and secrets from the log of frr-reload.py."""
    return hidden.masked(hidden.ROUTING, _LOGGED.sub("", logged))
