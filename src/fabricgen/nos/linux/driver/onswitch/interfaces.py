"""Check and apply /etc/network/interfaces on the switch and report deviations.

ifupdown2 returns 0 after an invalid address and only warns, so its output is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from fabricgen.core.tree.outline import OutlineSyntax
from fabricgen.nos.shared.onswitch.bound import DEFAULT, Home
from fabricgen.nos.shared.onswitch.commands import run

CONF = "etc/network/interfaces"
MANNER = OutlineSyntax(
    step=4,
    comment="#",
    separator="",
    shuts=frozenset({"link-down yes"}),
    heads=frozenset({"auto", "allow-hotplug", "iface"}),
)
_TOP = re.compile(r"$|#|(?:auto|allow-\S+|iface|mapping|source(?:-directory)?|no-\S+|rename)\s")
"""Lines outside sections, by interfaces(5) of ifupdown2 and of ifupdown."""
_LONGEST = 300
_STANZA = re.compile(r"^\s*iface\s+(\S+)", re.MULTILINE)
_MADE = re.compile(r"^\s*pre-up .*\bip link add (?:dev )?(\S+)")
_INVALID = re.compile(
    r"warning: (?P<what>.*: invalid value \"(?P<value>[^\"]*)\": valid attribute values: "
    r"\[(?P<valid>.*)\])"
)
_RANGE = re.compile(r"'(\d+)', '(\d+)'")
_NO_FAILURE = "(bridge pvid error)"
"""A port with tagged frames only has no PVID, as `bridge-allow-untagged no` requires, but
ifupdown2 3.0.0 expects one (addons/bridge.py, _query_check_bridge_port_vidinfo)."""


def indented(text: str) -> str:
    """Return a file with the lines below a section's first line indented, which is optional."""
    rows = (line.strip() for line in text.splitlines())
    return "".join(f"{'' if _TOP.match(row) else '    '}{row}\n" for row in rows)


def stanzas(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each interface of a file with its lines: the first word, and the rest."""
    for stanza in re.split(r"^iface ", indented(text), flags=re.MULTILINE)[1:]:
        name, *lines = stanza.splitlines()
        pairs = (line.strip().partition(" ") for line in lines if line.startswith(" "))
        yield name.split()[0], [(word, rest) for word, _, rest in pairs]


def homes(text: str) -> Iterator[Home]:
    for name, lines in stanzas(text):
        vrf = dict(lines).get("vrf", DEFAULT)
        yield from (Home(vrf, name, rest.strip()) for word, rest in lines if word == "address")


def shut(text: str, ports: Collection[str]) -> str:
    """Return a file that keeps these ports down."""

    def closed(stanza: re.Match[str]) -> str:
        return stanza[0] + ("\n    link-down yes" if stanza[1] in ports else "")

    return re.sub(r"^iface (\S+).*$", closed, text, flags=re.MULTILINE)


def judge(where: Path, text: str) -> str:
    """Return the errors of a file; empty if valid. No interface is brought up."""
    done = run(("ifup", "-a", "-s", "-i", str(where)))
    lines = done.err.splitlines()
    wrong = [line.partition(f"{where}: ")[2] or line[7:] for line in lines if _is_error(line)]
    wrong += [bad["what"] for bad in map(_INVALID.match, lines) if bad and not _fits(bad)]
    named = set(_STANZA.findall(text))
    for number, line in enumerate(text.splitlines(), 1):
        device = _MADE.match(line)
        if device and device[1] not in named:
            wrong.append(f"line {number} creates {device[1]}, but no stanza removes it later")
    return "; ".join(wrong[:4])


def _is_error(line: str) -> bool:
    return line.startswith("error: ")


def _fits(bad: re.Match[str]) -> bool:
    """Return whether a value is in its range; the check of 3.0.0 compares only the range's ends."""
    ends = _RANGE.fullmatch(bad["valid"])
    value = bad["value"]
    if ends is None or not value.isdigit():
        return False
    return int(ends[1]) <= int(value) <= int(ends[2])


def reload() -> str:
    """Bring interfaces up and down as in the file; return the error or an empty text."""
    done = run(("ifreload", "-a"), _LONGEST)
    wrong = [line[7:] for line in done.err.splitlines() if _is_error(line)]
    if wrong or done.status:
        return f"ifreload: {'; '.join(wrong[:4]) or done.reason}"
    return ""


def failures() -> set[str]:
    """Return the attributes of interfaces that differ from the file."""
    done = run(("ifquery", "-a", "-c"), _LONGEST)
    if not done.out.strip() and done.status:
        return {f"ifquery: {done.reason}"}
    return set(_failed(done.out))


def _failed(output: str) -> Iterator[str]:
    """Read ifquery: an interface's line fails with its attributes, or gives a reason."""
    interface = ""
    for line in output.splitlines():
        words = line[: -len("[fail]")].strip() if line.endswith("[fail]") else line.strip()
        if words.startswith("iface "):
            interface, words = words.split()[1], words.partition("(")[2]
        if line.endswith("[fail]") and words and f"({words}" != _NO_FAILURE:
            yield f"{interface} differs from the file: {' '.join(words.rstrip(')').split())}"


def strays(text: str) -> set[str]:
    """Return the virtual devices that a file does not name."""
    done = run(("ip", "-j", "-d", "link", "show"))
    if done.status:
        raise OSError(f"ip link: {done.reason}")
    virtual = {item["ifname"] for item in json.loads(done.out) if _software(item)}
    return virtual - set(_STANZA.findall(text))


_SOFTWARE = ("vxlan", "vlan", "vrf", "bridge", "bond")


def _software(item: dict[str, dict[str, str]]) -> bool:
    return item.get("linkinfo", {}).get("info_kind") in _SOFTWARE


def delete(device: str) -> None:
    """Remove a device that no stanza names any more."""
    run(("ip", "link", "delete", "dev", device))
