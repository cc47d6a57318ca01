"""A chunk of data is a script that hands over exactly its data."""

import json
import re

import pytest

from fabricgen.cli.web.chunk import as_script, file_name

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--",
    "a\u2028b\u2029c",
    "\u202eabc",
    "\ud800",
    "x" * 10_000,
    "quote\"and'back\\slash\n",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_script_holds_any_text_and_cannot_end_early(text: str) -> None:
    script = as_script("site", {"name": text})
    found = re.fullmatch(r'fabricgen\.receive\("site",(.*)\);\n', script)
    assert found is not None
    assert json.loads(found[1]) == {"name": text}
    assert not set(script) & set("<>&\u2028\u2029")
    assert script.encode()  # a lone surrogate is written as its number


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("site", "site.js"),
        ("switch/be-leaf1", "switch/be-leaf1.js"),
        ("switch/../../etc", "switch/%2E%2E/%2E%2E/etc.js"),
        ("switch/.", "switch/%2E.js"),
        ("server/a b%c?d#e", "server/a%20b%25c%3Fd%23e.js"),
        ("server/\\x", "server/%5Cx.js"),
    ],
)
def test_a_path_of_a_chunk_stays_in_its_folder(name: str, path: str) -> None:
    assert file_name(name) == path
