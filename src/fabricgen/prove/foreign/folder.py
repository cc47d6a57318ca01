"""Reads a folder of foreign configurations: the files of each switch and the unreadable ones.

All files are hostile until they are checked. Links are not followed, sizes are bounded, and a file
that is not text is not a configuration. The content of a file decides its platform, never only its
name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity
from fabricgen.core.record import record
from fabricgen.nos.registry import nos, platforms
from fabricgen.prove.foreign.database import unread

MOST_BYTES, MOST_FILES, LONGEST_LINE = 16 * 2**20, 50_000, 64 * 2**10
"""Maximum sizes of a file, of a folder, and of a line of a configuration."""
OTHERS = {
    "NX-OS": r"^(?:feature (?:bgp|nv overlay)|nv overlay evpn|vrf context \S+)$",
    "Junos": r"^(?:set (?:system|interfaces|protocols) \S.*|(?:system|interfaces|protocols) \{)$",
    "NVUE": r"^(?:- (?:header|set):|nv set \S.*)$",
    "NCLU": r"^net add \S.*$",
    "IOS": r"^interface (?:Gigabit|TenGigabit|FortyGigabit|HundredGig|Fast)\w*Ethernet\S+$",
    "SR Linux": r"^(?:set / (?:interface|network-instance) \S.*|enter candidate)$",
}
"""Typical text of another OS, by its name."""
_OTHERS = {name: re.compile(sign, re.MULTILINE) for name, sign in OTHERS.items()}
_PLAIN = re.compile(r"[._-]?(?:config_db|frr|interfaces|running-config|startup-config)?\.?\w*$")
_CONFIGS = (".cfg", ".conf", ".txt", ".set", ".yaml")
_HEAD = 200_000
"""Number of characters that identify a text."""
_PROMPT = re.compile(
    r"(?m)^(?:[\w.@-]+(?:\([\w-]*\))?[#>] ?(?:(?:sh|show|term|terminal|en|enable|exit)\b.*)?"
    r"|Pagination disabled\.|Building configuration\.\.\.|Current configuration:?)$"
)
"""CLI output around the configuration in a saved session."""
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}


@record(kw_only=True)
class Found:
    """The files of one switch. `name`: until it is read. `places`: path of a file to its location.

    `texts`: by the path in the platform's grammar.
    """

    name: str
    platform: str
    texts: Mapping[str, str]
    places: Mapping[str, str]


@record(kw_only=True)
class Folders:
    """Content of a folder. `left`: files that are not configurations of a switch.

    `others`: those among them from an unsupported OS, with its name.
    """

    switches: tuple[Found, ...]
    findings: tuple[Diagnostic, ...]
    left: tuple[str, ...]
    others: Mapping[str, str]


def found(place: Path, said: str | None = None) -> Folders:
    """Read a folder, or one file. `said`: the platform of all files. Raises OSError on failure."""
    root, names = (place, walk(place)) if place.is_dir() else (place.parent, [place.name])
    search = _Search(root, said)
    with Folder(root) as folder:
        for name in names:
            search.take(folder, name)
    return search.result()


def walk(root: Path) -> list[str]:
    """Return the files below a folder, without hidden folders and those of servers.

    Linked or unreadable folders are included; their reader reports them.
    """
    every: list[str] = []
    shut: list[OSError] = []
    for here, folders, files in os.walk(root, onerror=shut.append):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        if "manifest.json" in files and "hosts" in folders:  # a tree that `render` wrote
            folders.remove("hosts")
        below = Path(here).relative_to(root)
        links = [each for each in folders if (Path(here) / each).is_symlink()]
        named = sorted([*files, *links])
        every += [(below / name).as_posix() for name in named if name[0] != "."]
        if len(every) > MOST_FILES:
            break
    if shut and Path(shut[0].filename) == root:
        raise shut[0]
    return [*every, *(Path(each.filename).relative_to(root).as_posix() for each in shut)]


def decoded(raw: bytes) -> tuple[str, bool]:
    """Return the text of a file, and whether it is Unicode; other bytes are read as Latin-1."""
    mark = next((_MARKS[start] for start in _MARKS if raw.startswith(start)), "utf-8")
    try:
        return raw.decode(mark), True
    except UnicodeDecodeError:
        return raw.decode("latin-1"), False


class _Search:
    """Reads file after file, and groups those of a switch."""

    def __init__(self, root: Path, said: str | None) -> None:
        self.root, self.said = root, said
        self.kinds = {
            name: foreign.load()
            for name in ([said] if said else platforms())
            if (foreign := nos(name).foreign) is not None
        }
        self.files: dict[str, tuple[str, dict[str, str]]] = {}
        self.findings: list[Diagnostic] = []
        self.left: list[str] = []
        self.others: dict[str, str] = {}

    def take(self, folder: Folder, name: str) -> None:
        """Read one file, and identify it."""
        if len(self.files) + len(self.left) >= MOST_FILES:
            if len(self.files) + len(self.left) == MOST_FILES:
                self.say("", f"more than {MOST_FILES:,} files: the rest is not read")
                self.left.append("")
            return
        try:
            raw = folder.read(name, MOST_BYTES)
        except OSError as error:
            self.say(name, error.strerror or str(error))
            return
        text = self.text(name, raw)
        if "\0" in text and self.paths(name, text.replace("\0", "")):
            self.say(name, "it contains a NUL character, so it is not text")
            return
        paths = self.paths(name, text)
        if paths:
            self.files[name] = text, paths
        else:
            self.left.append(name)
            self.strange(name, text)

    def text(self, name: str, raw: bytes) -> str:
        """Return the text of a file; other encodings are read as Latin-1, and reported."""
        text, plain = decoded(raw)
        if not plain and "\0" not in text and self.paths(name, text):
            self.say(name, "this file is not UTF-8; it is read as Latin-1", Severity.WARNING)
        return _PROMPT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))

    def paths(self, name: str, text: str) -> dict[str, str]:
        """Return the possible meanings of a file by platform: its path on a switch."""
        if "\0" in text or (not self.said and self.other(text)):
            return {}
        own = {}
        for platform, kind in self.kinds.items():
            path = next((p for p in kind.grammar if f"/{name}".endswith(f"/{p}")), "")
            if "/" not in path and not kind.path(text):  # such a name alone is ambiguous
                path = ""
            path = path if "/" in path else kind.path(text) or self.frr(platform, text)
            if not path and self.said == platform:
                path = nos(platform).marker
            if path:
                own[platform] = path
        return own

    def frr(self, platform: str, text: str) -> str:
        """Return the path of frr.conf on a platform that has its own, if this is one."""
        grammar = self.kinds[platform].grammar
        others = (kind.path(text) for kind in self.kinds.values())
        return "frr.conf" if "frr.conf" in grammar and "etc/frr/frr.conf" in others else ""

    def other(self, text: str) -> str:
        """Return the unsupported OS of a text."""
        head = text[:_HEAD]
        return next((name for name, sign in _OTHERS.items() if sign.search(head)), "")

    def strange(self, name: str, text: str) -> None:
        """Report a file of another OS; a page or a script may only quote one."""
        marks = (nos(each).marker for each in self.kinds)
        if any(name.endswith(mark) for mark in marks if mark.endswith(".json")):
            number, why = unread(text)
            self.say(name, why, line=number)
            return
        other = self.other(text)
        plain = name.endswith(_CONFIGS) or "." not in name.rpartition("/")[2]
        if other and plain:
            self.others[name] = other
            self.say(
                name,
                f"this is a configuration of {other}, which is not supported; supported: EOS, "
                "SONiC and FRR",
            )

    def say(self, name: str, what: str, severity: Severity = Severity.ERROR, line: int = 1) -> None:
        """Record that a file cannot be read."""
        at = Position(str(self.root / name), line, 1)
        said = Diagnostic(Code.CONFIG_UNREADABLE, what, severity=severity, position=at)
        self.findings.append(said)

    def result(self) -> Folders:
        """Return the switches: files in one folder, or with one name, belong together."""
        switches = tuple(self.switches())
        if not switches and not self.findings:
            self.say("", "the folder has no configuration of EOS, SONiC or FRR")
        return Folders(
            switches=switches,
            findings=tuple(self.findings),
            left=tuple(filter(None, self.left)),
            others=self.others,
        )

    def switches(self) -> Iterator[Found]:
        for key, names in self.groups().items():
            here = [platform for name in names for platform in self.files[name][1]]
            marked = (
                platform
                for platform in here
                if any(self.files[n][1].get(platform) == nos(platform).marker for n in names)
            )
            platform = next(marked, None) or here[-1]
            own = {self.files[n][1][platform]: n for n in names if platform in self.files[n][1]}
            order = self.kinds[platform].ordered
            texts = {path: order.get(path, str)(self.files[name][0]) for path, name in own.items()}
            wide = [own[p] for p, t in texts.items() if max(map(len, t.split("\n"))) > LONGEST_LINE]
            for name in [] if platform == "sonic" else wide:
                self.say(
                    name,
                    f"a line has more than {LONGEST_LINE >> 10} KiB, so this is not a "
                    "configuration",
                )
            yield Found(
                name=key.rpartition("/")[2],
                platform=platform,
                texts={p: t for p, t in texts.items() if own[p] not in wide or platform == "sonic"},
                places={path: str(self.root / name) for path, name in own.items()},
            )

    def groups(self) -> dict[str, list[str]]:
        """Return the names of files that belong together, by folder or by file name."""
        rooms: dict[str, list[str]] = {}
        for name, (_, paths) in self.files.items():
            rooms.setdefault(_root(name, paths.values()), []).append(name)
        groups: dict[str, list[str]] = {}
        for room, names in rooms.items():
            kinds = [path for name in names for path in set(self.files[name][1].values())]
            single = len(names) == 1 and not room
            for name in names:
                several = single or len(kinds) != len(set(kinds))
                stem = _PLAIN.sub("", name.rpartition("/")[2]) or name
                key = f"{room}/{stem}".lstrip("/") if several else room
                groups.setdefault(key, []).append(name)
        return groups


def _root(name: str, paths: Iterable[str]) -> str:
    """Return the folder of a switch: the part before the path of a file on it."""
    for path in paths:
        if "/" in path and f"/{name}".endswith(f"/{path}"):
            return name.removesuffix(path).rstrip("/")
    return name.rpartition("/")[0]
