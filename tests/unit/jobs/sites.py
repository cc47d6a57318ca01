"""The site of the job tests, and what is made of a changed copy."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from fabricgen.compile.compiler import Compiled, compile_site, files
from fabricgen.intent.load import load_texts

SITE = Path(__file__).with_name("site.yaml").read_text()
UNITS = {
    "design: rail-only\n": "design: rail-optimized\n  scalable_unit: {servers: 2}\n"
    "  links: {speed: 100G}\n"
    "  spine: {model: 7050CX3-32S, platform: linux, count: 2}\n",
}
"""The same rails in units of two servers."""


def changed(changes: Mapping[str, str], text: str = SITE) -> str:
    """Return the site with other words; each must be there once."""
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@lru_cache(maxsize=16)
def made(text: str) -> Compiled:
    """Compile a site."""
    return compile_site(load_texts({"site.yaml": text}))


@lru_cache(maxsize=8)
def rendered(text: str) -> Mapping[str, str]:
    """Return every file of a site without errors, by path."""
    compiled = made(text)
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    return {file.path: file.text for _, group in files(compiled.site) for file in group}


def said(text: str) -> list[tuple[str, str]]:
    """Return code and message of each finding."""
    return [(item.code, item.message) for item in made(text).findings]
