"""Represents the fabrics, switches and servers of a valid site."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from fabricgen.api.files import ConfigFile, Explanations, Named
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.api.workshop import ServerPort, Workshop
    from fabricgen.compile.compiler import Owner
    from fabricgen.model.fabric import switch, topology


class Fabric:
    """One physically separate network of a site.

    Attributes:
        name: Its name, such as `backend`.
        switches: Its switches by name.
    """

    def __init__(self, model: switch.Fabric, workshop: Workshop) -> None:
        self.name: str = model.name
        self.design: str = model.design
        self._model = model
        made = (Switch(found, model, workshop) for found in model.topology.switches)
        self.switches: Named[Switch] = Named("switch", ((each.name, each) for each in made))

    @property
    def is_lossless(self) -> bool:
        """Return whether the fabric has a lossless traffic class."""
        return self._model.lossless is not None

    @cached_property
    def ratios(self) -> Mapping[str, float]:
        """Return the oversubscription by tier, as a ratio of bandwidth down to bandwidth up."""
        from fabricgen.compile.reports.ratios import ratios

        return ratios(self._model.topology)

    def cables(self) -> Iterator[Cable]:
        """Iterate over the cables of the fabric."""
        for number, link in enumerate(self._model.topology.links):
            yield Cable(
                number=number,
                lower=link.lower.name,
                lower_port=link.lower_port.label,
                upper=link.upper.name,
                upper_port=link.upper_port.label,
                speed=str(link.speed),
                meters=int(link.length),
                state=str(link.standing.state.value) if link.standing is not None else "",
            )

    def __repr__(self) -> str:
        """Return the name and the number of switches."""
        return f"<Fabric {self.name}: {len(self.switches):,} switches>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(each.name)}<td>{escape(each.role)}<td>{escape(each.model)}"
            f"<td>{escape(each.platform)}</tr>"
            for each in self.switches.values()
        )
        head = "<tr><th>switch<th>role<th>model<th>platform</tr>"
        return f"<table><caption>{escape(self.name)}</caption>{head}{rows}</table>"


@record(kw_only=True)
class Cable:
    """A cable. `lower` is nearer to the servers. `state`: planned, drained or dead, or empty."""

    number: int
    lower: str
    lower_port: str
    upper: str
    upper_port: str
    speed: str
    meters: int
    state: str = ""


class _Owner:
    """A switch or a server: it has a name and files."""

    def __init__(self, model: Owner, workshop: Workshop) -> None:
        self.name: str = model.name
        self._model: Any = model
        self._workshop = workshop

    @cached_property
    def _explanations(self) -> Explanations:
        shop = self._workshop
        return Explanations(self._model, shop.site, shop.source, shop.cutter)

    @cached_property
    def files(self) -> Named[ConfigFile]:
        """Return its rendered files by path. They are rendered on first use."""
        found = self._workshop.files(self._model)
        return Named(
            f"file of {self.name}",
            (
                (path, ConfigFile(path, text, self._explanations, executable=runs))
                for path, text, runs in found
            ),
        )

    @property
    def has_files(self) -> bool:
        """Return whether it has files. A server without configuration has none."""
        return True

    def explain(self, *, text: str = "") -> list[Any]:
        """Return the reasons of all lines of its files, or of lines that contain a text."""
        if not self.has_files:
            return []
        return [line for line in self._explanations.lines() if text in line.text]

    def __repr__(self) -> str:
        """Return the class and the name."""
        return f"<{type(self).__name__} {self.name}>"


class Switch(_Owner):
    """One switch of a fabric."""

    def __init__(self, model: topology.Switch, fabric: switch.Fabric, workshop: Workshop) -> None:
        super().__init__(model, workshop)
        self._fabric = fabric

    @property
    def fabric(self) -> str:
        """Return the name of its fabric."""
        return str(self._model.fabric)

    @property
    def role(self) -> str:
        """Return its tier: leaf, spine or superspine."""
        return str(self._model.role.value)

    @property
    def model(self) -> str:
        """Return its hardware model."""
        return str(self._model.model.name)

    @property
    def platform(self) -> str:
        """Return the name of its NOS."""
        return str(self._model.platform)

    @property
    def place(self) -> dict[str, int | str]:
        """Return its coordinates: plane, pod, unit, index (from 1) and leaf group."""
        found = self._model
        return {
            "plane": found.plane,
            "pod": found.pod,
            "unit": found.unit,
            "index": found.index,
            "group": found.group,
        }

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Return the neutral model of the switch, as `fabricgen model` prints it."""
        from fabricgen.compile.reports.model import switch_facts

        return switch_facts(self._fabric, self._workshop.cut(self._model))

    def _repr_html_(self) -> str:
        cells = ("port", "use", "speed", "peer", "address")
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(_cell(port.get(cell, '')))}" for cell in cells) + "</tr>"
            for port in self.facts["ports"]
        )
        head = "".join(f"<th>{cell}" for cell in cells)
        return f"<table><caption>{escape(self.name)}</caption><tr>{head}</tr>{rows}</table>"


class Server(_Owner):
    """One server of a site."""

    def __init__(self, model: topology.Server, workshop: Workshop) -> None:
        super().__init__(model, workshop)

    @property
    def kind(self) -> str:
        """Return its kind in the intent, or an empty text."""
        return str(self._model.kind)

    @property
    def has_files(self) -> bool:
        """Return whether the intent configures the server, so that it has files."""
        return self.name in self._workshop.configured_servers

    @cached_property
    def ports(self) -> tuple[ServerPort, ...]:
        """Return its cabled ports."""
        return tuple(self._workshop.ports_of(self.name))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(port.name)}<td>{escape(port.fabric)}<td>{escape(port.switch)}"
            f"<td>{escape(port.switch_port)}<td>{escape(port.speed)}</tr>"
            for port in self.ports
        )
        head = "<tr><th>port<th>fabric<th>switch<th>switch port<th>speed</tr>"
        return f"<table><caption>{escape(self.name)}</caption>{head}{rows}</table>"


def _cell(value: object) -> str:
    return ":".join(map(str, value)) if isinstance(value, list) else str(value)
