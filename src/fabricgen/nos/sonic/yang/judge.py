"""Validate CONFIG_DB files against the YANG models of their release with libyang."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

from fabricgen.model.catalog.targets import branch_of
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.models import Candidate, Models, NotRun, Refusal
from fabricgen.nos.sonic.releases import release_of
from fabricgen.nos.sonic.yang.document import Document
from fabricgen.nos.sonic.yang.tables import lint, modules, tables

AT_ONCE = 64
"""Documents per run of yanglint: reading the modules takes longer than a document."""
_STOPPED = re.compile(r'Failed to parse input data file "(.*)"')
_ERROR = "libyang err : "
_WHERE = re.compile(r" \((?:Schema|Data) location .*")
_DATA = re.compile(r'Data location "([^"]*)"')
_STEP = re.compile(r"/([^/\[]+)((?:\[[^\]]*\])*)")
_KEY = re.compile(r"='([^']*)'")


def refusals(root: Path, candidates: Sequence[Candidate]) -> Iterator[Refusal]:
    """Validate each file by the models of its release. NotRun if a release has none."""
    for release, group in groupby(sorted(candidates, key=_release), key=_release):
        folder = _folder(root, release)
        known = tables(folder)
        batch = list(group)
        with TemporaryDirectory(prefix="fabricgen-yang-") as place:
            written: dict[str, Candidate] = {}
            for number, each in enumerate(batch):
                document = Document(json.loads(resolved(each.text)), known)
                for lost in document.lost:
                    yield Refusal(each.switch, release, lost.place, lost.why)
                if not document.text:
                    continue
                path = Path(place, f"{number}.xml")
                path.write_text(document.text, encoding="utf-8")
                written[str(path)] = each
            yield from _judged(folder, written)


def resolved(text: str) -> str:
    """Replace placeholders by words, because passphrases must not contain their characters."""
    return PLACEHOLDER.sub(lambda match: f"secret-{crc32(match[1].encode()):08x}", text)


def _release(candidate: Candidate) -> str:
    return candidate.release


def _folder(root: Path, release: str) -> Path:
    """Return the folder of a release's models: of its image, of that name, or the folder itself."""
    if not root.is_dir():
        raise NotRun(f"{root} is no folder")
    image = root / release
    own = image if image.is_dir() else root / branch_of(release)
    if own.is_dir() or not modules(root):
        if not modules(own):
            raise NotRun(f"{root} has no models of {release}")
        return own
    return root


def _judged(folder: Path, written: dict[str, Candidate]) -> Iterator[Refusal]:
    """Validate documents with libyang, which stops at one that it refuses."""
    waiting = list(written)
    ask = ("-i", "-p", str(folder), "-t", "config", "-f", "xml", "-o", "/dev/null")
    schemas = tuple(map(str, modules(folder)))
    while waiting:
        batch = waiting[:AT_ONCE]
        ended = lint(*ask, *schemas, *batch)
        if not ended.returncode:
            waiting = waiting[len(batch) :]
            continue
        stopped = _STOPPED.search(ended.stderr)
        if stopped is None:
            raise NotRun(f"yanglint failed: {ended.stderr.strip()[-300:]}")
        each = written[stopped[1]]
        yield from (Refusal(each.switch, each.release, *told) for told in _told(ended.stderr))
        waiting = waiting[waiting.index(stopped[1]) + 1 :]


def _told(stderr: str) -> Iterator[tuple[str, str]]:
    """Yield place and sentence of each error."""
    for line in stderr.splitlines():
        if line.startswith(_ERROR):
            where = _DATA.search(line)
            sentence = _WHERE.sub("", line.removeprefix(_ERROR))
            yield spelled(where[1]) if where else "", sentence


def spelled(path: str) -> str:
    """Spell a place of the document as in CONFIG_DB: `PORT > Ethernet0 > mtu`."""
    steps = _STEP.findall(path)[1:]  # the first is the module
    return " > ".join("|".join(_KEY.findall(keys)) or name for name, keys in steps)


def _outcome(release: str) -> str:
    if release_of(release).checks_reload:
        return "`config reload` ends with this error, and a first boot may, too"
    return "the switch does not refuse it: a service may ignore it or stop"


MODELS = Models(
    what="SONiC's YANG models", variable="FABRICGEN_SONIC_YANG", outcome=_outcome, refusals=refusals
)
