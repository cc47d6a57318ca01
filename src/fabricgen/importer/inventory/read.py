"""Reads devices, cables, VLANs and addresses from the inventory files of a folder.

The heading or the keys of a file decide its kind, never its name. All files are hostile until they
are checked: sizes and rows are bounded, links are not followed, and nothing is run.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import SHOWN, Diagnostic, Position, Severity
from fabricgen.core.record import record
from fabricgen.importer.inventory import heard, rest
from fabricgen.importer.inventory.joined import Aliases, joined
from fabricgen.importer.inventory.model import Inventory
from fabricgen.importer.inventory.rows import table, unlisted, unreadable
from fabricgen.importer.inventory.taken import Thing, things
from fabricgen.model.catalog.catalog import SHIPPED, Catalog
from fabricgen.prove.foreign.folder import decoded, walk

MOST_BYTES, MOST_JSON = 64 * 2**20, 32 * 2**20
"""Sizes of a file and of a JSON file, which needs ten times its size as memory."""


@record(kw_only=True)
class Read:
    """The result of reading. left: files without inventory facts, below the folder."""

    inventory: Inventory
    findings: tuple[Diagnostic, ...]
    left: tuple[str, ...]


def read(
    place: Path,
    names: Iterable[str] | None = None,
    catalog: Catalog = SHIPPED,
    aliases: Aliases | None = None,
    more: Iterable[Thing] = (),
) -> Read:
    """Read a folder or a file.

    Without `names`, all files must be inventory: a table of an unknown kind is a warning, and a
    single useless file is an error.

    Args:
        place: The folder or file.
        catalog: The catalog of models.
        names: Files to read.
        aliases: Other names of ports in configurations.
        more: Further objects, as running switches report them.

    Raises:
        OSError: The folder cannot be read.
    """
    root = place if place.is_dir() else place.parent
    odd: Severity | None = None
    if names is None:
        odd = Severity.WARNING if place.is_dir() else Severity.ERROR
        names = walk(place) if place.is_dir() else [place.name]
    reader = _Reader(root, catalog, odd)
    with Folder(root) as folder:
        for name in names:
            reader.take(folder, name)
    inventory, clashes = joined([*reader.said, *more], aliases)
    return Read(inventory=inventory, findings=(*reader.findings, *clashes), left=tuple(reader.left))


class _Reader:
    """Reads file after file."""

    def __init__(self, root: Path, catalog: Catalog, odd: Severity | None) -> None:
        self.root, self.catalog, self.odd = root, catalog, odd
        self.said: list[Thing] = []
        self.findings: list[Diagnostic] = []
        self.left: list[str] = []
        self.counts: Counter[tuple[str, Severity]] = Counter()

    def take(self, folder: Folder, name: str) -> None:
        """Read one file."""
        file = str(self.root / name)
        place = Position(file, 1, 1)
        try:
            raw = folder.read(name, MOST_BYTES)
        except OSError as error:
            self.say(unreadable(place, error.strerror or str(error)))
            return
        text, plain = decoded(raw)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        before = len(self.findings)
        if "\0" in text or not self.file(file, name, text):
            if len(self.findings) == before:
                self.left.append(name)
                self.strange(name, text, place)
        elif not plain:
            message = "this file is not UTF-8: it is read as Latin-1"
            self.say(unreadable(place, message, Severity.WARNING))
        self.ended(file, place)

    def strange(self, name: str, text: str, place: Position) -> None:
        """Report a file that is not an inventory."""
        if "\0" in text or text.lstrip()[:1] in {"{", "["}:
            if self.odd is Severity.ERROR:
                self.say(
                    unreadable(place, "this file is not a table and not JSON of NetBox or LLDP")
                )
        elif self.odd is Severity.ERROR or (self.odd and name.lower().endswith(".csv")):
            self.say(unlisted(place, text, self.odd))

    def file(self, file: str, name: str, text: str) -> bool:
        """Read a text. Return whether it is an inventory."""
        if text.lstrip()[:1] in {"{", "["}:
            return self.json(file, name, text)
        found = table(file, text, self.say)
        if found is not None:
            self.said += things(found, self.catalog, self.say)
        return found is not None

    def json(self, file: str, name: str, text: str) -> bool:
        """Read JSON of LLDP or of NetBox's REST API."""
        place = Position(file, 1, 1)
        if len(text) > MOST_JSON:
            self.say(unreadable(place, f"the JSON file is larger than {MOST_JSON >> 20} MiB"))
            return False
        try:
            document = json.loads(text, parse_int=str, parse_float=str, parse_constant=_refused)
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            if name.endswith(".json"):
                message = "the JSON is nested too deep" if deep else f"invalid JSON: {error}"
                self.say(unreadable(place, message))
            return False
        if heard.is_heard(document):
            self.said += heard.cables(file, name, document, self.say)
            return True
        if rest.results(document) is None:
            return False
        for found in rest.tables(file, document, self.say):
            self.said += things(found, self.catalog, self.say)
        return True

    def say(self, finding: Diagnostic) -> None:
        """Keep a finding. Of many similar ones, keep the first."""
        file = finding.position.file if finding.position is not None else ""
        self.counts[file, finding.severity] += 1
        if self.counts[file, finding.severity] <= SHOWN:
            self.findings.append(finding)

    def ended(self, file: str, place: Position) -> None:
        """Report the number of omitted findings of a file."""
        for severity in Severity:
            more = self.counts[file, severity] - SHOWN
            if more > 0:
                what = f"{more:,} more {severity}s in this file"
                self.findings.append(unreadable(place, what, severity))


def _refused(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    msg = f"{name} is not a number"
    raise ValueError(msg)
