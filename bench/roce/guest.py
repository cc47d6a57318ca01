"""In the guest: a job in; switches booted, RoCE sent, and what was counted out, as JSON."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.roce import queues
from bench.roce.capture import Capture
from bench.roce.nics import WITH_PACKAGES, counters, make_rdma, move

from fabricgen.operate.lab.engine.lab import Lab
from fabricgen.operate.lab.engine.world import ENVIRONMENT, LabError, World, run

if TYPE_CHECKING:
    from collections.abc import Mapping

_PERFTEST = (*WITH_PACKAGES, "ib_send_bw")
_PATIENCE = 240  # seconds for routes, with the kernel's CPU in software
_SENT = re.compile(r"^ *(\d+) +(\d+)(?: +[\d.]+){2}\s+[\d.]+\s*$", re.MULTILINE)


def tell(said: Mapping[str, Any]) -> None:
    """Write one line to the machine outside."""
    print(json.dumps(said), flush=True)


def measure(job: dict[str, Any]) -> dict[str, Any]:
    """Boot, wait for routes, slow the last port, send each kind of traffic."""
    files, plan, ends = Path(job["files"]), job["plan"], job["ends"]
    lab = Lab(plan, files, World(Path(job["tools"]) if job["tools"] else None), workers=2)
    lab.boot(tell)
    move(plan, ends, files)
    for sender, receiver in (ends, ends[::-1]):
        _routed(lab, sender, receiver)
    _reachable(ends)
    gids = [make_rdma(end["device"], end["address"]) for end in ends]
    last = job["last"]
    node, port = lab.switch(last["switch"]), last["port"]
    slowed = queues.slow(node, port, job["factor"])
    rate = slowed[0].partition(" rate ")[2].split()[0]
    runs = []
    for traffic in job["traffic"]:
        tell({"event": "traffic", "name": traffic["name"]})
        if traffic["queues"]:
            queues.behind(node, port, rate, traffic["queues"])
        runs.append(_sent(lab, ends, gids, traffic))
    frr = node.run(("vtysh", "-c", "show version"))
    return {
        "kernel": os.uname().release,
        "frr": frr.stdout.partition(" (")[0],
        "perftest": run([*_PERFTEST, "--version"]).stdout.split()[-1],
        "rate": rate,
        "runs": runs,
    }


def _routed(lab: Lab, sender: dict[str, Any], receiver: dict[str, Any]) -> None:
    """Wait until the sender's leaf has the receiver's route over all of its uplinks."""
    leaf, spines = sender["leaf"], {each["name"] for each in lab.plan["switches"]}
    uplinks = sum(cable["a"] == leaf and cable["b"] in spines for cable in lab.plan["cables"])
    end = time.monotonic() + _PATIENCE
    while True:
        said = lab.switch(leaf).run(("ip", "-j", "route", "show", "match", receiver["address"]))
        ways = [len(each.get("nexthops", [each])) for each in json.loads(said.stdout or "[]")]
        if ways and max(ways) == uplinks:
            tell({"event": "routed", "leaf": leaf, "ways": uplinks})
            return
        if time.monotonic() > end:
            raise LabError(f"{leaf}: {ways} of {uplinks} ways to {receiver['address']}")
        time.sleep(1)


def _reachable(ends: list[dict[str, Any]]) -> None:
    here, there = ends[0]["address"], ends[1]["address"]
    done = run([*WITH_PACKAGES, "ping", "-c", "5", "-i", "0.3", "-I", here, there])
    if " 0% packet loss" not in done.stdout:
        raise LabError(f"{here} does not reach {there}: {done.stdout}{done.stderr}")


def _sent(
    lab: Lab, ends: list[dict[str, Any]], gids: list[int], traffic: dict[str, Any]
) -> dict[str, Any]:
    """Send once; return what NICs, queues and perftest counted of it."""
    devices = [end["device"] for end in ends]
    before, nics = queues.counted(lab), [counters(device) for device in devices]
    captures = [Capture(device) for device in devices]
    begun = time.monotonic()
    sent = _perftest(devices, gids, traffic)
    took = time.monotonic() - begun
    time.sleep(2)  # the last answers
    seen = [capture.end() for capture in captures]
    after = [counters(device) for device in devices]
    return {
        **traffic,
        "sent": sent,
        "took": round(took, 1),
        "seen": dict(zip(devices, seen, strict=True)),
        "bits_per_second": captures[1].rate,
        "rxe": {
            device: queues.difference(*pair)
            for device, *pair in zip(devices, after, nics, strict=True)
        },
        "queues": queues.difference(queues.counted(lab), before),
    }


def _perftest(devices: list[str], gids: list[int], traffic: dict[str, Any]) -> int:
    """Run both sides; return how many messages went over.

    They find each other over the loopback, RDMA goes over the cables. The bandwidth that perftest
    prints is left alone: it counts cycles of a CPU that here is software.
    """
    words = [f"--tclass={traffic['tclass']}", "-n", str(traffic["messages"])]
    words += ["-q", str(traffic["queue_pairs"]), "-s", str(traffic["bytes"])]
    # -F: the CPU frequency may vary; -e: sleep instead of polling; -u: 17 s until it sends again
    words += ["-F", "-e", "-u", "22"]
    client, server = (
        [*_PERFTEST, "-d", device, "-x", str(gid), *words]
        for device, gid in zip(devices, gids, strict=True)
    )
    waiting = subprocess.Popen(
        server, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT
    )
    try:
        _listening(waiting)
        done = run([*client, "127.0.0.1"], timeout=300)
        said, _ = waiting.communicate(timeout=30)
    finally:
        waiting.kill()
    found = _SENT.search(done.stdout)
    if done.returncode or waiting.returncode or found is None:
        raise LabError(f"ib_send_bw {done.returncode}: {done.stdout}{done.stderr} / server: {said}")
    return int(found[2])


def _listening(server: subprocess.Popen[str], port: int = 18515) -> None:
    """Wait until the server takes connections."""
    for _ in range(120):
        if server.poll() is not None:
            raise LabError(f"ib_send_bw: {server.communicate()[0]}")
        if run([*WITH_PACKAGES, "ss", "-Hltn", f"sport = :{port}"]).stdout.strip():
            return
        time.sleep(0.5)
    raise LabError("ib_send_bw does not listen")


if __name__ == "__main__":
    try:
        tell({"result": measure(json.loads(Path(sys.argv[1], "ask.json").read_text()))})
    except LabError as error:
        tell({"error": str(error)})
