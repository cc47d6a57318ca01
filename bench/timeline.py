"""Size and speed of the timeline with simulated looks, and kills of a process that writes.

`size`: MODELS switches are looked at for DAYS days, once each MINUTES. Their rows are then copied
to SWITCHES switches, so that the file and the queries have the full size. Assumed for each switch:

- 64 ports, 40 sessions, 300 routes, 1,500 chosen measures;
- levels change with each look, and half of the ports pause and mark in any hour;
- FLAPS links a day go down and come back, with 14 values and a finding each time;
- EDITS values a day change for good.

usage: python -m bench.timeline size [MODELS DAYS MINUTES SWITCHES]
       python -m bench.timeline kills [KILLS]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import insert, literal, select

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.state.timeline import timeline as module
from fabricgen.operate.state.timeline.baselines import Baselines
from fabricgen.operate.state.timeline.causes import causes_since
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.records import Identity, Lane
from fabricgen.operate.state.timeline.report import report
from fabricgen.operate.state.timeline.snapshot import Seen, Source
from fabricgen.operate.state.timeline.tables import DAYS, HOURS, SWITCHES
from fabricgen.operate.state.timeline.timeline import Timeline

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Facts
    from fabricgen.nos.measures import Measure

LANE = Lane(site="bench")
PORTS, SESSIONS, ROUTES = 64, 40, 300
FLAPS, EDITS = 4, 2
START = datetime(2026, 1, 1, tzinfo=UTC)
COUNTERS = (
    *("receive-errors", "transmit-errors", "fcs-errors", "symbol-errors", "oversize"),
    *("fec-uncorrected", "flaps"),
)


class Switch:
    """A switch that changes at random, by its seed."""

    def __init__(self, name: str) -> None:
        """Start with a right state."""
        self.name, self.dice = name, random.Random(name)  # noqa: S311 - no secret
        self.facts = right(name)
        self.numbers: dict[Measure, float] = {}
        self.down: int | None = None
        self.clock, self.busy = 0, set[int]()

    def step(self, minutes: int) -> Seen:
        """Return the next look, MINUTES later."""
        share = minutes / 1440
        if self.down is not None:
            self.link("Established", "up", self.down)
            self.down = None
        elif self.dice.random() < FLAPS * share:
            self.down = self.dice.randrange(SESSIONS)
            self.link("Active", "enabled", self.down)
        if self.dice.random() < EDITS * share:
            port = f"Ethernet{self.dice.randrange(PORTS)}"
            self.facts["interface", port] = self.facts["interface", port] | {
                "mtu": str(self.dice.randrange(1500, 9999))
            }
        self.measure(minutes)
        return Seen(facts=dict(self.facts), numbers=dict(self.numbers))

    def link(self, state: str, link: str, number: int) -> None:
        """Set a link, its session, its BFD session, its cable and its routes."""
        port, peer = f"Ethernet{number}", f"10.72.0.{number}"
        facts = self.facts
        facts["interface", port] = facts["interface", port] | {"link": link}
        facts["session", "default", peer] = facts["session", "default", peer] | {"state": state}
        facts["bfd", "default", peer] = facts["bfd", "default", peer] | {"state": state}
        for route in range(number * 10, number * 10 + 10):
            key = ("route", "default", f"10.73.{route // 250}.{route % 250}/32")
            if key in facts:
                ports = tuple(f"Ethernet{each}" for each in range(8) if link == "up" or each != 3)
                facts[key] = {"ports": ports}
        finding = ("finding", "SessionState", "session", "default", peer)
        facts.pop(finding, None)
        if link != "up":
            facts[finding] = {"state": f"BGP neighbor {peer}: state is {state}"}

    def measure(self, minutes: int) -> None:
        """Let counters grow and levels vary."""
        dice, numbers = self.dice, self.numbers
        if self.clock // 60 != (self.clock + minutes) // 60 or not self.busy:
            self.busy = {*dice.sample(range(PORTS), PORTS // 2)}
        self.clock += minutes
        for number in range(PORTS):
            port = f"Ethernet{number}"
            busy = number in self.busy
            for metric in ("pause-sent", "pause-received", "paused-time"):
                key = (metric, port, "3")
                numbers[key] = numbers.get(key, 0) + busy * dice.randrange(100_000) * minutes
            for metric in ("ecn-marked", "queue-drops", "watchdog-storms"):
                grows = busy and metric == "ecn-marked"
                key = (metric, port, "3")
                numbers[key] = numbers.get(key, 0) + grows * dice.randrange(100_000) * minutes
            for metric in COUNTERS:
                numbers[metric, port] = numbers.get((metric, port), 0) + (dice.random() < 0.001)
            for metric in ("group-peak", "headroom-peak", "queue-peak"):
                numbers[metric, port, "3"] = busy * dice.randrange(500_000)
            numbers["light-received", port] = round(dice.gauss(-1.5, 0.05), 2)
            numbers["module-temperature", port] = round(dice.gauss(45, 1), 1)
            numbers["pre-fec-ber", port] = abs(dice.gauss(2e-9, 5e-10))
        for number in range(SESSIONS):
            for metric in ("prefixes-received", "prefixes-sent"):
                numbers[metric, "default", f"10.72.0.{number}", "ipv4"] = ROUTES


def right(name: str) -> Facts:
    """Return the facts of a right switch."""
    facts: Facts = {("identity",): {"serial": f"S-{name}", "model": "7060X6", "version": "4.34.1F"}}
    for number in range(PORTS):
        port = f"Ethernet{number}"
        facts["interface", port] = {
            "link": "up",
            "mtu": "9214",
            "speed": "400G",
            "fec": "rs544",
            "vrf": "default",
            "address": (f"10.72.{number}.1/31",),
            "vlans": (),
            "untagged": "nothing",
        }
        facts["cable", port] = {"far": ((f"be-spine{number}", f"Ethernet{number}"),)}
        facts["module", port] = {"model": "OSFP-400G-DR4", "vendor": "x", "serial": f"M{number}"}
        facts["qos", port] = {f"dscp {code}": str(code // 8) for code in range(64)}
    for number in range(SESSIONS):
        peer = ("default", f"10.72.0.{number}")
        families = {
            "asn": str(65000 + number),
            "families": ("ipv4", "evpn"),
            "state": "Established",
        }
        facts["session", *peer] = {**families}
        facts["bfd", *peer] = {"timers": ("300", "300", "3"), "state": "up"}
    for number in range(ROUTES):
        prefix = f"10.73.{number // 250}.{number % 250}/32"
        facts["route", "default", prefix] = {"ports": tuple(f"Ethernet{n}" for n in range(8))}
    return facts


def size(models: int, days: int, minutes: int, switches: int) -> None:
    """Write the looks, copy their rows, and measure the file and the answers."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal.db"
        with Journal.open(file) as journal:
            timeline = Timeline(journal.database, retained=timedelta(days=9_000))
            journal.database.engine = unsafe(journal)
            every = [Switch(f"sw{number:03}") for number in range(models)]
            moment, end = START, START + timedelta(days=days)
            begun, looks = time.process_time(), 0
            while moment < end:
                moment += timedelta(minutes=minutes)
                vars(module)["_now"] = lambda *_, at=moment: (at, at)
                seen = {each.name: each.step(minutes) for each in every}
                timeline.write(LANE, seen, identity())
                looks += 1
            spent = (time.process_time() - begun) / looks / models * 1000
            show(f"{looks} looks at {models} switches, {spent:.1f} ms CPU a switch and look")
            copy(journal, models, switches)
            timeline.prune(LANE, timedelta(days=9_000))
            Baselines(timeline, LANE).save("before", "ann", [f"sw{n:03}" for n in range(switches)])
            show(f"{switches} switches, {days} days: {file.stat().st_size / 1e6:.0f} MB")
            tables(journal)
            answers(journal, days)
            begun = clocks()
            seen = {f"sw{n:03}": every[n % models].step(minutes) for n in range(switches)}
            simulated = passed(begun)
            begun = clocks()
            moment += timedelta(minutes=minutes)
            timeline.write(LANE, seen, identity())
            spent = passed(begun)
            show(f"one look at {switches} switches: {spent} (simulation {simulated})")


