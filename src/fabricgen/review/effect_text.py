"""Words the effects on devices as an engineer does."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from fabricgen.core.tree.facts import attribute_word, subject_of
from fabricgen.core.units import counted, shortened
from fabricgen.review.facts import QUEUES
from fabricgen.review.model import Act

PORT, SETTING = "port", "setting"
NOTHING = "nothing"
"""Spelling of a list without items."""
SCRIPT = "script"
"""Place of a change of a script, which is compared as a whole."""
_NOUNS = {
    "session": "BGP session",
    "bfd": "BFD session",
    QUEUES: "port",
    "peer": "neighbor record",
    "maps": "QoS map of a port",
    "sampled": "sFlow port",
    "neighbor": "neighbor record",
}
"""Nouns of objects that are counted."""
_TITLES = {
    "session": "BGP session with",
    "bfd": "BFD session with",
    "ntp": "NTP server",
    "dns": "DNS server",
    "syslog": "syslog host",
    "sflow": "sFlow collector",
    "trap": "SNMP trap host",
    "snmp-user": "SNMP user",
    "login": "login by",
    "collector": "gNMI collector",
    "admitted": "admitted prefix",
    "rule": "filter",
    "acl": "filter",
    "ssh": "SSH in VRF",
    "api": "API in VRF",
}
"""Titles of objects with a name."""
_SINGLE = {
    "bfd": "BFD",
    "relay": "DHCP relay",
    "vtep": "VTEP",
    "snmp": "SNMP",
    "gnmi": "gNMI",
    "netconf": "NETCONF",
    "restconf": "RESTCONF",
    "tls": "TLS",
}
"""Titles of the only object of a kind on a switch."""
_ATTRIBUTES = {
    "anycast-mac": "anycast MAC",
    "bfd": "BFD",
    "ipv6": "IPv6",
    "rd": "route distinguisher",
    "far-end": "remote end",
    "asks-from": "DHCP relay source",
    "relayed": "DHCP relay to",
    "taken": "imported prefixes",
    "import": "imported route targets",
    "export": "exported route targets",
    "devices": "tunnels",
}
_SWITCHED = {"true": "on", "false": "off", "none": "off"}
_LONGEST = 60


def effect_text(
    act: str, kind: str, name: str, attribute: str, values: tuple[str, str], objects: int
) -> str:
    """Return the text of an effect on switches.

    Args:
        act: What happens.
        kind: Kind of the objects.
        name: Common name of the objects, or empty.
        attribute: Changed attribute; empty for the complete objects.
        values: Old and new value; both empty if they are different on each object.
        objects: Number of the objects; 0 for the only object of a kind on each switch.
    """
    subject = _subject(kind, name, objects)
    if not attribute:
        return f"{subject} {act}"
    word = _ATTRIBUTES.get(attribute) or attribute_word(kind, attribute)
    return f"{subject}: {word}{change_text(*values)}"


def _subject(kind: str, name: str, objects: int) -> str:
    noun = _NOUNS.get(kind, kind.replace("-", " "))
    if not objects:
        return _SINGLE.get(kind, noun)
    if kind in (PORT, QUEUES) or not name:
        return f"{noun} {name}" if name and objects == 1 else counted(objects, noun)
    if kind not in _TITLES:
        return subject_of((kind, *name.split(" ")))
    vrf, _, remote = name.partition(" ")
    if kind in ("session", "bfd") and remote:
        return f"{_TITLES[kind]} {remote}" + (f" in VRF {vrf}" if vrf != "default" else "")
    return f"{_TITLES[kind]} {name}"


def setting_text(
    act: str, name: str, attribute: str, values: tuple[str, str], lines: Iterable[str], why: str
) -> str:
    """Return the text of changed lines that only a risk rule knows, with its reason.

    Args:
        act: What happens.
        name: File and section of the lines.
        attribute: First word of the line in a deeper section, or empty.
        values: Old and new line, if it changes.
        lines: The lines that come or go.
        why: Reason of the rule.
    """
    file, _, section = name.partition(":")
    if SCRIPT in (section, attribute):
        return f"script {file} {act} ({why})"
    place = f"{section} in {file}" if section else file
    if act == Act.CHANGED and any(values):
        word = "" if values[0].startswith(attribute) else f" {attribute}"
        return f"{place}:{word}{change_text(*values)} ({why})"
    shown = shortened([*lines], 2) or attribute
    return f"{place}:{f' {shown}' if shown and shown != section else ''} {act} ({why})"


def change_text(before: str, after: str) -> str:
    """Return a change of a value: only the different words of two long values."""
    if NOTHING in (before, after) and before != after:
        return f" +{_short(after)}" if before == NOTHING else f" -{_short(before)}"
    if "true" in (before, after) and {before, after} <= _SWITCHED.keys():
        before, after = _SWITCHED[before], _SWITCHED[after]
    if not before and not after:
        return " changes, with another value on each"
    if max(len(before), len(after)) <= _LONGEST:
        return f" {before} → {after}"
    gone, come = _differing(before.split(" "), after.split(" "))
    if not gone or not come:
        return f" +{_short(come)}" if come else f" -{_short(gone)}"
    return f" {_short(gone)} → {_short(come)}"


def _differing(old: list[str], new: list[str]) -> tuple[str, str]:
    """Return the words of each side that the other side lacks at the same place."""
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    changed = [each for each in steps if each[0] != "equal"]
    gone = " … ".join(" ".join(old[i:j]) for _, i, j, _, _ in changed if j > i)
    come = " … ".join(" ".join(new[k:m]) for _, _, _, k, m in changed if m > k)
    return gone, come


def _short(value: str) -> str:
    return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"
