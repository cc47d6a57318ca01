"""The sites that are measured, as texts: name in, file name → YAML out."""

from __future__ import annotations

import random

SPINES, VRFS, VLANS, PORTS = 4, 10, 5, 48
POD = 59  # leafs of a pod: 8 pods with 4 spines, and 8 superspines, are 512 switches

_SITE = """
site:
  name: bench
  management: {subnet: 10.0.0.0/12}
  accept_unsupported: [pfc-watchdog]   # Linux has none
"""


def evpn(leafs: int, *, pods: bool = False) -> dict[str, str]:
    """Return the fabric the peers are measured on: 4 spines, 10 VRFs x 5 VLANs, 48 ports a leaf.

    With `pods`, 64 leafs stand behind 4 spines each and superspines join the pods, since no real
    spine has ports for 1,024 leafs.
    """
    shape = (
        "design: superspine\n  leafs_per_pod: 64\n  superspine: {model: 7060DX5-64S, "
        "platform: eos, count: 4}\n  "
        if pods
        else ""
    )
    frontend = f"""
frontend:
  {shape}leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7060DX5-64S, platform: eos, count: {SPINES}}}
  links: {{speed: 100G}}
  oversubscription: 4
  addressing: {{links: 10.128.0.0/12}}
  leaf_groups:
    rack: {{leafs: 1-{leafs}, servers: {{per_leaf: {PORTS}, speed: 25G}}}}
"""
    return {
        "site.yaml": _SITE,
        "frontend.yaml": frontend,
        "tenants.yaml": "tenants:\n" + "".join(_tenant(t) for t in range(VRFS)),
    }


def pods(count: int) -> dict[str, str]:
    """Return pods of 59 leafs and 4 spines with 8 superspines, as dense as leafs of intent/full.

    Each leaf has 16 servers. Each pod has 2 VRFs of its own with 2 VLANs each.
    """
    frontend = f"""
frontend:
  design: superspine
  leafs_per_pod: {POD}
  superspine: {{model: 7060DX5-64S, platform: eos, count: 8}}
  leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7060DX5-64S, platform: eos, count: {SPINES}}}
  links: {{speed: 100G}}
  oversubscription: 4
  addressing: {{links: 10.128.0.0/12}}
  leaf_groups:
    rack: {{leafs: 1-{POD * count}, servers: {{per_leaf: 16, speed: 25G}}}}
"""
    shared = "tenants:\n" + "".join(_in_pod(n // 2, n) for n in range(2 * count))
    return {"site.yaml": _SITE, "frontend.yaml": frontend, "tenants.yaml": shared}


def _in_pod(pod: int, number: int) -> str:
    vlans = "".join(
        f"v{v}: {{id: {100 + number * 2 + v}, subnet: 172.{16 + number}.{v}.0/24}}, "
        for v in range(2)
    )
    leafs, servers = f"{pod * POD + 1}-{(pod + 1) * POD}", "1-8" if number % 2 else "9-16"
    return (
        f"  t{number}:\n    vrfs: {{vrf{number}: {{id: {number + 1}, vlans: {{{vlans}}}}}}}\n"
        f'    attachments: [{{group: rack, leafs: "{leafs}", servers: "{servers}", '
        f"trunk: [v0, v1]}}]\n"
    )


def with_local_tenant(leafs: int, vlan: int, *, pods: bool = False) -> dict[str, str]:
    """Return the same fabric with one more tenant on leafs 1 to 4, whose VLAN id is given."""
    texts = evpn(leafs, pods=pods)
    texts["local.yaml"] = f"""
tenants:
  local:
    vrfs: {{local: {{id: 99, vlans: {{one: {{id: {vlan}, subnet: 192.168.0.0/24}}}}}}}}
    attachments: [{{group: rack, leafs: 1-4, servers: 1-8, trunk: [one], default_route: one}}]
"""
    return texts


def scattered(leafs: int, tenants: int) -> dict[str, str]:
    """Return the same fabric where each port is of a tenant by lot: hardly two leafs are alike."""
    draw = random.Random(1)  # noqa: S311 - a lot that is the same each time
    ports: dict[tuple[int, int], list[str]] = {}
    for leaf in range(1, leafs + 1):
        for port in range(1, PORTS + 1):
            ports.setdefault((draw.randrange(tenants), leaf), []).append(str(port))
    said = [
        f"  t{t}:\n    vrfs: {{vrf{t}: {{id: {t + 1}, vlans: {{v: {{id: {100 + t}, "
        f"subnet: 172.16.{t}.0/24}}}}}}}}\n    attachments:\n"
        + "".join(
            f'      - {{group: rack, leafs: "{leaf}", servers: "{",".join(own)}", trunk: [v]}}\n'
            for (tenant, leaf), own in ports.items()
            if tenant == t
        )
        for t in range(tenants)
    ]
    return {**evpn(leafs), "tenants.yaml": "tenants:\n" + "".join(said)}


def imported(leafs: int) -> dict[str, str]:
    """Return a frontend with 24 servers on each leaf and no tenants: its switches are imported."""
    return {
        "site.yaml": f"""
site: {{name: lab, management: {{subnet: 10.255.0.0/20, ntp: [10.9.0.1]}}}}
frontend:
  leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7060X6-64PE, platform: eos, count: 4}}
  links: {{speed: 100G}}
  leaf_groups: {{web: {{leafs: 1-{leafs}, servers: {{per_leaf: 24, speed: 25G}}}}}}
"""
    }


def _tenant(number: int) -> str:
    vlans = "".join(
        f"          v{v}: {{id: {100 + number * VLANS + v}, subnet: 172.{16 + number}.{v}.0/24}}\n"
        for v in range(VLANS)
    )
    servers = ",".join(str(p) for p in range(1, PORTS + 1) if p % VRFS == number)
    names = ", ".join(f"v{v}" for v in range(VLANS))
    return (
        f"  t{number}:\n    vrfs:\n      vrf{number}:\n        id: {number + 1}\n"
        f"        vlans:\n{vlans}    attachments:\n"
        f'      - {{group: rack, servers: "{servers}", trunk: [{names}]}}\n'
    )


def backend(gpus: int, platform: str) -> dict[str, str]:
    """Return a three-tier backend on switches with 128 ports of 400G."""
    role = f"{{model: 7060X6-64PE, platform: {platform}}}"
    return {
        "site.yaml": _SITE,
        "backend.yaml": f"""
backend:
  design: three-tier
  servers: {{count: {gpus // 8}, gpus: 8, nic_speed: 400G}}
  links: {{speed: 400G}}
  addressing: {{links: 10.128.0.0/9, loopbacks: 10.64.0.0/12}}
  leaf: {role}
  spine: {role}
  superspine: {role}
""",
    }


def mixed(gpus: int, vlan: int) -> dict[str, str]:
    """Return the backend on EOS beside a frontend of 128 leafs, with pools of their own."""
    both = {**backend(gpus, "eos"), **with_local_tenant(128, vlan)}
    both["backend.yaml"] = both["backend.yaml"].replace(
        "10.64.0.0/12}", "10.64.0.0/12, nics: 10.16.0.0/12}"
    )
    both["frontend.yaml"] = both["frontend.yaml"].replace(
        "links: 10.128.0.0/12", "links: 10.32.0.0/12, loopbacks: 10.48.0.0/16, vteps: 10.49.0.0/16"
    )
    return both