def unsafe(journal: Journal) -> object:
    """Return the engine. Writes of the simulation need no disk."""
    from sqlalchemy import event

    engine = journal.database.engine

    @event.listens_for(engine, "connect")
    def _connected(connection: object, _: object) -> None:
        connection.execute("PRAGMA synchronous = OFF")  # type: ignore[attr-defined]

    return engine


def identity() -> Identity:
    """Return the identity of a look."""
    return Identity(source=Source.WATCH, who="ann", host="ops1")


def copy(journal: Journal, models: int, switches: int) -> None:
    """Copy the rows of the models to other switches."""
    columns = [each.name for each in SWITCHES.c if each.name not in ("number", "switch")]
    with journal.database.writing() as connection:
        of = {
            row.switch: row.number
            for row in connection.execute(select(SWITCHES.c.switch, SWITCHES.c.number))
        }
        for number in range(models, switches):
            model = of[f"sw{number % models:03}"]
            chosen = select(
                literal(f"sw{number:03}"), *(SWITCHES.c[each] for each in columns)
            ).where(SWITCHES.c.number == model)
            connection.execute(insert(SWITCHES).from_select(["switch", *columns], chosen))
            made = connection.scalar(
                select(SWITCHES.c.number).where(SWITCHES.c.switch == f"sw{number:03}")
            )
            for table in (DAYS, HOURS):
                others = [each.name for each in table.c if each.name != "switch"]
                rows = select(literal(made), *(table.c[each] for each in others))
                connection.execute(
                    insert(table).from_select(
                        ["switch", *others], rows.where(table.c.switch == model)
                    )
                )


