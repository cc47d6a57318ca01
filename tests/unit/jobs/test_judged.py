"""What is said of jobs that are wrong, too large, or in a bad place."""

import pytest
from tests.unit.jobs.sites import SITE, UNITS, changed, made, said

WRONG = {
    "a server in two jobs": (
        {"servers: 3-4}": "servers: 2-4}"},
        ("FG305", "gpu 2 of job bert already belong to job llama"),
    ),
    "an unknown server": (
        {"servers: 3-4}": "servers: 3-7}"},
        ("FG105", "there are 6 servers of gpu, but no number 7"),
    ),
    "an unknown kind": (
        {"    servers: gpu\n": "    servers: gpx\n"},
        ("FG105", "no kind of servers is named 'gpx'"),
    ),
    "a unit that does not exist": (
        {"servers: 3-4}": "unit: 9}"},
        ("FG105", "the backend has no servers of gpu in unit 9"),
    ),
    "a job above its quota": (
        {"servers: 3-4}": "servers: 3-4, quota: {servers: 1}}"},
        ("FG230", "job bert has 2 servers, but the quota is 1"),
    ),
    "a pool above its quota": (
        {"quota: {servers: 5, gpus: 5}": "quota: {servers: 5, gpus: 3}"},
        ("FG230", "the jobs of training have 4 GPUs, but the quota is 3"),
    ),
    "storage without tenants": (
        {
            "    kind: evpn\n    number: 1\n    design: collapsed\n": "    kind: routed\n",
            "    leaf_groups: {racks: {leafs: 1-2}}\ntenants:": "tenants:",
        },
        ("FG103", "storage is of kind routed, but `storage` of jobs needs kind evpn"),
    ),
    "rails on an evpn fabric": (
        {"rails: {fabric: backend,": "rails: {fabric: storage,"},
        ("FG103", "storage is of kind evpn, but `rails` of jobs needs kind rails"),
    ),
    "a fabric that is not there": (
        {"rails: {fabric: backend,": "rails: {fabric: backed,"},
        ("FG105", "no fabric 'backed' in the site"),
    ),
    "the VRF of idle servers in a slot": (
        {"idle_vrf: 99": "idle_vrf: 203"},
        ("FG106", "the VRF id 203 is reserved for a slot of training"),
    ),
    "a job with the name of idle servers": (
        {"      bert:": "      idle:"},
        ("FG106", "idle is the tenant of the rails' idle servers"),
    ),
    "exports that are not there": (
        {"exports: [files]": "exports: [filez]"},
        ("FG105", "no tenant of the storage fabric has a VRF 'filez'"),
    ),
    "a storage network in IPv6": (
        {"subnets: 10.97.0.0/16": 'subnets: "2001:db8::/48"'},
        ("FG103", "storage of jobs needs IPv4 subnets"),
    ),
    "servers without a kind": (
        {"    servers: gpu\n": ""},
        ("FG103", "`rails` needs `servers`"),
    ),
    "servers and a unit": (
        {"servers: 3-4}": "servers: 3-4, unit: 1}"},
        ("FG103", "give `servers` or `unit`, not both"),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_once(case: str) -> None:
    changes, (code, words) = WRONG[case]
    found = [message for each, message in said(changed(changes)) if each == code]
    assert [message for message in found if words in message][:1], said(changed(changes))
    assert sum(words in message for message in found) == 1


def test_two_pools_agree_about_idle_servers_and_keep_their_ids_apart() -> None:
    more = """  tuning: {fabric: frontend, slots: 2, vrf_ids: 204, vlan_ids: 2100,
           subnets: 10.99.0.0/16, servers: gpu, rails: {fabric: backend, idle_vrf: 98}}
"""
    found = dict(said(SITE + more))
    assert "another pool has idle_vrf 99" in found["FG103"]
    assert "its slots use the same `vrf_ids` as slots of training" in found["FG106"]


@pytest.mark.parametrize(
    ("servers", "level", "words"),
    [
        ("2-3", "warning", "job llama spans units 1-2 of the backend: 100 % of its all-to-all"),
        ("1-3", "note", "67 % of its all-to-all leaves a unit"),
    ],
)
def test_a_job_over_units_says_what_its_all_to_all_costs(
    servers: str, level: str, words: str
) -> None:
    places = {"llama: {slot: 1, servers: 1-2}": f"llama: {{slot: 1, servers: {servers}}}"}
    text = changed({**UNITS, **places, "servers: 3-4}": 'servers: "4"}'})
    (found,) = [item for item in made(text).findings if item.code == "FG231"]
    assert (found.severity.value, words in found.message) == (level, True), found
    assert found.message.endswith("bandwidth of servers to uplinks 1 : 1")


def test_a_unit_is_its_servers_and_units_never_meet_in_local_vrfs() -> None:
    unit = {**UNITS, "servers: 3-4}": "unit: 2}"}
    site = made(changed(unit)).site
    assert site is not None
    assert [(job.name, job.servers, job.spread) for job in site.jobs] == [
        ("llama", ("gpu0001", "gpu0002"), (1,)),
        ("bert", ("gpu0003", "gpu0004"), (2,)),
    ]
    local = {"idle_vrf: 99": "idle_vrf: 99, local: true", "servers: 1-2}": "servers: 2-3}"}
    text = changed({**UNITS, **local, "servers: 3-4}": 'servers: "4"}'})
    assert any("so the units never meet" in message for _, message in said(text))
