"""Drawn pools of jobs: whoever starts or ends, no other job's numbers or lines move."""

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import frontend

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.overlay import Overlay

SLOTS = 40
SEATS = [(leaf, server) for leaf in (1, 2, 3) for server in range(1, 7)]
NAMES = st.text("abcxyz019-", min_size=1, max_size=6).map(lambda tail: f"j{tail}x")
SUBNETS = ("10.96.0.0/16", "fd00:9600::/40")


def told(subnets: str, jobs: dict[str, int]) -> dict[str, tuple[object, ...]]:
    """Return what follows from each job's slot, asked of the compiled site."""
    places = dict(zip(sorted(jobs), SEATS, strict=False))
    site = frontend()
    site["tenants"] = {}
    site["site"]["management"]["ntp"] = ["10.255.0.250", "10.255.0.251"]
    pool = {"slots": SLOTS, "vrf_ids": 100, "vlan_ids": 1000, "subnets": subnets}
    ports = {
        name: {"group": "a", "leafs": str(leaf), "servers": str(server), "access": name}
        for name, (leaf, server) in places.items()
    }
    site["jobs"] = {
        "pool": {
            **pool,
            "jobs": {
                name: {"slot": slot, "attachments": [ports[name]]} for name, slot in jobs.items()
            },
        }
    }
    compiled = compile_site(load_texts({"site.yaml": yaml.safe_dump(site, sort_keys=False)}))
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    overlay = compiled.site.fabrics[0].overlay
    assert overlay is not None
    return {name: numbers(overlay, name) for name in jobs}


def numbers(overlay: Overlay, name: str) -> tuple[object, ...]:
    vrf = overlay.vrfs[name]
    (vlan,) = (vlan for vlan in overlay.vlans.values() if vlan.vrf == name)
    return vrf.id, vrf.vni, vrf.transit_vlan, vlan.id, vlan.vni, vlan.name, vlan.gateways


@settings(max_examples=draws(25))
@given(
    st.sampled_from(SUBNETS),
    st.dictionaries(NAMES, st.integers(1, SLOTS), min_size=1, max_size=len(SEATS)),
)
def test_a_job_that_ends_or_starts_moves_no_other(subnets: str, drawn: dict[str, int]) -> None:
    taken: dict[int, str] = {}
    for name, slot in drawn.items():
        taken.setdefault(slot, name)
    jobs = {name: slot for slot, name in taken.items()}
    every = told(subnets, jobs)
    assert len({tuple(map(str, each)) for each in every.values()}) == len(jobs)
    left = dict(reversed(list(jobs.items())[: len(jobs) // 2]))
    assert told(subnets, left) == {name: every[name] for name in left}
