"""Lay out the files of servers in a rendered tree, and restore the complete folder of a server.

`hosts/gpu0001.yaml` has the files that only this server has, and the name of a package. The package
is a folder of `hosts/` with files that many servers have. Its name ends with a hash of its content,
so a package never changes. A server that is not rendered again keeps the files that it had.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import HOSTS, File
from fabricgen.compile.output.manifest import SERVER, folder_of_file
from fabricgen.core.confined import Folder, is_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from fabricgen.model.fabric.topology import Server

PACKAGE = "shared_"
"""First letters of the name of a package; no server and no fabric has an underscore."""
_ABOVE = f"{HOSTS}/{PACKAGE}"
_HEAD = re.compile(r"(?:#[^\n]*\n)*shared: ([a-z0-9_-]+)\nfiles:(?: \{\})?\n")
_BLOCK = re.compile(r"  (\S+): \|2?([+-]?)\n((?:    [^\n]*\n|\n)*)")
_INDENT = re.compile(r"^    ", re.MULTILINE)
_BLANK = re.compile(r"^    $", re.MULTILINE)

_Part = tuple[str, str, bool]
"""The path below the folder, text and executable bit of a file."""


class Layout:
    """Makes the files of the tree from the complete files of servers; a package is made once."""

    def __init__(self) -> None:
        """Start without packages."""
        self._packages: dict[tuple[object, ...], str] = {}

    def laid(self, server: Server, files: Iterable[File]) -> Iterator[File]:
        """Yield the file of a server, and the files of its package if it is a new one."""
        prefix = len(f"{HOSTS}/{server.name}/")
        own, common = list[_Part](), list[_Part]()
        for file in files:
            group = common if file.common or file.executable else own
            group.append((file.path[prefix:], file.text, file.executable))
        key = (_kind(server), *common)
        package = self._packages.get(key)
        if package is None:
            package = self._packages[key] = _package(key)
            for path, text, executable in common:
                yield File(f"{HOSTS}/{package}/{path}", text, executable)
        text = _written(server.name, package, own)
        yield File(f"{HOSTS}/{server.name}{SERVER}", text, executable=False)


def _kind(server: Server) -> str:
    """Return the kind of a server, or the group or fabric with the key that declares it."""
    return server.kind or str([word for word in server.because.main if word != "servers"][-1])


def _package(key: tuple[object, ...]) -> str:
    digest = hashlib.sha256(repr(key).encode()).hexdigest()[:12]
    return f"{PACKAGE}{key[0]}-{digest}"


def _written(server: str, package: str, files: Iterable[_Part]) -> str:
    """Return the text of a server's file. It is YAML; `_read` reads exactly this form."""
    blocks = "".join(_block(path, text) for path, text, _ in files)
    return (
        f"# Files that only {server} has. All its other files are in the shared folder.\n"
        f"shared: {package}\nfiles:{'' if blocks else ' {}'}\n{blocks}"
    )


def _block(path: str, text: str) -> str:
    """Return one file as a literal block of YAML."""
    chomping = ""
    if not text.endswith("\n"):
        chomping, text = "-", text and f"{text}\n"
    elif text.endswith("\n\n") or text == "\n":
        chomping = "+"
    body = f"    {text[:-1]}\n".replace("\n", "\n    ")[:-4] if text else ""
    if "\n    \n" in f"\n{body}":
        body = _BLANK.sub("", body)
    indented = "2" if text.lstrip("\n").startswith(" ") else ""
    return f"  {path}: |{indented}{chomping}\n{body}"


def _read(text: str) -> tuple[str, dict[str, str]] | None:
    """Return the package of a server and the files that only it has; None for any other text."""
    head = _HEAD.match(text)
    if head is None:
        return None
    files, place = {}, head.end()
    while place < len(text):
        block = _BLOCK.match(text, place)
        if block is None or not is_below(block[1]):
            return None
        body = _INDENT.sub("", block[3])
        files[block[1]] = body.removesuffix("\n") if block[2] == "-" else body
        place = block.end()
    return head[1], files


def is_package(folder: str) -> bool:
    """Return whether a folder of a tree is a package."""
    return folder.startswith(_ABOVE)


def package_of(path: str, text: str) -> str:
    """Return the name of the package in a server's file; empty for any other file."""
    head = _HEAD.match(text) if _is_server(path) else None
    return head[1] if head is not None else ""


def complete(tree: Mapping[str, str]) -> dict[str, str]:
    """Return a tree of path → text with the complete folder of each server, without packages.

    A server's file in another form is unchanged.
    """
    packages: dict[str, dict[str, str]] = {}
    for path, text in tree.items():
        if is_package(path):
            _, name, inner = path.split("/", 2)
            packages.setdefault(name, {})[inner] = text
    whole = dict[str, str]()
    for path, text in tree.items():
        read = _read(text) if _is_server(path) else None
        if read is not None:
            folder = folder_of_file(path)
            files = {**packages.get(read[0], {}), **read[1]}
            whole |= {f"{folder}/{inner}": each for inner, each in files.items()}
        elif not is_package(path):
            whole[path] = text
    return whole


class CompleteTree:
    """Reads a tree on disk as if it had the complete folder of each server."""

    def __init__(self, tree: Folder) -> None:
        """Read from an open folder."""
        self._tree, self._folder = tree, ""
        self._server: tuple[str, dict[str, str]] | None = None
        self._shared: dict[str, str] = {}

    def text(self, path: str) -> str:
        """Return the text of a file in the complete folder of its switch or server.

        Raises:
            OSError: The file cannot be read.
            UnicodeDecodeError: It is not UTF-8.
        """
        folder = folder_of_file(path)
        if folder != self._folder:
            here = folder.startswith(f"{HOSTS}/")
            self._server = _read(_text(self._tree, f"{folder}{SERVER}")) if here else None
            self._folder = folder
        if self._server is None:
            return self._tree.text(path)
        (package, own), inner = self._server, path[len(folder) + 1 :]
        if inner in own:
            return own[inner]
        place = f"{HOSTS}/{package}/{inner}"
        if place not in self._shared:
            self._shared[place] = self._tree.text(place)
        return self._shared[place]


def _is_server(path: str) -> bool:
    return path.startswith(f"{HOSTS}/") and path.count("/") == 1 and path.endswith(SERVER)


def packages_of(place: Path, paths: Iterable[str], known: Iterable[str]) -> set[str]:
    """Return the packages, as folders, that servers of a tree on disk use.

    Args:
        place: The tree.
        paths: Paths of its files. Only servers' files are read.
        known: All packages. No more files are read once each is used.
    """
    left, used = set(known), set[str]()
    with Folder(place) as tree:
        for path in filter(_is_server, paths):
            if not left:
                break
            head = _HEAD.match(_text(tree, path))
            if head is not None:
                used.add(f"{HOSTS}/{head[1]}")
                left -= used
    return used


def _text(tree: Folder, path: str) -> str:
    try:
        return tree.text(path)
    except (OSError, UnicodeDecodeError):
        return ""
