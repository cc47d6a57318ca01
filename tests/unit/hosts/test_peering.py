"""What a server with routed ports is told: addresses, ways out, and BGP with its leafs."""

import pytest
import yaml
from tests.nos.tenants import spoken

from fabricgen.compile.compiler import compile_site, files_of, host_slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.nos.hosts.readback.files import read
from fabricgen.nos.hosts.readback.network import Route
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.prove.servers import ServerJudge

NETWORKS = ("netplan", "networkd", "networkmanager")


def second(speaker: str, network: str = "netplan") -> tuple[HostSlice, dict[str, str]]:
    """Return the second server and its files, by their paths on it."""
    text = spoken("7050CX3-32S", "eos").replace(
        "asn: 65101", f"speaker: {speaker}\n            asn: 65101"
    )
    text = text.replace("count: 3", f"count: 3\n    network: {network}")
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.ok, made.findings
    assert made.site is not None
    host_slice = list(host_slices(made.site))[1]
    files = files_of(host_slice, Renderer())
    return host_slice, {file.path.split("/", 2)[2]: file.text for file in files}


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("speaker", ["frr", "cilium"])
def test_the_way_out_is_by_bgp_or_by_one_port_after_the_other(speaker: str, network: str) -> None:
    host_slice, files = second(speaker, network)
    made = read({path: text for path, text in files.items() if "fabricgen/" not in path})
    assert made.addresses == {"front0": ("10.96.0.5/31",), "front1": ("10.96.0.7/31",)}
    ways = {("10.96.0.4", "front0", 2), ("10.96.0.6", "front1", 1)}  # server 2 begins with its 2nd
    wanted = {Route(prefix="0.0.0.0/0", via=v, device=d, metric=m) for v, d, m in ways}
    assert set(made.routes) == (wanted if speaker == "cilium" else set())
    judge = ServerJudge()
    assert judge.judge(host_slice, files).findings == ()
    other = {path: text.replace("10.96.0.7/31", "10.96.0.9/31") for path, text in files.items()}
    assert judge.judge(host_slice, other).findings != ()


def test_frr_announces_what_is_listed_and_takes_a_default_route() -> None:
    _, files = second("frr")
    lines = files["etc/frr/frr.conf"].splitlines()
    for line in (
        "router bgp 65101",
        " neighbor 10.96.0.4 remote-as 4200000000",
        " neighbor 10.96.0.6 remote-as 4200000001",
        " neighbor 10.96.0.6 bfd profile FABRIC",
        "  redistribute connected route-map ANNOUNCED",
        "  neighbor 10.96.0.6 route-map ANNOUNCED out",
        "ip prefix-list ANNOUNCED seq 20 permit 10.112.0.0/14 le 32",
        "  neighbor 10.96.0.6 route-map DEFAULT in",
    ):
        assert line in lines
    assert {"bgpd=yes", "bfdd=yes"} <= set(files["etc/frr/daemons"].splitlines())
    assert "default front0,front1 -4\n" in files["etc/fabricgen/links"]
    assert "net.ipv4.conf.front1.rp_filter = 2\n" in files["etc/sysctl.d/91-fabricgen.conf"]


def test_cilium_is_told_by_manifests() -> None:
    _, files = second("cilium")
    cluster, peer, advertised = yaml.safe_load_all(files["etc/fabricgen/cilium.yaml"])
    (instance,) = cluster["spec"]["bgpInstances"]
    assert cluster["spec"]["nodeSelector"]["matchLabels"]["kubernetes.io/hostname"] == "node0002"
    assert (instance["localASN"], [each["peerAddress"] for each in instance["peers"]]) == (
        65101,
        ["10.96.0.4", "10.96.0.6"],
    )
    assert instance["peers"][1]["peerConfigRef"]["name"] == peer["metadata"]["name"]
    (family,) = peer["spec"]["families"]
    assert family["advertisements"]["matchLabels"] == advertised["metadata"]["labels"]


def test_calico_is_told_by_manifests() -> None:
    _, files = second("calico")
    site, *peers = yaml.safe_load_all(files["etc/fabricgen/calico.yaml"])
    assert site["spec"] == {"nodeToNodeMeshEnabled": False, "asNumber": 65101}
    assert [peer["spec"] for peer in peers] == [
        {"node": "node0002", "peerIP": "10.96.0.4", "asNumber": 4200000000},
        {"node": "node0002", "peerIP": "10.96.0.6", "asNumber": 4200000001},
    ]
