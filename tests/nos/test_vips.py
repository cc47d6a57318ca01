"""A zone of balancers on routed ports beside its spelling on each NOS; a missing line is found."""

import json
from collections.abc import Iterator

import pytest

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.written import prove

MODELS = {"eos": "7050CX3-32S", "sonic": "SN3700", "linux": "7050CX3-32S"}
SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
servers:
  web: {count: 3, ports: {front: {fabric: frontend, speed: 25G, per_leaf: 2}}}
  lb: {count: 2, ports: {front: {fabric: frontend, ports: 2, leafs: 2, speed: 25G, per_leaf: 2,
       first: 9}}}
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 2}
  leaf_groups: {racks: {leafs: 1-2}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          users: {id: 110, subnet: 10.110.0.0/24}
          models: {id: 111, subnet: 10.111.0.0/24}
        hosts: {lb: {asn: 65101, accept: [198.51.100.0/28]}}
        vips: {chat: {hosts: lb, address: 198.51.100.1, servers: [red/models]}}
    attachments:
      - {servers: web, numbers: "1", access: users, addresses: static}
      - {servers: web, numbers: 2-3, access: models, addresses: static}
      - {servers: lb, vrf: red, links: 10.96.0.0/24, bgp: lb}
zones:
  users: {vlans: [red/users]}
  models: {vlans: [red/models]}
  lb: {hosts: [red/red/lb]}
flows:
  - {clients: [users], servers: [lb], services: [tcp/443]}
  - {clients: [lb], servers: [models], services: [tcp/8080]}
"""


def leaf(platform: str) -> tuple[SwitchSlice, dict[str, str]]:
    """Return the first leaf, and its files by name."""
    text = SITE.replace("MODEL", MODELS[platform]).replace("PLATFORM", platform)
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.ok, made.findings
    assert made.site is not None
    switch_slice = next(each for _, each in slices(made.site) if each.switch.is_leaf)
    files = files_of(switch_slice, Renderer())
    return switch_slice, {file.path.rpartition("/")[2]: file.text for file in files}


def guarded(platform: str, files: dict[str, str]) -> Iterator[str]:
    """Yield the ports of balancers that the files guard."""
    if platform == "sonic":
        yield from json.loads(files["config_db.json"])["ACL_TABLE"]["ZONE-red_lb"]["ports"]
    elif platform == "eos":
        stanzas = files["eos.cfg"].split("\n!\n")
        guards = (each for each in stanzas if "ip access-group ZONE-red_lb in" in each)
        yield from (each.split()[1] for each in guards)
    else:
        rows = files["zones.nft"].splitlines()
        yield from (row.split()[1].strip('"') for row in rows if "goto ZONE-red_lb" in row)


@pytest.mark.parametrize("platform", MODELS)
def test_every_port_of_a_balancer_has_the_list_of_its_zone(platform: str) -> None:
    switch_slice, files = leaf(platform)
    ports = [peer.interface for peer in switch_slice.speakers]
    assert len(ports) == len([*guarded(platform, files)]) == 2
    (guard,) = [each for each in switch_slice.guards if each.peer == "red_lb"]
    said = {rule.because.rule for each in guard.lists for rule in each.rules}
    assert "lb may reach models on tcp/8080" in said
    assert not any("users may reach models" in rule for rule in said)


def test_a_port_without_its_list_is_found() -> None:
    switch_slice, files = leaf("eos")
    line = "   ip access-group ZONE-red_lb in\n"
    assert files["eos.cfg"].count(line) == 2
    assert prove(switch_slice, files).findings == ()
    assert prove(switch_slice, {"eos.cfg": files["eos.cfg"].replace(line, "", 1)}).findings
