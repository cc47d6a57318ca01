"""Read one side of a comparison: a site, a rendered tree, or REV:path of a git repository."""

import posixpath
import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from fabricgen.compile.compiler import Compiled, Owner, checked, designed, files
from fabricgen.compile.output.manifest import FILE, read_manifest, tree_text
from fabricgen.compile.output.server_files import complete
from fabricgen.compile.output.unchanged import checked_pair
from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.core.own_templates import SUFFIX, is_template, templates_of
from fabricgen.core.record import record
from fabricgen.intent.files import MAX_SITE, TOO_LARGE, is_aside, is_read
from fabricgen.intent.load import Loaded, load_site, load_texts
from fabricgen.intent.source import SourceMap
from fabricgen.model.fabric.switch import Site

_LINK = "120000"  # git's mode of a symbolic link, whose blob is the path it leads to


@record(kw_only=True)
class Side:
    """A tree in memory: path → text; or the findings that kept it from being one.

    `notes`: limits of the comparison. `loaded`, `site`: intent and design of a site.
    `unchanged`: folders with equal files on both sides, which `files` lacks.
    """

    name: str
    files: dict[str, str]
    findings: tuple[Diagnostic, ...]
    source: SourceMap
    unchanged: frozenset[str] = frozenset()
    loaded: Loaded | None = None
    notes: tuple[str, ...] = ()
    site: Site | None = None

    def cause(self, line: Position) -> Position:
        """Return the place to look at for a line of one of its files: its fabric in the intent.

        Of a rendered tree, which has no intent, the line itself. Both are paths in the repository.
        """
        fabric = (line.file.partition("/")[0],)
        intent = self.source.locate(fabric) or self.source.locate(("site",))
        if intent is not None:
            return intent._replace(file=_below(intent.file))
        return line._replace(file=(PurePosixPath(_below(self.name)) / line.file).as_posix())


def _below(name: str) -> str:
    """Return the path that a name has in its repository, without a revision."""
    return name if Path(name).exists() else name.partition(":")[2] or name


@record()
class _Intent:
    """A side that is a site, before it is compiled."""

    name: str
    loaded: Loaded


def read_sides(before: str, after: str) -> tuple[Side, Side]:
    """Read both sides: a folder with a manifest is a tree, any other folder a site, else REV:path.

    Of two sites, a file is rendered only if it may differ.
    """
    one, other = _read(before), _read(after)
    if isinstance(one, _Intent) and isinstance(other, _Intent):
        return _pair(one, other)
    return _whole(one), _whole(other)


def _read(text: str) -> Side | _Intent:
    path = Path(text)
    if path.is_dir():
        return _tree(text, path) if (path / FILE).exists() else _Intent(text, load_site(path))
    revision, colon, inside = text.partition(":")
    if not colon or not revision or revision.startswith("-"):  # git would take it for an option
        return _failed(
            text, f"{text!r} is not a folder", "name a site, a rendered tree or REV:path"
        )
    plain = posixpath.normpath(inside.strip("/"))
    if plain.partition("/")[0] == "..":
        return _failed(text, f"{inside!r} is outside of the repository", "name a folder inside it")
    return _from_git(text, revision, "" if plain == "." else plain)


def _failed(name: str, message: str, hint: str = "", code: Code = Code.UNREADABLE) -> Side:
    return Side(
        name=name, files={}, findings=(Diagnostic(code, message, hint=hint),), source=SourceMap()
    )


def _whole(side: Side | _Intent) -> Side:
    """Compile a site and render all its files."""
    return side if isinstance(side, Side) else _rendered(side, checked(designed(side.loaded)))


def _pair(one: _Intent, other: _Intent) -> tuple[Side, Side]:
    """Compile two sites and render the files that may differ."""
    pair = checked_pair(designed(one.loaded), designed(other.loaded))
    if pair is None:
        return _whole(one), _whole(other)
    sides = zip((one, other), pair.compiled, pair.changed, strict=True)
    before, after = (
        _rendered(intent, compiled, owners.values(), pair.unchanged)
        for intent, compiled, owners in sides
    )
    return before, after


def _rendered(
    intent: _Intent,
    compiled: Compiled,
    changed: Iterable[Owner] | None = None,
    unchanged: frozenset[str] = frozenset(),
) -> Side:
    """Render the files of a compiled site; of some owners, if `changed` names them."""
    made: dict[str, str] = {}
    if compiled.ok and compiled.site is not None:
        for _, every in files(compiled.site, owners=changed):
            made.update((file.path, file.text) for file in every)
    return Side(
        name=intent.name,
        files=made,
        findings=compiled.findings,
        source=intent.loaded.source,
        unchanged=unchanged,
        loaded=intent.loaded,
        site=compiled.site if compiled.ok else None,
    )


def _tree(name: str, folder: Path) -> Side:
    manifest = read_manifest(folder)
    if manifest is None:
        return _failed(name, f"{folder / FILE} is not a manifest this version can read")
    try:
        with Folder(folder) as tree:
            texts = {path: tree_text(tree, path) for path in manifest.files}
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return _failed(name, f"the tree {name!r} does not match its manifest: {reason}")
    return Side(name=name, files=complete(texts), findings=(), source=SourceMap())


def _from_git(name: str, revision: str, prefix: str) -> Side | _Intent:
    listing = _git(
        "ls-tree", "-r", "-l", "-z", "--full-tree", revision, "--", *([prefix] if prefix else [])
    )
    if listing is None:
        return _failed(
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
        return _failed(name, f"{prefix!r} contains no files at {revision}")
    wanted = blobs if FILE in blobs else _of_site(blobs)
    if wrong := _wrong(wanted, sizes, links):
        return _failed(name, f"{prefix!r} at {revision}: {wrong}")
    try:
        texts = {
            path: (_git("cat-file", "blob", blob) or b"").decode("utf-8-sig")
            for path, blob in sorted(wanted.items())
        }
    except UnicodeDecodeError:
        return _failed(name, f"{prefix!r} at {revision} contains a file that is not UTF-8 text")
    if FILE in texts:
        del texts[FILE]
        return Side(name=name, files=complete(texts), findings=(), source=SourceMap())
    place = f"{revision}:{prefix}/"
    intent = {f"{place}{path}": text for path, text in texts.items() if not is_template(path)}
    loaded = load_texts(intent, templates=templates_of(texts, place), root=place)
    return _Intent(name, loaded)


def _wrong(wanted: dict[str, str], sizes: dict[str, int], links: set[str]) -> str:
    """Return why files of a revision are not read, as in a folder."""
    if linked := sorted(links & wanted.keys()):
        return f"{linked[0]} is a link, which is not read"
    if FILE not in wanted and sum(sizes[path] for path in wanted) > MAX_SITE:
        return TOO_LARGE
    return ""


def _of_site(texts: dict[str, str]) -> dict[str, str]:
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


def _git(*words: str) -> bytes | None:
    done = subprocess.run(["git", *words], capture_output=True, check=False)  # noqa: S603, S607
    return done.stdout if done.returncode == 0 else None
