"""Every block of YAML on the design pages compiles.

A complete site is compiled unchanged, a part with the rest of a site.
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
MANAGED: Words = {
    "racks": {"row": {"contents": [{"pdus": 2}, {"servers": "cpu", "count": 1}]}},
    "servers": {
        "cpu": {
            "count": 1,
            "ports": {
                "bmc": {"fabric": "oob", "speed": "1G"},
                "license": {"fabric": "oob", "speed": "1G", "vlan": "license"},
            },
        }
    },
    "fabrics": {
        "oob": {
            "kind": "access",
            "leaf": {"model": "SN2201", "platform": "sonic"},
            "spine": {"model": "7050CX3-32S", "platform": "sonic"},
            "zones": {"row": {"switch": 1}},
            "vlans": {
                "switches": {"id": 20},
                "bmc": {"id": 10, "subnet": "10.250.0.0/22"},
                "pdu": {"id": 30, "subnet": "10.250.32.0/22"},
            },
        }
    },
}
STORAGE: Words = {
    "kind": "routed",
    "leaf": LARGE,
    "spine": LARGE,
    "links": {"speed": "400G"},
    "sides": {"compute": {"ratio": 2}, "storage": {}},
}
BOTH = {"servers": {"gpu": GPU}, "backend": RAILS, "frontend": LEAFS}
PAGES = (
    "design/backend",
    "design/lossless",
    "design/load-balancing",
    "design/servers",
    "design/ports",
    "design/storage",
    "design/out-of-band",
    "design/services",
)
PARTS: dict[tuple[str, str], Words] = {
    ("design/lossless", "A second lossless class for storage"): {
        "backend": RAILS | {"servers": {"count": 64, "gpus": 8, "nic_speed": "400G"}}
    },
    ("design/servers", "Rails"): {"backend": RAILS},
    ("design/servers", "MLAG pairs"): {"frontend": LEAFS},
    ("design/servers", "Tenants on rails"): merged(
        BOTH, {"servers": {"gpu": {"count": 32}}, "backend": {"roce": {"enabled": False}}}
    ),
    ("design/ports", "Descriptions"): RACKS,
    ("design/services", "Other services for one fabric"): RACKS,
    ("design/out-of-band", "Separation of devices"): MANAGED,
    ("design/storage", "Example, 2"): {"backend": RAILS, "fabrics": {"storage": STORAGE}},
}
"""The rest of the site of a part, by page and heading of its block."""


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
    words = yaml.safe_load(blocks(page)[heading])
    text = yaml.safe_dump(merged({"site": SITE, **PARTS.get((page, heading), {})}, words))
    done = compile_site(load_texts({"site.yaml": text}))
    assert [item for item in done.findings if item.severity is Severity.ERROR] == []


def test_parts_are_on_their_pages() -> None:
    assert set(PARTS) <= set(EVERY)
