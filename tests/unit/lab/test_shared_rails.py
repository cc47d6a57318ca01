"""Who may hear whom on rails that tenants share, and what their servers are told of it."""

from functools import cache

from fabricgen.compile.compiler import compile_site, host_slices
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.traffic.pairs import Apart, expected_pairs

TEXT = """
site: {{name: lab, management: {{subnet: 10.255.0.0/22, ntp: [10.255.0.250, 10.255.0.251]}}}}
backend:
  design: rail-optimized
  servers: {{count: 4, gpus: 2, nic_speed: 100G}}
  scalable_unit: {{servers: 2}}
  leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7050CX3-32S, platform: eos, count: 2}}
tenants:
  blue:
    fabric: backend
    vrfs: {{blue: {{id: 1{more}}}}}
    attachments: [{{numbers: 1-3, vrf: blue}}]
  red:
    fabric: backend
    vrfs: {{red: {{id: 2}}}}
    attachments: [{{numbers: 4-4, vrf: red}}]
"""


@cache
def site(more: str = "") -> Site:
    made = compile_site(load_texts({"site.yaml": TEXT.format(more=more)}))
    assert made.ok, made.findings
    assert made.site is not None
    return made.site


def between(more: str = "") -> set[tuple[bool, bool, int | None, Apart | None]]:
    """Return of every pair whether VRF and leaf are the same, routers on the way, or why none."""
    plan = lay_out(site(more), name="lab", lifted="linux", files=(), limit=())
    ends = plan.endpoints
    return {
        (
            ends[pair.source].vrf == ends[pair.target].vrf,
            ends[pair.source].leaf == ends[pair.target].leaf,
            pair.routers,
            pair.apart,
        )
        for pair in expected_pairs(site(more), plan)
    }


def test_those_of_one_tenant_meet_over_two_leafs_and_no_others() -> None:
    assert between() == {
        (True, True, 1, None),
        (True, False, 2, None),
        (False, True, None, Apart.TENANTS),
        (False, False, None, Apart.TENANTS),
    }


def test_those_of_a_local_vrf_meet_on_their_leaf_alone() -> None:
    assert between(", local: true") == {
        (True, True, 1, None),
        (True, False, None, Apart.LEAFS),
        (False, True, None, Apart.TENANTS),
        (False, False, None, Apart.TENANTS),
    }


def test_a_server_of_a_local_vrf_is_told_of_no_other_rail() -> None:
    told = {
        switch_slice.server.name: {(port.plan.everywhere is None, share.mtu) for port in side.ports}
        for switch_slice in host_slices(site(", local: true"))
        for side in switch_slice.routed
        for share in (side.share,)
    }
    assert told == {f"gpu000{number}": {(number < 4, 9164)} for number in range(1, 5)}
