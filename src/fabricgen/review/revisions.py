"""Reads a site or a rendered tree at a revision of a git repository."""

import posixpath
import subprocess
from collections.abc import Iterable
from pathlib import PurePosixPath

from fabricgen.compile.output.manifest import FILE
from fabricgen.core.own_templates import SUFFIX, is_template, templates_of
from fabricgen.core.record import record
from fabricgen.intent.files import MAX_SITE, TOO_LARGE, is_aside, is_read
from fabricgen.intent.load import Loaded, load_texts
from fabricgen.review.side import Side, failed

_LINK = "120000"  # git's mode of a symbolic link, whose blob is the path it leads to


@record(kw_only=True)
class Listing:
    """Files below a folder at a revision.

    Attributes:
        name: REV:path on the command line.
        revision: The revision.
        prefix: Folder in the repository. It is empty for the root.
        blobs: Identity of the content of each file, by its path below the folder.
    """

    name: str
    revision: str
    prefix: str
    blobs: dict[str, str]

    @property
    def is_tree(self) -> bool:
        """Return whether the folder is a rendered tree."""
        return FILE in self.blobs

    def texts(self, paths: Iterable[str]) -> dict[str, str] | Side:
        """Return the texts of some files, or a failed side."""
        wanted = sorted(paths)
        try:
            contents = _contents([self.blobs[path] for path in wanted])
            return {
                path: content.decode("utf-8-sig")
                for path, content in zip(wanted, contents, strict=True)
            }
        except (UnicodeDecodeError, ValueError):
            where = f"{self.prefix!r} at {self.revision}"
            return failed(self.name, f"{where} contains a file that is not UTF-8 text")

    def loaded(self) -> Loaded | Side:
        """Load the site, or return a failed side."""
        texts = self.texts(self.blobs)
        if isinstance(texts, Side):
            return texts
        place = f"{self.revision}:{self.prefix}/"
        intent = {f"{place}{path}": text for path, text in texts.items() if not is_template(path)}
        return load_texts(intent, templates=templates_of(texts, place), root=place)


def listed(name: str) -> Listing | Side:
    """Return the files of REV:path, or a failed side."""
    revision, colon, inside = name.partition(":")
    if not colon or not revision or revision.startswith("-"):  # git would take it for an option
        return failed(name, f"{name!r} is not a folder", "name a site, a rendered tree or REV:path")
    plain = posixpath.normpath(inside.strip("/"))
    if plain.partition("/")[0] == "..":
        return failed(name, f"{inside!r} is outside of the repository", "name a folder inside it")
    return _listed(name, revision, "" if plain == "." else plain)


def _listed(name: str, revision: str, prefix: str) -> Listing | Side:
    listing = _git(
        "ls-tree", "-r", "-l", "-z", "--full-tree", revision, "--", *([prefix] if prefix else [])
    )
    if listing is None:
        return failed(
            name,
            f"git has no revision {revision!r} here",
            "run it inside the repository; REV is a branch, tag or commit",
        )
    blobs: dict[str, str] = {}
    sizes: dict[str, int] = {}
    links = set()
    for row in listing.decode("utf-8", "replace").split("\0"):
        facts, _, path = row.partition("\t")
        if not path or facts.split()[1] != "blob":
            continue
        inner = PurePosixPath(path).relative_to(prefix or ".").as_posix()
        blobs[inner] = facts.split()[2]
        sizes[inner] = int(facts.split()[3])
        if facts.split()[0] == _LINK:
            links.add(inner)
    if not blobs:
        return failed(name, f"{prefix!r} contains no files at {revision}")
    wanted = blobs if FILE in blobs else of_site(blobs)
    if wrong := _wrong(wanted, sizes, links):
        return failed(name, f"{prefix!r} at {revision}: {wrong}")
    return Listing(name=name, revision=revision, prefix=prefix, blobs=wanted)


def _wrong(wanted: dict[str, str], sizes: dict[str, int], links: set[str]) -> str:
    """Return why files of a revision are not read, as in a folder."""
    if linked := sorted(links & wanted.keys()):
        return f"{linked[0]} is a link, which is not read"
    if FILE not in wanted and sum(sizes[path] for path in wanted) > MAX_SITE:
        return TOO_LARGE
    return ""


def of_site(texts: dict[str, str]) -> dict[str, str]:
    """Keep the intent of a site and its custom templates, as a folder on disk is read."""
    inside: dict[str, list[str]] = {}
    for path in texts:
        folder, _, name = path.rpartition("/")
        inside.setdefault(folder, []).append(name)

    def aside(path: str) -> bool:
        above = [str(folder) for folder in PurePosixPath(path).parents][:-1]
        hidden = path.rpartition("/")[2].startswith(".")
        return hidden or any(is_aside(folder, inside.get(folder, ())) for folder in above)

    return {
        path: blob
        for path, blob in texts.items()
        if (path.endswith(SUFFIX) if is_template(path) else is_read(path))
        if is_template(path) or not aside(path)
    }


def _contents(blobs: list[str]) -> list[bytes]:
    """Return the contents of blobs from one process of git.

    Raises:
        ValueError: git does not have a blob.
    """
    words = ["git", "cat-file", "--batch"]
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    done = subprocess.run(words, input=asked, capture_output=True, check=False)  # noqa: S603
    found, place = list[bytes](), 0
    for _ in blobs:
        head, _, size = done.stdout[place : done.stdout.index(b"\n", place)].rpartition(b" ")
        start = place + len(head) + len(size) + 2
        place = start + int(size) + 1
        found.append(done.stdout[start : place - 1])
    return found


def _git(*words: str) -> bytes | None:
    done = subprocess.run(["git", *words], capture_output=True, check=False)  # noqa: S603, S607
    return done.stdout if done.returncode == 0 else None
