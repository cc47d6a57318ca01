"""Follow the path of a pair of endpoints on the switches of a running lab."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fabricgen.compile.compiler import Owner
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import Reader
from fabricgen.prove.evidence import rendered, walked
from fabricgen.prove.reach.endpoint_parser import named
from fabricgen.prove.reach.live.branches import Ground
from fabricgen.prove.reach.live.evidence import files_of, ground_of, live_path
from fabricgen.prove.reach.live.follow import Route, route
from fabricgen.prove.reach.live.steps import LivePath
from fabricgen.prove.reach.matrix import cases
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stations import stands
from fabricgen.prove.walk.exchange import Exchange

Ask = Callable[[Mapping[str, str]], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of endpoints: its branches, and the files of all switches."""

    way: Route
    ground: Ground
    files: tuple[list[tuple[Owner, Mapping[str, str]]], Exchange]

    def requests(self) -> dict[str, str]:
        """Return the request to each switch on the path."""
        expected = self.ground.expected
        return {
            name: self._reader(name).request(expected[name].facts | self.way.asks(name))
            for name in self.way.switches
        }

    def _reader(self, name: str) -> Reader:
        reader = reader_of(self.ground.expected[name].platform)
        assert reader is not None
        return reader

    def compared(self, outputs: Mapping[str, str]) -> LivePath:
        """Return the path with the answers of the switches; one without an answer is unread."""
        seen = {name: self._reader(name).read(output) for name, output in outputs.items()}
        unread = {name: "no answer" for name in self.way.switches if name not in seen}
        return live_path(self.way, self.ground, self.files, seen, unread)

    def look(self, ask: Ask) -> LivePath:
        """Ask the switches on the path once."""
        return self.compared(ask(self.requests()))


def pair_of(site: Site, running: frozenset[str], one: str, other: str) -> Pair:
    """Return the first pair of endpoints with these names."""
    nodes = {word.partition(":")[0] for word in (one, other)}
    every = stands(site, lambda name: name in nodes)
    ones, others = named(one, every), named(other, every)
    texts = files_of(rendered(site), running)
    stations = [each.station for each in (*every, *ones, *others)]
    second, exchange = walked(site, stations, texts)
    ground = ground_of(site, running)
    case = next(iter(cases(ones, others, Model(site, every), second)))
    return Pair(route(ground, case), ground, (texts, exchange))
