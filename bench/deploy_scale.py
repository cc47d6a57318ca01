"""2,000 fake switches: the time and memory of bare connections, and of a dry run of a push.

The connection of a fake switch takes as long as one over SSH was measured to take on loopback,
0.22 s (paramiko, key exchange and login). A bare connection opens, asks who it is, and closes; a
dry run renders the switch, loads a candidate, compares and judges.

usage: python -m bench.deploy_scale [SWITCHES] [first|change]
first: no switch was ever configured, so that every line differs. change: one line differs on each.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

CONNECT = 0.22  # seconds
WORKERS = 50


def main(switches: int, kind: str) -> None:
    """Measure, and print one line of JSON."""
    from bench.sites import evpn
    from tests.deploy.fakes.temper import INSTALLED, Temper, make_fakes

    from fabricgen.compile.compiler import compile_site
    from fabricgen.intent.load import load_texts
    from fabricgen.intent.source import SourceMap
    from fabricgen.operate.deploy.inventory.files import Read
    from fabricgen.operate.deploy.inventory.options import Inventory, Options, Runner
    from fabricgen.operate.deploy.plan.make import look_at_all
    from fabricgen.operate.deploy.secrets.secrets import Secrets
    from fabricgen.operate.deploy.setup import fleet_of, set_up
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.operate.deploy.texts import Texts

    sys.path.append(str(INSTALLED))
    pods = max(1, switches // 68)
    site = compile_site(load_texts(evpn(pods * 64, pods=True)), "linux").site
    assert site is not None
    targets = targets_of(site)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        texts = Texts(site)
        for name in targets:
            last = texts.of(name).text.replace("log syslog", "log stdout", 1)
            make_fakes(folder, {name: last if kind == "change" else "nothing yet\n"})
            Temper(delay=CONNECT).write(folder / name)
        options = Options(driver="fake", folder=place)
        inventory = Inventory(defaults=options, nornir=Runner(workers=WORKERS))
        read = Read(folder=folder, inventory=inventory, findings=(), source=SourceMap())
        secrets = Secrets((), folder)
        fleet, _ = fleet_of(targets, read, secrets, last=lambda _: None, slowest=60)
        ready = set_up(site, read, targets, targets, fleet, secrets, SourceMap())
        gc.collect()
        before = _memory()
        begun = time.monotonic()
        ready.fleet.each(targets, lambda driver, _: driver.get_facts())
        ready.fleet.close(targets)
        bare, connected = time.monotonic() - begun, _memory()
        states: dict[str, int] = {}
        begun = time.monotonic()
        # What a plan keeps of each switch is its difference; here only the count is kept.
        for look in look_at_all(ready.fleet, ready.lens):
            states[look.entry.state] = states.get(look.entry.state, 0) + 1
        dry = time.monotonic() - begun
    figures = {
        "switches": len(targets),
        "bare_s": round(bare, 1),
        "dry_run_s": round(dry, 1),
        "ratio": round(dry / bare, 2),
        "states": states,
        "memory_mib": {"compiled": before, "connected": connected, "looked": _memory()},
    }
    sys.stdout.write(json.dumps(figures) + "\n")


def _memory() -> int:
    """Return the most memory this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 2000,
        sys.argv[2] if len(sys.argv) > 2 else "first",
    )
