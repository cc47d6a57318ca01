"""Reads rendered trees. Of two trees, only folders with different files are kept.

A tree of 4,192 switches has 330 MB. So a tree on disk is read once to find the folders that differ,
and these again, folder by folder, when their texts are needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING

from fabricgen.compile.output.manifest import FILE, folder_of_file, read_manifest, tree_bytes
from fabricgen.compile.output.server_files import complete, is_package, package_of
from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic, Failure
from fabricgen.intent.source import SourceMap
from fabricgen.review.side import Grouped, Side, failed

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.review.revisions import Listing


class StoredTree(Grouped):
    """Files of a rendered tree on disk. The texts of one folder are in memory at a time."""

    def __init__(self, name: str, place: Path, paths: Iterable[str]) -> None:
        """Take the paths of the manifest."""
        self.name, self.place, self.error = name, place, ""
        self.paths = _by_folder(paths)
        self.shared = {
            path: ""
            for folder in list(self.paths)
            if is_package(folder)
            for path in self.paths.pop(folder)
        }
        self._kept: dict[str, tuple[bytes, tuple[str, ...]]] = {}
        self._folder, self._files = "", dict[str, str]()

    def read(self, opened: Folder, folder: str) -> dict[str, bytes]:
        """Return the contents of the files of a folder; empty after an error."""
        try:
            return {path: tree_bytes(opened, path) for path in self.paths.get(folder, ())}
        except OSError as error:
            self.error = self.error or error.strerror or str(error)
            return {}

    def share(self, opened: Folder) -> None:
        """Read the packages of servers."""
        try:
            self.shared = {path: tree_bytes(opened, path).decode() for path in self.shared}
        except OSError as error:
            self.error = self.error or error.strerror or str(error)
        except UnicodeDecodeError as error:
            self.error = self.error or str(error)

    def keep(self, folder: str, contents: Mapping[str, bytes]) -> None:
        """Note the paths and the digest of a folder with other files than the other side."""
        try:
            files = self._complete(contents)
        except UnicodeDecodeError as error:
            self.error = self.error or str(error)
            return
        if files:
            self._kept[folder] = _digest(contents), tuple(files)

    def _complete(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        texts = {path: content.decode() for path, content in contents.items()}
        server = any(package_of(path, text) for path, text in texts.items())
        return complete({**self.shared, **texts}) if server else texts

    def folder(self, folder: str) -> dict[str, str]:
        """Return the texts of a folder by their paths in the tree.

        Raises:
            Failure: The tree changed since it was read.
        """
        if folder != self._folder:
            digest, _ = self._kept[folder]
            with Folder(self.place) as opened:
                contents = self.read(opened, folder)
            if self.error or _digest(contents) != digest:
                said = f"the tree {self.name!r} changed while it was read"
                raise Failure(Diagnostic(Code.UNREADABLE, said, hint="run the command again"))
            self._folder, self._files = folder, self._complete(contents)
        return self._files

    @property
    def tree(self) -> Mapping[str, Mapping[str, str]]:
        """Return the files by folder."""
        return _Folders(self)

    @property
    def folders(self) -> Collection[str]:
        """Return the folders of this side."""
        return self._kept.keys()

    def __getitem__(self, path: str) -> str:
        folder = folder_of_file(path)
        if folder not in self._kept:
            raise KeyError(path)
        return self.folder(folder)[path]

    def __contains__(self, path: object) -> bool:
        kept = self._kept.get(folder_of_file(str(path)))
        return kept is not None and path in kept[1]

    def __iter__(self) -> Iterator[str]:
        return (path for _, paths in self._kept.values() for path in paths)

    def __len__(self) -> int:
        return sum(len(paths) for _, paths in self._kept.values())


class _Folders(Mapping[str, Mapping[str, str]]):
    """The folders of a tree on disk, which are read when needed."""

    def __init__(self, files: StoredTree) -> None:
        self._stored = files

    def __getitem__(self, folder: str) -> Mapping[str, str]:
        files, start = self._stored.folder(folder), len(folder) + 1
        return {path[start:]: text for path, text in files.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored.folders)

    def __contains__(self, folder: object) -> bool:
        return folder in self._stored.folders

    def __len__(self) -> int:
        return len(self._stored.folders)


def stored(name: str, place: Path) -> StoredTree | Side:
    """Return the tree in a folder, which is not read yet, or a failed side."""
    manifest = read_manifest(place)
    if manifest is None:
        return failed(name, f"{place / FILE} is not a manifest this version can read")
    return StoredTree(name, place, manifest.files)


def tree_side(tree: StoredTree) -> Side:
    """Read a tree with all its files."""
    return _sides(tree)[0]


def tree_pair(one: StoredTree, other: StoredTree) -> tuple[Side, Side]:
    """Read two trees. Files must be readable even where they are equal."""
    before, after = _sides(one, other)
    return before, after


def _sides(*trees: StoredTree) -> tuple[Side, ...]:
    """Read one tree or two.

    A file counts by its content on disk, not by its hash in the manifest, which may be edited.
    """
    unchanged = set[str]()
    with ExitStack() as stack:
        try:
            opened = [stack.enter_context(Folder(tree.place)) for tree in trees]
        except OSError as error:
            return tuple(failed(each.name, error.strerror or str(error)) for each in trees)
        for tree, folder in zip(trees, opened, strict=True):
            tree.share(folder)
        other = _differing(*(tree.shared for tree in trees))
        for name in dict.fromkeys(name for tree in trees for name in tree.paths):
            contents = [t.read(at, name) for t, at in zip(trees, opened, strict=True)]
            if len(trees) > 1 and _equal(contents[0], contents[1], other):
                unchanged.add(name)
                continue
            for tree, own in zip(trees, contents, strict=True):
                tree.keep(name, own)
    return tuple(_side(tree, frozenset(unchanged)) for tree in trees)


def _side(tree: StoredTree, unchanged: frozenset[str]) -> Side:
    if tree.error:
        return failed(
            tree.name, f"the tree {tree.name!r} does not match its manifest: {tree.error}"
        )
    source = SourceMap()
    return Side(name=tree.name, files=tree, findings=(), source=source, unchanged=unchanged)


def _equal(one: Mapping[str, bytes], other: Mapping[str, bytes], packages: set[str]) -> bool:
    """Return whether a folder has equal files on both sides, which are text.

    packages: those that differ. A server has the files of its package, too.
    """
    if not one or one != other:
        return False
    if packages and any(
        package_of(path, own.decode("utf-8", "replace")) in packages for path, own in one.items()
    ):
        return False
    return all(own.isascii() or _is_text(own) for own in one.values())


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _differing(one: Mapping[str, str], other: Mapping[str, str] | None = None) -> set[str]:
    """Return the names of the packages that differ, or that one side lacks."""
    if other is None:
        return set()
    paths = one.keys() | other.keys()
    return {path.split("/")[1] for path in paths if one.get(path) != other.get(path)}


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(folder_of_file(path), []).append(path)
    return folders


def _digest(contents: Mapping[str, bytes]) -> bytes:
    digest = hashlib.sha256()
    for path, content in contents.items():
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.digest()


def listed_side(listing: Listing) -> Side:
    """Read the tree at a revision with all its files."""
    return _listed_side(listing, _own_folders(listing), frozenset())


def listed_pair(one: Listing, other: Listing) -> tuple[Side, Side]:
    """Read the trees at two revisions. Folders with equal blobs are not read."""
    listings = one, other
    folders = _own_folders(one), _own_folders(other)
    unchanged = frozenset(_equal_folders(listings, folders))
    before, after = (
        _listed_side(each, own, unchanged) for each, own in zip(listings, folders, strict=True)
    )
    return before, after


def _own_folders(listing: Listing) -> dict[str, list[str]]:
    return _by_folder(path for path in listing.blobs if path != FILE)


def _equal_folders(
    listings: tuple[Listing, Listing], paths: tuple[dict[str, list[str]], ...]
) -> Iterator[str]:
    """Yield the folders with equal blobs, if the packages of servers are equal, too."""
    one, other = (each.blobs for each in listings)
    alike = all(
        one.get(path) == other.get(path)
        for own in paths
        for folder in own
        if is_package(folder)
        for path in own[folder]
    )
    for folder, files in paths[0].items():
        if is_package(folder) or (folder.startswith("hosts/") and not alike):
            continue
        if files == paths[1].get(folder) and all(one[path] == other[path] for path in files):
            yield folder


def _listed_side(listing: Listing, paths: dict[str, list[str]], unchanged: frozenset[str]) -> Side:
    wanted = (path for folder in paths.keys() - unchanged for path in paths[folder])
    texts = listing.texts(wanted)
    if isinstance(texts, Side):
        return texts
    files, source = complete(texts), SourceMap()
    return Side(name=listing.name, files=files, findings=(), source=source, unchanged=unchanged)
