"""Tunnels between sites, as rendered, in a real kernel: what fills one arrives, no byte more."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import NOT_RUN
from tests.keys.sites import SITES
from tests.lab.machinery import PATIENCE, ROOT, need_a_lab, started_by

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_texts
from fabricgen.operate.lab.machine.uml import next_cpu
from fabricgen.operate.lab.tools import KERNEL, Tools

GUEST = Path(__file__).with_name("tunnel_guest.sh")
STANZA = re.compile(r"^iface (gre\S+)\n((?: +.*\n)+)", re.MULTILINE)
PACKETS = """import ctypes, socket, sys
target, size = sys.argv[1], int(sys.argv[2])
def bound():
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"red")
    return end
sender = bound()
there = open("/run/netns/west")
assert not ctypes.CDLL(None).setns(there.fileno(), 0x40000000)
taker = bound()
taker.settimeout(5)
taker.bind((target, 7000))
sender.setsockopt(socket.IPPROTO_IP, 10, 2)  # IP_MTU_DISCOVER, IP_PMTUDISC_DO
sender.sendto(bytes(size - 28), (target, 7000))
print("arrived", len(taker.recv(65535)) + 28)
try:
    sender.sendto(bytes(size - 27), (target, 7000))
except OSError as fault:
    print("refused", size + 1, fault.strerror)
"""


def commands(text: str) -> str:
    """Return what ifupdown2 makes of the tunnel's stanza, as commands."""
    found = STANZA.search(text)
    assert found is not None
    name, lines = found[1], [line.split(maxsplit=1) for line in found[2].splitlines()]
    own = [(word, *rest) for word, *rest in lines]
    said = {word: rest[0] for word, *rest in own if word != "address"}
    ends = f"local {said['tunnel-local']} remote {said['tunnel-endpoint']}"
    way = f"mode {said['tunnel-mode']} {ends} ttl {said['tunnel-ttl']} dev {said['tunnel-dev']}"
    made = [f"[ -e /sys/class/net/{name} ] || ip tunnel add {name} {way}"]
    made += [f"ip link set {name} mtu {said['mtu']} master {said['vrf']} up"]
    made += [f"ip address replace {rest[0]} dev {name}" for word, *rest in own if word == "address"]
    made += [said["post-up"]]
    return "\n".join(made) + "\n"


def test_a_tunnel_carries_what_the_way_does_without_its_headers(tmp_path: Path) -> None:
    need_a_lab()
    tools = Tools.here()
    kernel = tools.find(KERNEL)
    modules = [*Path(tools.root or "/", "usr/lib/uml/modules").glob("*")]
    if kernel is None or not modules:
        pytest.skip(f"{NOT_RUN}: a guest needs user-mode-linux")
    site = compile_site(load_texts({"site.yaml": json.dumps(SITES["tunneled"])})).site
    assert site is not None
    texts = {file.path: file.text for _, group in files(site) for file in group}
    for side, leaf in (("east", "east-leaf01"), ("west", "west-leaf02")):
        text = next(text for path, text in texts.items() if f"{leaf}/etc/network/int" in path)
        (tmp_path / side).write_text(commands(text))
    (tmp_path / "packets.py").write_text(PACKETS)
    words = (
        *("mem=256M", "rootfstype=hostfs", "rootflags=/", "ro", "quiet", "panic=-1", "con=null"),
        *("con0=null,fd:1", "ssl=null", f"uml_dir={tmp_path}/", "umid=guest", f"init={GUEST}"),
        *(f"LAB_PYTHON={sys.executable}", f"PYTHONPATH={ROOT / 'src'}", f"TUNNELS={tmp_path}"),
        *(f"LAB_MODULES={modules[0]}", "INSIDE=10.250.0.203", "SIZE=8972"),
        "EAST=swp19.131,198.51.101.31,198.51.101.30",
        "WEST=swp19.131,198.51.102.31,198.51.102.30",
    )
    cpu = str(next_cpu())
    done = subprocess.run(
        ["taskset", "-c", cpu, *started_by(kernel), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=PATIENCE,
    )
    said = done.stdout.replace("\r", "")
    assert "arrived 8972\nrefused 8973 Message too long\n" in said, said
    assert "gre19-101@swp19.131" in said, said
