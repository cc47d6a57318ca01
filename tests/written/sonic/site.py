"""One small site that brings every table of SONiC, rendered for a release, with its model."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.nos.sonic.switches import HEAD, ZONED

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.prove.runs import Expected
from fabricgen.prove.verifier import expectations

RELEASES = ("202405", "202411", "202505", "202511", "202605", "master")
LOSSLESS, BONDED, EDGE, SPINE = "be-su01-leaf1", "fe-leaf02", "fe-leaf03", "be-spine1"
ROUTED, COMPUTED = "fe-leaf01", "st-leaf1"
_TRADITIONAL = """
backend:
  design: rail-optimized
  servers: {count: 2, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 2}
  links: {speed: 400G}
  underlay: {links: unnumbered}
  leaf: {model: 7060X6-64PE, platform: sonic}
  spine: {model: 7060X6-64PE, platform: sonic, count: 2}
"""
_DYNAMIC = """
backend:
  design: rail-only
  servers: {count: 2, gpus: 2, nic_speed: 400G}
  leaf: {model: SN5600, platform: sonic}
"""
_HEAD = HEAD.replace("    domain: lab.example\n", "")  # a table only from 202511 on
_FRONT = ZONED.format(model="7060DX5-64S", speed="100G", more="")
TRADITIONAL, DYNAMIC = _HEAD + _FRONT + _TRADITIONAL, _HEAD + _DYNAMIC
RAIL = "be-leaf1"

Db = dict[str, dict[str, dict[str, Any]]]


@dataclass(frozen=True)
class Switch:
    """One switch as it was rendered, and the others of its site."""

    name: str
    release: str
    config: Db
    frr: str
    others: dict[str, "Switch"]


@cache
def designed(release: str, *, dynamic: bool = False) -> Site:
    """Return the site of a release."""
    text = (DYNAMIC if dynamic else TRADITIONAL).replace(
        "platform: sonic", f'platform: sonic, release: "{release}"'
    )
    compiled = compile_site(load_texts({"site.yaml": text}))
    assert compiled.site is not None, compiled.findings
    return compiled.site


@cache
def rendered(release: str, *, dynamic: bool = False) -> dict[str, Switch]:
    """Return every switch of the site by name."""
    return switches_of(designed(release, dynamic=dynamic), release)


def switches_of(site: Site, release: str) -> dict[str, Switch]:
    """Return every SONiC switch of a site by name."""
    found: dict[str, Switch] = {}
    for _, made in files(site):
        texts = {each.path.partition("/")[2]: each.text for each in made}
        for path, text in texts.items():
            name, _, file = path.partition("/")
            if file == "config_db.json":
                frr = texts[f"{name}/frr.conf"]
                found[name] = Switch(name, release, json.loads(text), frr, found)
    return found


@cache
def expected(release: str, *, dynamic: bool = False) -> dict[str, Expected]:
    """Return what the model expects of each running switch."""
    site = designed(release, dynamic=dynamic)
    names = [each.name for fabric in site.fabrics for each in fabric.topology.switches]
    return expectations(site, names)
