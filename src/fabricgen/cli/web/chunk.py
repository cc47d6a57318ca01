"""Writes data of pages as scripts, because a page from disk may load scripts but no data."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

_UNSAFE = re.compile("[<>&\u2028\u2029]")


def as_script(name: str, data: Any) -> str:
    """Return a script that hands data to the page.

    No character of the data can end a script element or a line of the script.
    """
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    safe = _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return f"fabricgen.receive({json.dumps(name)},{safe});\n".encode(
        "utf-8", "backslashreplace"
    ).decode()


def file_name(name: str) -> str:
    """Return the path of a chunk below `data/`, safe on every file system.

    >>> file_name("switch/leaf1")
    'switch/leaf1.js'
    >>> file_name("switch/../x")
    'switch/%2E%2E/x.js'
    """
    parts = (quote(part, safe="") for part in name.split("/"))
    return "/".join(p.replace(".", "%2E") if set(p) == {"."} else p for p in parts) + ".js"
