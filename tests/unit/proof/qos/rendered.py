"""Small backends on each platform: intent text in, every switch with its rendered files out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tests.switches import files_of_switches

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.prove.qos.verify import Readback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.core.diagnostics import Examined
    from fabricgen.model.fabric.port_qos import QosState
    from fabricgen.model.fabric.switch import Site

Texts = dict[str, str]

RAIL_ONLY = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog]
  management: {{subnet: 10.255.0.0/22}}
backend:
  design: rail-only
  servers: {{count: 3, gpus: 2, nic_speed: {speed}, cable_length: 5}}
  leaf: {{model: {model}, platform: {platform}}}
{more}
"""
RAIL_OPTIMIZED = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog]
  management: {{subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {{count: 4, gpus: 2, nic_speed: {speed}, cable_length: 5}}
  scalable_unit: {{servers: 2}}
  oversubscription: 2
  links: {{speed: {speed}, length: 40}}
  leaf: {{model: {model}, platform: {platform}}}
  spine: {{model: {model}, platform: {platform}, count: 2}}
{more}
"""
FRONTEND = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog, tunneled-class]
  management: {{subnet: 10.255.0.0/22}}
frontend:
  leaf: {{model: {model}, platform: {platform}}}
  spine: {{model: {model}, platform: {platform}, count: 2}}
  leaf_groups:
    racks: {{leafs: 1-2, servers: {{per_leaf: 4, speed: {speed}, cable_length: 5}}}}
    trunks: {{leafs: 3-3, servers: {{per_leaf: 4, speed: {speed}, cable_length: 5}}}}
{more}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          nvme: {{id: 110, subnet: 10.110.0.0/24}}
          jobs: {{id: 111, subnet: 10.111.0.0/24}}
    attachments: [{{group: racks, access: nvme}}, {{group: trunks, trunk: [nvme, jobs]}}]
"""


@dataclass(frozen=True)
class Rendered:
    """A site, and the files of each of its switches by their path below the switch's folder."""

    site: Site
    files: dict[Switch, Texts]

    def switch(self, name: str) -> Switch:
        return next(switch for switch in self.files if switch.name == name)

    def verified(self, changed: Mapping[Switch, Texts] | None = None) -> Examined:
        """Read every switch back, some with other files than were rendered."""
        proof = Readback(self.site, spell)
        for switch, texts in self.files.items():
            proof.take(proof.judge(switch, (changed or {}).get(switch, texts)))
        return proof.result()

    def said(self, switch: Switch, path: str, old: str, new: str, times: int = 1) -> list[str]:
        """Return what is said when a text in one file is another."""
        text = self.files[switch][path]
        assert old in text, f"{old!r} is not in {path}"
        files = {**self.files[switch], path: text.replace(old, new, times)}
        return [finding.message for finding in self.verified({switch: files}).findings]


class Judge:
    """Judges a site of which one switch has another file; the others are read once."""

    def __init__(self, made: Rendered) -> None:
        """Read every switch as it was rendered."""
        self._site = made.site
        self._judge = Readback(made.site, spell)
        self._verdicts = {
            switch: self._judge.judge(switch, it) for switch, it in made.files.items()
        }

    def verified(self, changed: Switch, files: Texts) -> Examined:
        """Read the changed switch, and judge all."""
        proof = Readback(self._site, spell)
        verdicts = {**self._verdicts, changed: self._judge.judge(changed, files)}
        for verdict in verdicts.values():
            proof.take(verdict)
        return proof.result()


@cache
def rendered(shape: str, platform: str, model: str, speed: str, more: str = "") -> Rendered:
    """Compile and render a site; it is frozen, so tests share it."""
    return render(shape.format(platform=platform, model=model, speed=speed, more=more))


def render(text: str, as_platform: str | None = None) -> Rendered:
    made = compile_site(load_texts({"site.yaml": text}), as_platform)
    assert made.site is not None
    assert not [item for item in made.findings if item.severity is Severity.ERROR], made.findings
    return Rendered(
        made.site,
        {
            owner: {file.path.split("/", 2)[2]: file.text for file in group}
            for owner, group in files_of_switches(made.site)
        },
    )


def state(files: Texts, switch: Switch) -> QosState:
    """Read one switch's files."""
    reader = nos(switch.platform).qos
    assert reader is not None
    return reader.load()(switch.model, files)
