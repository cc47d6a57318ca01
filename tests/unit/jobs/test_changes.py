"""Starting, growing and ending a job changes lines of its own servers and networks alone."""

import re
from collections import Counter

import pytest
from tests.unit.jobs.sites import SITE, changed, rendered

_BERT = "      bert: {slot: 3, servers: 3-4}\n"
CASES = {
    "start": (SITE, SITE + '      qwen: {slot: 2, servers: "5"}\n', {"gpu0005"}),
    "grow": (SITE, changed({"servers: 3-4": "servers: 3-5"}), {"gpu0005"}),
    "end": (changed({_BERT: ""}), SITE, {"gpu0003", "gpu0004"}),
}
"""Before, after (the end of a job is its start, read backwards), and the servers that change."""
_LISTS = re.compile(r"    (?:bridge-ports|bridge-vids|vrf idle)\b.*|auto idle|iface idle|!|")
"""Lines that list members of a switch, or that idle servers have."""


@pytest.mark.parametrize("case", CASES)
def test_no_line_of_another_job_or_tenant_changes(case: str) -> None:
    before, after, servers = CASES[case]
    old, new = rendered(before), rendered(after)
    for path, text in old.items():
        lost = Counter(text.splitlines()) - Counter(new.get(path, "").splitlines())
        if path.startswith("hosts/"):
            assert not lost or path.split("/")[1] in servers, path
        else:
            assert [line for line in lost if not _LISTS.fullmatch(line)] == [], path


@pytest.mark.parametrize("case", CASES)
def test_members_are_added_and_none_moves(case: str) -> None:
    before, after, _ = CASES[case]
    old, new = rendered(before), rendered(after)
    for path, text in old.items():
        for word in ("bridge-ports", "bridge-vids"):
            has, gets = (_members(word, each) for each in (text, new.get(path, "")))
            assert has <= gets, path


def _members(word: str, text: str) -> set[str]:
    """Return the members of a bridge; a switch has at most one."""
    return {member for row in re.findall(rf"{word} (.*)", text) for member in row.split()}


def test_a_server_of_a_job_has_addresses_routes_and_hints() -> None:
    files = rendered(SITE)
    netplan = files["hosts/gpu0003/etc/netplan/60-fabricgen.yaml"]
    for line in (
        'addresses: ["10.96.2.12/24"]',
        'addresses: ["10.97.2.12/24"]',
        '- {from: 0.0.0.0/32, to: "10.130.0.0/24", table: 6002, priority: 6002}',
        '- {to: "10.97.2.0/24", table: 10102, priority: 10102}',
    ):
        assert line in netplan
    hints = files["hosts/gpu0003/etc/fabricgen/job.env"].splitlines()
    assert hints[-3:] == ["FABRICGEN_JOB=bert", "FABRICGEN_TENSOR_PARALLEL=1", "NCCL_CROSS_NIC=0"]
    assert "hosts/gpu0005/etc/fabricgen/job.env" not in files
    leaf = files["backend/be-leaf1/etc/network/interfaces"]
    assert [leaf.count(f"    vrf {name}\n") for name in ("llama", "bert", "idle")] == [2, 2, 2]


@pytest.mark.parametrize("network", ["netplan", "networkd", "networkmanager"])
def test_each_tool_closes_the_storage_of_a_job_to_other_addresses(network: str) -> None:
    text = changed({"    count: 6\n": f"    count: 6\n    network: {network}\n"})
    own = [each for path, each in rendered(text).items() if path.startswith("hosts/gpu0001/")]
    assert any("10100" in each and "unreachable" in each for each in own)
