"""Every block of YAML on the pages by task compiles: whole sites as they stand, parts beside more.

A part is read where its page has it: below the keys that its indentation leaves out.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Severity
from fabricgen.intent.load import load_texts

DOCS = Path(__file__).parents[2] / "docs"
Words = dict[str, Any]


def merged(one: Any, other: Any) -> Any:
    """Return a value with another laid over it, mapping by mapping."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    every = {key: merged(one[key], value) for key, value in other.items() if key in one}
    return {**one, **other, **every}


SITE: Words = {
    "name": "pages",
    "management": {"subnet": "10.255.0.0/21", "ntp": ["10.255.7.250", "10.255.7.251"]},
}
SMALL = {"model": "7050CX3-32S", "platform": "eos"}
LARGE = {"model": "7060X6-64PE", "platform": "eos"}
RAILS: Words = {
    "design": "rail-optimized",
    "leaf": LARGE,
    "spine": LARGE,
    "links": {"speed": "400G"},
}
LEAFS: Words = {"leaf": SMALL, "spine": {**SMALL, "count": 4}, "oversubscription": 8}
RACKS: Words = {
    "frontend": LEAFS
    | {"leaf_groups": {"cpu": {"leafs": "1-4", "servers": {"per_leaf": 4, "speed": "25G"}}}}
}
GPU: Words = {
    "count": 64,
    "gpus": 8,
    "ports": {
        "rail": {"fabric": "backend", "speed": "400G"},
        "front": {"fabric": "frontend", "ports": 2, "leafs": 2, "speed": "25G"},
    },
}
VLANS = {
    name: {"id": 100 + n, "subnet": f"10.1.{n}.0/24"}
    for n, name in enumerate(("jobs", "data", "debug"))
}
STORAGE: Words = {
    "kind": "routed",
    "leaf": LARGE,
    "spine": LARGE,
    "links": {"speed": "400G"},
    "sides": {"compute": {"ratio": 2}, "storage": {}},
}
OWN_SIDES: Words = {
    side: {"servers": {"count": count, "speed": "200G"}}
    for side, count in (("compute", 64), ("storage", 16))
}
BOTH = {"servers": {"gpu": GPU}, "backend": RAILS, "frontend": LEAFS}
TENANT = {"training": {"vrfs": {"training": {"id": 1, "vlans": VLANS}}}}
ETH = {"fabric": "frontend", "speed": "10G", "per_leaf": 4}
IN_SITE = "site:\n  management:\n"
PAGES = ("servers", "storage", "out-of-band", "tiers", "services", "fabrics")
PARTS: dict[tuple[str, str], tuple[str, Words]] = {
    ("servers", "Ports on rails"): ("", {"backend": RAILS}),
    ("servers", "MLAG pairs"): ("", {"frontend": LEAFS}),
    ("servers", "Tenants"): ("", {**BOTH, "tenants": TENANT}),
    ("servers", "Tenants of rails"): (
        "",
        merged(BOTH, {"servers": {"gpu": {"count": 32}}, "backend": {"roce": {"enabled": False}}}),
    ),
    ("storage", "My storage, 2"): ("", {"backend": RAILS, "fabrics": {"storage": STORAGE}}),
    ("storage", "How it grows"): (
        "fabrics:\n  storage:\n",
        {"fabrics": {"storage": STORAGE | {"sides": OWN_SIDES}}},
    ),
    ("out-of-band", "My out-of-band network"): (
        "",
        {
            "servers": {"cpu": {"ports": {"front": ETH}}},
            "frontend": LEAFS
            | {"spine": {**SMALL, "count": 2}, "leaf_groups": {"a": {"leafs": "1-4"}}},
        },
    ),
    ("services", "People log in by TACACS+, RADIUS or LDAP"): ("", RACKS),
    ("services", "Precise time by PTP"): (
        "",
        {
            "frontend": LEAFS,
            "tenants": {
                "training": {
                    **TENANT["training"],
                    "attachments": [
                        {"servers": kind, "access": "jobs"} for kind in ("clock", "cpu")
                    ],
                }
            },
        },
    ),
    ("fabrics", "Tenants"): ("", RACKS),
}
"""Lines above a part, by page and heading of its block, and the rest of its site."""
INDENTED = (IN_SITE, RACKS)
"""The same for a part below `site.management`: it starts with four spaces and has no entry."""


def blocks(page: str) -> dict[str, str]:
    """Return the YAML of a page by the heading above it; a second block there is `HEADING, 2`."""
    found: dict[str, str] = {}
    for section in re.split(r"^#+ ", (DOCS / f"{page}.md").read_text(), flags=re.MULTILINE)[1:]:
        heading = section.partition("\n")[0]
        texts = re.findall(r"^```yaml\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
        for number, text in enumerate(texts, 1):
            found[f"{heading}, {number}" if number > 1 else heading] = text
    return found


EVERY = [(page, heading) for page in PAGES for heading in blocks(page)]


@pytest.mark.parametrize(("page", "heading"), EVERY)
def test_a_block_of_yaml_compiles(page: str, heading: str) -> None:
    block = blocks(page)[heading]
    usual = INDENTED if block.startswith("    ") else ("", {})
    above, more = PARTS.get((page, heading), usual)
    words = yaml.safe_load(above + block.replace("{…}", "{}"))
    text = yaml.safe_dump(merged({"site": SITE, **more}, words))
    done = compile_site(load_texts({"site.yaml": text}))
    assert [item for item in done.findings if item.severity is Severity.ERROR] == []


def test_parts_are_on_their_pages() -> None:
    assert set(PARTS) <= set(EVERY)
