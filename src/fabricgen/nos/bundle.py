"""The files of one switch in, one text out, and back: drivers pass configurations as one text."""

import re
from collections.abc import Iterable, Mapping

_HEAD = re.compile(r"^#### file (\S+)( executable)?( unterminated)?$", re.MULTILINE)


def pack(files: Mapping[str, str], executable: Iterable[str] = ()) -> str:
    """Join files to one text, in the order of their paths; equal files give equal texts.

    ValueError when a file holds a line that looks like the head of another.
    """
    runs = frozenset(executable)
    parts = []
    for path, text in sorted(files.items()):
        if _HEAD.search(text):
            raise ValueError(f"{path}: a line of it looks like the head of a file")
        whole = not text or text.endswith("\n")
        marks = (" executable" if path in runs else "") + ("" if whole else " unterminated")
        parts.append(f"#### file {path}{marks}\n{text}" + ("" if whole else "\n"))
    return "".join(parts)


def unpack(text: str) -> tuple[dict[str, str], frozenset[str]]:
    """Return the files of a packed text, and which of them are executable.

    ValueError when it is not one.
    """
    heads = list(_HEAD.finditer(text))
    if not heads or heads[0].start():
        raise ValueError("not the files of a switch: no head in the first line")
    ends = [*(head.start() for head in heads[1:]), len(text)]
    files, runs = {}, set()
    for head, end in zip(heads, ends, strict=True):
        path, executable, unterminated = head.groups()
        body = text[head.end() + 1 : end]
        files[path] = body.removesuffix("\n") if unterminated else body
        if executable:
            runs.add(path)
    return files, frozenset(runs)