def tables(journal: Journal) -> None:
    """Print the size of each table."""
    with journal.database.reading() as connection:
        for table in (SWITCHES, DAYS, HOURS):
            blobs = [each for each in table.c if str(each.type) == "BLOB"]
            for column in blobs:
                total = connection.exec_driver_sql(
                    f"SELECT sum(length({column.name})) FROM {table.name}"  # noqa: S608 - no input
                ).scalar()
                show(f"  {table.name}.{column.name}: {(total or 0) / 1e6:.0f} MB")


def answers(journal: Journal, days: int) -> None:
    """Measure the answers."""
    history = History(journal.database, LANE)
    end = START + timedelta(days=days)
    for back in (1, 7, days - 0.5):
        begun = clocks()
        since = end - timedelta(days=back)
        found = report(
            "", since.timestamp(), history.since(since), causes_since(journal, LANE.site, since).of
        )
        spent = passed(begun)
        show(f"since {back} days: {len(found.altered)} differing values in {spent}")
    begun = clocks()
    against = Baselines(Timeline(journal.database), LANE).compare("before")
    assert against is not None
    show(f"baseline: {len(against.pasts)} switches in {passed(begun)}")
    begun = clocks()
    moments = history.moments("sw001", START)
    show(f"history of one switch: {len(moments)} events in {passed(begun)}")


def clocks() -> tuple[float, float]:
    """Return the wall clock and the CPU clock."""
    return time.monotonic(), time.process_time()


def passed(begun: tuple[float, float]) -> str:
    """Return the time since, which other work on the machine may lengthen, and the CPU time."""
    wall, cpu = clocks()
    return f"{wall - begun[0]:.2f} s ({cpu - begun[1]:.2f} s CPU)"


def kills(number: int) -> None:
    """Kill a process that writes looks at a random moment, again and again, and check the rest.

    Half of the moments are statements of SQL, the others times.
    """
    from tests.deploy.journal.test_timeline_processes import SWITCHES as SIZE
    from tests.deploy.journal.test_timeline_processes import is_chain, started

    dice, done, lost, partial = random.Random(7), 1, 0, 0  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "journal.db")
        for kill in range(number):
            process = started(address, SIZE, 0 if kill % 2 else dice.randrange(1, 1500), done)
            assert process.stdout
            lines = [process.stdout.readline()]
            if kill % 2:
                time.sleep(dice.random() * 0.3)
                process.kill()
            lines += process.stdout.readlines()
            process.communicate()
            stored = [int(line.split()[0]) for line in lines if line.strip()]
            done = max([done, *(each + 1 for each in stored)])
            with Journal.open(address) as journal:
                history = History(journal.database, Lane(site="berlin1"))
                values = {is_chain(history, f"leaf{each}") for each in range(SIZE)}
            known = {int(each) for each in values if each}
            assert max(known, default=0) <= done, (values, done)
            assert min(known, default=0) >= done - 1 or done == 1, (values, done)
            lost += max(known, default=0) < done
            partial += len(values) > 1
        with Journal.open(address) as journal, journal.database.reading() as connection:
            whole = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
    show(f"{number} kills: no acknowledged look was lost, {lost} interrupted looks were not stored")
    show(f"{partial} interrupted looks were stored for some switches; integrity check: {whole}")


def show(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    """Run a measurement."""
    if words[:1] == ["size"]:
        size(*(map(int, words[1:]) if len(words) > 1 else (10, 30, 60, 500)))
    elif words[:1] == ["kills"]:
        kills(*map(int, words[1:] or ["300"]))
    else:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
