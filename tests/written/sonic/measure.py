"""Measure a look at a written switch of 128 ports: `python -m tests.written.sonic.measure`.

Routes and MACs fill the databases, because the scripts search keys. No look reads them.
"""

import json
import sys
import time
import zlib
from pathlib import Path
from random import Random

from tests.written.sonic import commands, databases
from tests.written.sonic.databases import APPL, ASIC, COUNTERS, SAI, STATE
from tests.written.sonic.served import Served, Written, serving
from tests.written.sonic.site import Switch

from fabricgen.nos.sonic.show.reader import QUESTIONS, SONIC
from fabricgen.prove.runs import Expected

LEAF = Path(__file__).parents[2] / "golden/full/files/backend/be-su01-leaf1"
ROUTES, MACS = 4_000, 2_000


def leaf() -> Written:
    """Return the switch: 128 ports in use, with optics of eight lanes."""
    config = json.loads((LEAF / "config_db.json").read_text())
    alone = Switch("be-su01-leaf1", "202511", config, (LEAF / "frr.conf").read_text(), {})
    data = databases.written(alone)
    for port in config["PORT"]:
        if f"TRANSCEIVER_DOM_SENSOR|{port}" in data.of[STATE]:
            light = {f"rx{lane}power": "-1.25" for lane in range(5, 9)}
            data.put(STATE, f"TRANSCEIVER_DOM_SENSOR|{port}", light)
    numbers = Random(1)
    for fields in data.of[COUNTERS].values():
        for name in [each for each in fields if each.startswith(("SAI_PORT", "SAI_QUEUE"))]:
            fields[name] = str(numbers.randrange(10**11))
    ways = ",".join(f"Ethernet{4 * number}" for number in range(32))
    for number in range(ROUTES):
        prefix = f"10.{number // 256}.{number % 256}.0/24"
        data.put(APPL, f"ROUTE_TABLE:{prefix}", {"ifname": ways, "nexthop": ways})
        data.put(ASIC, databases.route_key(prefix), {"SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID": "oid:0x5"})
    for number in range(MACS):
        mac = f"02:00:00:00:{number // 256:02x}:{number % 256:02x}"
        data.put(STATE, f"FDB_TABLE|Vlan10:{mac}", {"port": "Ethernet0", "type": "dynamic"})
        data.put(ASIC, f'{SAI}FDB_ENTRY:{{"mac":"{mac}"}}', {"type": "dynamic"})
    nothing = Expected(
        switch="x",
        platform="sonic",
        facts={},
        designs={},
        ports={},
        optional=frozenset(),
        about=SONIC.about,
    )
    return Written(alone, nothing, data, commands.written(alone), commands.vtysh(alone))


def cpu(served: Served) -> float:
    """Return the seconds of CPU that Redis has used."""
    said = str(served.redis("INFO", "cpu")).splitlines()
    used = dict(line.split(":") for line in said if ":" in line)
    return float(used["used_cpu_sys"]) + float(used["used_cpu_user"])


def main() -> None:
    switch = leaf()
    with serving() as served:
        served.fill(switch)
        rows = []
        for each in QUESTIONS:
            if each.line.startswith("redis-cli"):
                before, begin = cpu(served), time.perf_counter()
                for _ in range(10):
                    text = served.evaluated(each).text
                took = (time.perf_counter() - begin) / 10
                rows.append((each.key, len(text), took, (cpu(served) - before) / 10, each.slow))
                packed[each.key] = text
        given = served.answers(switch)
        begin = time.perf_counter()
        look = SONIC.parse(given)
        parsed = time.perf_counter() - begin
    report(rows, look.unread, parsed)


packed: dict[str, str] = {}


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def report(rows: list[tuple[str, int, float, float, bool]], unread: object, parsed: float) -> None:
    for key, size, took, used, _ in sorted(rows, key=lambda row: -row[1])[:12]:
        say(f"{key:18} {size / 1000:7.1f} kB {1000 * took:6.1f} ms, CPU {1000 * used:5.1f} ms")
    for name, chosen in (("all", rows), ("fast", [row for row in rows if not row[4]])):
        size = sum(row[1] for row in chosen)
        wall, used = sum(row[2] for row in chosen), sum(row[3] for row in chosen)
        small = len(zlib.compress("".join(packed[row[0]] for row in chosen).encode(), 1))
        say(
            f"{name}: {len(chosen)} scripts, {size / 1000:.0f} kB ({small / 1000:.0f} kB packed), "
            f"{1000 * wall:.0f} ms, CPU of Redis {1000 * used:.0f} ms, "
            f"longest {1000 * max(row[2] for row in chosen):.1f} ms"
        )
    say(f"parsed in {1000 * parsed:.0f} ms; unread: {unread}")


if __name__ == "__main__":
    main()
