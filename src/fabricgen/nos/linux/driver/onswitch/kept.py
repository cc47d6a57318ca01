"""Find the unmanaged files and lines on the switch and separate them from the managed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabricgen.core.tree.keep import Contradiction, Keep, fits
from fabricgen.nos.linux.driver.onswitch import interfaces
from fabricgen.nos.linux.driver.onswitch.files import FILES, FRR, FRR_CONF
from fabricgen.nos.shared.onswitch.frr import MANNER
from fabricgen.nos.shared.onswitch.refusal import CANDIDATE, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.nos.shared.onswitch import disk
    from fabricgen.nos.shared.onswitch.store import Tree

_KINDS = {FRR_CONF: ("frr", MANNER), interfaces.CONF: ("interfaces", interfaces.MANNER)}


class Kept(NamedTuple):
    """Patterns of unmanaged lines by kind; for `files` they are paths."""

    patterns: Mapping[str, str]

    def is_file(self, path: str) -> bool:
        """Return whether a complete file is unmanaged."""
        every = self.patterns.get("files", "").split("\n")
        return any(fits(each.strip("/"), path, "/") for each in every if each)

    def _lines(self, path: str) -> Keep | None:
        kind, manner = _KINDS.get(path, ("", MANNER))
        text = self.patterns.get(kind, "")
        return Keep.of(text, manner) if text else None

    def _running(self, path: str) -> str:
        """Return the running text of a file, from FRR or from ifupdown2's file."""
        if path == FRR_CONF:
            return FRR.running()
        file = FILES.read(path)
        return "" if file is None else interfaces.indented(file.text)

    def into(self, tree: Tree, *, again: bool = False) -> Tree:
        """Add unmanaged lines to files; Refusal on a conflict. `again`: files of a checkpoint."""
        files = dict(tree.files)
        for path, file in tree.files.items():
            keep = self._lines(path)
            if self.is_file(path):
                if not again:
                    raise Refusal(CANDIDATE, f"{path} is rendered, but also unmanaged")
                del files[path]
            elif keep is not None:
                text = self._shaped(path, file.text) if again else file.text
                put = keep.again if again else keep.into
                try:
                    files[path] = file._replace(data=put(text, self._running(path)).encode())
                except Contradiction as wrong:
                    raise Refusal(CANDIDATE, f"{path}: {wrong}") from None
        return tree._replace(files=files)

    def _shaped(self, path: str, text: str) -> str:
        return interfaces.indented(text) if path == interfaces.CONF else text

    def ours(self, path: str, text: str) -> str:
        """Return the managed part of a file."""
        keep = self._lines(path)
        return text if keep is None else keep.without(self._shaped(path, text))

    def like(self, path: str, one: disk.File, other: disk.File | None) -> bool:
        """Return whether the managed parts of both files are equal."""
        if one.is_like(other) or other is None or one.runs != other.runs:
            return one.is_like(other)
        keep = self._lines(path)
        texts = (self._shaped(path, each.text) for each in (one, other))
        return keep is not None and keep.same(*texts)

    def unwritten(self, tree: Tree) -> bool:
        """Return whether FRR's file lacks unmanaged running lines, which a reload would remove."""
        keep, there, file = self._lines(FRR_CONF), FILES.read(FRR_CONF), tree.files.get(FRR_CONF)
        if keep is None or there is None or file is None:
            return False
        return keep.kept(there.text) != keep.kept(file.text)

    def mine(self, tree: Tree) -> Tree:
        """Return a tree without unmanaged files."""
        return tree._replace(files={p: f for p, f in tree.files.items() if not self.is_file(p)})

    def runs(self, file: disk.File) -> bytes:
        """Return FRR's file with the unmanaged running lines."""
        keep = self._lines(FRR_CONF)
        return file.data if keep is None else keep.again(file.text, FRR.running()).encode()

    def sections(self) -> dict[str, str]:
        found = {
            kind: keep.kept(self._running(path))
            for path, (kind, _) in _KINDS.items()
            if (keep := self._lines(path)) is not None
        }
        paths = [f"/{path}\n" for path in FILES.present() if self.is_file(path)]
        return {kind: text for kind, text in {**found, "files": "".join(paths)}.items() if text}
