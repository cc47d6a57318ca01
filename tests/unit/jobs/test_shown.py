"""What schedulers learn of jobs, and that `reach` finds each job alone."""

import json

import pytest
from tests.unit.jobs.sites import SITE, changed, made, rendered

from fabricgen.compile.compiler import files_of, host_slices
from fabricgen.compile.render import Renderer
from fabricgen.operate.export.scheduler.files import scheduled
from fabricgen.prove.servers import ServerJudge


def test_schedulers_learn_the_servers_of_each_job() -> None:
    site = made(SITE).site
    assert site is not None
    files = {file.path.removeprefix("backend/"): file.text for file in scheduled(site)}
    assert "NodeSet=bert Nodes=gpu[0003-0004]\n" in files["jobs.conf"]
    labels = files["labels.sh"].splitlines()
    assert [line.split()[-1] for line in labels if "gpu000" in line] == [
        *["fabric-job=llama"] * 2,
        *["fabric-job=bert"] * 2,
        *["fabric-job-"] * 2,
    ]
    bert = json.loads(files["jobs.json"])["bert"]
    assert bert["fabrics"] == ["frontend", "backend", "storage"]
    assert (bert["tensor_parallel"], bert["data_parallel"], bert["units"]) == (1, 2, [1])


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("etc/fabricgen/job.env", "=bert", "=llama"),
        ("etc/netplan/60-fabricgen.yaml", 'to: "10.130.0.0/24"', 'to: "10.131.0.0/24"'),
        ("etc/netplan/60-fabricgen.yaml", "type: unreachable, table: 10102", "via: 10.97.2.1"),
    ],
)
def test_a_changed_line_of_a_server_is_found(path: str, old: str, new: str) -> None:
    site = made(SITE).site
    assert site is not None
    host = next(each for each in host_slices(site) if each.server.name == "gpu0003")
    files = {file.path.split("/", 2)[2]: file.text for file in files_of(host, Renderer())}
    judge = ServerJudge()
    assert judge.judge(host, files).findings == ()
    assert old in files[path]
    changed_files = {**files, path: files[path].replace(old, new)}
    assert judge.judge(host, changed_files).findings != ()


def test_a_vip_is_on_the_loopback_of_its_balancer() -> None:
    text = rendered(SITE)["hosts/lb0001/etc/frr/frr.conf"]
    assert "interface lo\n ip address 198.51.100.1/32\nexit\n" in text
    site = made(SITE).site
    assert site is not None
    host = next(each for each in host_slices(site) if each.server.name == "lb0001")
    files = {file.path.split("/", 2)[2]: file.text for file in files_of(host, Renderer())}
    broken = {**files, "etc/frr/frr.conf": text.replace("100.1/32", "100.2/32")}
    assert ServerJudge().judge(host, files).findings == ()
    assert ServerJudge().judge(host, broken).findings != ()


@pytest.mark.parametrize("word", ["chat/models", "chat/modelz"])
def test_servers_behind_a_balancer_are_alone_in_their_vrf(word: str) -> None:
    text = changed({"servers: [chat/models]": f"servers: [{word}]"})
    assert made(text).ok is (word == "chat/models")
    joined = changed(
        {
            "vlans: {users: {id: 110, subnet: 10.110.0.0/24}}": "vlans: {users: {id: 110, subnet: "
            "10.110.0.0/24}, models: {id: 111, subnet: 10.111.0.0/24}}",
            "      models: {id: 2, vlans: {models: {id: 111, subnet: 10.111.0.0/24}}}\n": "",
        }
    )
    past = [item.message for item in made(joined).findings if item.code == "FG371"]
    assert any("VLAN chat-users of VRF users reaches the servers" in each for each in past)
