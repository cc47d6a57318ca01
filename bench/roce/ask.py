"""The lab's site in; what the guest is asked to do out: plan, files, NICs, traffic."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_site, load_texts
from fabricgen.operate.lab.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.compile.compiler import File
    from fabricgen.operate.lab.plan import LabPlan
    from fabricgen.operate.lab.tools import Tools

SITE = Path(__file__).resolve().parents[2] / "intent" / "lab"
# The NICs of two servers on two leafs: the shortest way between them is leaf, spine, leaf.
_SWITCHES = ("be-su01-leaf1", "be-su01-leaf2", "be-spine*")
_SENDER, _RECEIVER = "gpu0001/rdma0", "gpu0002/rdma1"
_FACTOR = 20_000
"""How much slower the last port is than compiled: 5 Mbit/s, which software can overload."""
_ASIC = "SN3700"
_MESSAGE = 65536
_MESSAGES = 60


def asked(job: Path, tools: Tools) -> dict[str, Any]:
    """Compile the site, write its files into the job's folder, and say what is wanted."""
    site = compile_site(load_site(SITE)).site
    assert site is not None
    rendered = [file for _, group in files(site) for file in group]
    paths = [file.path for file in rendered]
    plan = lay_out(site, name="roce", lifted=None, files=paths, limit=_SWITCHES)
    ends = [_end(plan, name) for name in (_SENDER, _RECEIVER)]
    _write(job / "files", rendered)
    nccl = next(
        file.text for file in rendered if file.path == f"hosts/{ends[0]['host']}/etc/nccl.conf"
    )
    return {
        "plan": plan.as_data(),
        "files": str(job / "files"),
        "tools": str(tools.root or ""),
        "ends": ends,
        "last": _last(plan, ends[1]),
        "factor": _FACTOR,
        "traffic": _traffic(nccl, _offloaded(_last(plan, ends[1])["port"])),
        "classes": _classes(rendered, ends[1]["leaf"]),
    }


def _end(plan: LabPlan, name: str) -> dict[str, Any]:
    return asdict(next(each for each in plan.endpoints if each.name == name))


def _last(plan: LabPlan, receiver: dict[str, Any]) -> dict[str, str]:
    """Return the switch's port that the receiver is cabled to."""
    nic = (receiver["host"], receiver["device"])
    cable = next(each for each in plan.cables if (each.a, each.a_port) == nic)
    return {"switch": cable.b, "port": cable.b_port}


def _write(folder: Path, rendered: Iterable[File]) -> None:
    for file in rendered:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
        path.chmod(0o755 if file.executable else 0o644)


def _traffic(nccl: str, offloaded: list[str]) -> list[dict[str, Any]]:
    """Send as the rendered nccl.conf tells NCCL to, then with one thing changed at a time.

    One queue pair fills the queue to less than Kmax, where RED marks by chance; without DSCP and
    ECN another class takes the packets; an ASIC's queues are ets instead of htb.
    """
    said = dict(re.findall(r"^NCCL_IB_(\w+)=(\d+)$", nccl, re.MULTILINE))
    pairs, tclass = int(said["QPS_PER_CONNECTION"]), int(said["TC"])
    usual: dict[str, Any] = {
        "name": "As nccl.conf says",
        "tclass": tclass,
        "queue_pairs": pairs,
        "messages": _MESSAGES,
        "bytes": _MESSAGE,
        "queues": [],
    }
    short = usual | {"messages": _MESSAGES // 3}
    return [
        usual,
        usual | {"name": "One queue pair", "queue_pairs": 1},
        short | {"name": "Without DSCP and ECN", "tclass": 0},
        short | {"name": f"Queues of an {_ASIC} at the last port", "queues": offloaded},
    ]


def _offloaded(port: str) -> list[str]:
    """Return what tc.batch tells a port of the same leaf, were it a model with an ASIC driver."""
    texts = {
        path.name: re.sub(r"model: [^,}]+", f"model: {_ASIC}", path.read_text())
        for path in SITE.glob("*.yaml")
        if path.name != "frontend.yaml"
    }
    site = compile_site(load_texts(texts)).site
    assert site is not None
    batch = next(
        file.text
        for _, group in files(site)
        for file in group
        if file.path.endswith("leaf1/etc/fabricgen/tc.batch")
    )
    there = batch.split(" dev ", 1)[1].split()[0]
    return [
        line.replace(f" dev {there} ", f" dev {port} ")
        for line in batch.splitlines()
        if f" dev {there} " in line and not line.startswith("filter del")
    ]


def _classes(rendered: Iterable[File], leaf: str) -> dict[str, str]:
    """Read out of a rendered tc.batch which DSCPs go to which class."""
    path = f"{leaf}/etc/fabricgen/tc.batch"
    text = next(file.text for file in rendered if file.path.endswith(path))
    found = {
        name: f"DSCP {int(tos, 16) >> 2}"
        for tos, name in re.findall(r"protocol ip .* ip_tos (0x\w+)/0xfc classid (\S+)", text)
    }
    (rest,) = set(re.findall(r"matchall classid (\S+)", text))
    return found | {rest: "other"}
