"""Compare two trees of files by switch and group equal changes.

Two changes are equal when their lines are equal without the switch's own name, router ID and ASN,
and the same rules classify them. For example, the route distinguisher of a VLAN contains the
loopback of each leaf, and 128 leafs still share the change. On a shut port the same lines are
another change. The own values of a server are its name, the addresses of its NICs, and its leafs
with their addresses, as the tables of its ports list them.
"""

import difflib
import re
from collections import defaultdict
from collections.abc import Collection, Mapping

from fabricgen.compile.compiler import HOSTS
from fabricgen.compile.output.manifest import folder_of_file
from fabricgen.compile.output.risks import changes_in
from fabricgen.core.record import record
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.risk import Change, Risk
from fabricgen.core.units import natural

CONTEXT = 2
_SERVERS = f"{HOSTS}/"
_RAIL = re.compile(
    r"^(?:rail|port)\S* \S+ (?P<address>\S+) (?P<host>\S+) (?P<leaf>\S+) (?P<subnet>\S+)"
    r"(?: \S+){3} (?P<to>\S+)(?: \d+)?$",
    re.MULTILINE,
)
_OWN = re.compile(r'(?:router-id |router bgp |"bgp_asn": ")([0-9.]+)')


@record()
class FileChange:
    """One file that differs.

    lines: unified diff without its header. status: new, removed or changed.
    """

    path: str
    status: str
    lines: tuple[str, ...]


@record(kw_only=True)
class Group:
    """Switches or servers that share one change. `files` are those of the first device.

    `judged`: effects of the change, the worst first; empty when only order or comments differ.
    """

    switches: tuple[str, ...]
    files: tuple[FileChange, ...]
    added: int
    removed: int
    judged: tuple[Change, ...] = ()

    @property
    def risk(self) -> Risk:
        """Return the highest risk in it."""
        return worst(self.judged)

    @property
    def of_servers(self) -> bool:
        """Return whether the change is about servers, whose files differ from those of switches."""
        return self.switches[0].startswith(_SERVERS)


@record()
class Changes:
    """All differences between two trees."""

    groups: tuple[Group, ...]
    switches: int  # and servers, in either tree
    servers: int = 0

    @property
    def changed(self) -> int:
        """How many switches differ."""
        return sum(len(group.switches) for group in self.groups)

    @property
    def added(self) -> int:
        """Return the number of lines added over all switches."""
        return sum(group.added * len(group.switches) for group in self.groups)

    @property
    def removed(self) -> int:
        """Return the number of lines removed over all switches."""
        return sum(group.removed * len(group.switches) for group in self.groups)

    @property
    def radius(self) -> dict[Risk, int]:
        """How many switches and servers change, by the highest risk of each; the worst first."""
        counts = dict.fromkeys(sorted(Risk, reverse=True), 0)
        for group in self.groups:
            counts[group.risk] += len(group.switches)
        return counts


def compare(
    before: Mapping[str, str], after: Mapping[str, str], unchanged: Collection[str] = ()
) -> Changes:
    """Compare two trees of path → text. `unchanged`: further folders, with equal files."""
    by_switch: dict[str, list[FileChange]] = defaultdict(list)
    sides = _by_folder(before), _by_folder(after)
    names = {*sides[0], *sides[1], *unchanged}
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old != new:
            by_switch[folder_of_file(path)].append(_change(path, old, new))
    grouped: dict[tuple[object, ...], list[str]] = defaultdict(list)
    own = _Identities(before, after)
    judged = {
        switch: tuple(changes_in(switch, *(side.get(switch, {}) for side in sides)))
        for switch in by_switch
    }
    for switch, changes in by_switch.items():
        hide = own.of(switch)
        alike = tuple((c.path, c.status, _essence(c.lines, hide)) for c in changes)
        verdict = frozenset((item.file, item.kind, id(item.rule)) for item in judged[switch])
        grouped[alike, verdict].append(switch)
    groups = [
        _group(tuple(switches), by_switch[switches[0]], judged[switches[0]])
        for switches in map(natural, grouped.values())
    ]
    groups.sort(key=lambda group: (-len(group.switches), group.switches))
    servers = sum(name.startswith(_SERVERS) for name in names)
    return Changes(tuple(groups), len(names), servers)


def _by_folder(tree: Mapping[str, str]) -> dict[str, dict[str, str]]:
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for path, text in tree.items():
        folder = folder_of_file(path)
        folders[folder][path[len(folder) + 1 :]] = text
    return folders


def _change(path: str, old: str | None, new: str | None) -> FileChange:
    inner = path.split("/", 2)[-1]
    status = "new" if old is None else "gone" if new is None else "changed"
    texts = (old or "").splitlines(), (new or "").splitlines()
    lines = difflib.unified_diff(*texts, lineterm="", n=CONTEXT)
    return FileChange(inner, status, tuple(list(lines)[2:]))


class _Identities:
    """Values of a switch or server in its files: name, router IDs, ASN, ports."""

    def __init__(self, *trees: Mapping[str, str]) -> None:
        self._texts: dict[str, list[str]] = defaultdict(list)
        for tree in trees:
            for path, text in tree.items():
                self._texts[folder_of_file(path)].append(text)

    def of(self, switch: str) -> re.Pattern[str]:
        """Return a pattern of the switch's own words."""
        words = {re.escape(switch.rpartition("/")[2])}
        for text in self._texts[switch]:
            if not switch.startswith(_SERVERS):
                words.update(map(re.escape, filter(None, _OWN.findall(text))))
                continue
            for rail in _RAIL.finditer(text):
                words.update(re.escape(rail[key]) for key in ("address", "subnet", "to"))
                # bare addresses: one with a length may be a block, which all servers share
                words.update(rf"{re.escape(rail[key])}(?:/32|(?!/))" for key in ("host", "leaf"))
        longest = sorted(words, key=len, reverse=True)
        return re.compile(r"(?<![\w.])(?:" + "|".join(longest) + r")(?![\w.]|\.\d)")


def _essence(lines: tuple[str, ...], own: re.Pattern[str]) -> tuple[str, ...]:
    """Return the key of equal changes: removed and added lines, without the switch's values."""
    return tuple(own.sub("<own>", line) for line in lines if line[:1] in "+-")


def _group(switches: tuple[str, ...], files: list[FileChange], judged: tuple[Change, ...]) -> Group:
    lines = [line for file in files for line in file.lines]
    return Group(
        switches=switches,
        files=tuple(files),
        added=sum(line.startswith("+") for line in lines),
        removed=sum(line.startswith("-") for line in lines),
        judged=judged,
    )
