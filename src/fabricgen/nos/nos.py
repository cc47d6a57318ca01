"""Define `Nos`, the single object that registers a network OS."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from fabricgen.core.diagnostics import Diagnostic
from fabricgen.core.late import Late
from fabricgen.core.record import record
from fabricgen.core.tree.risk import Change, Dialect
from fabricgen.core.tree.whole import FactReader
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.catalog.targets import branch_of
from fabricgen.model.fabric.balancing import Choice, LoadBalancing
from fabricgen.model.fabric.memory_value import PortTold
from fabricgen.model.fabric.port_qos import QosState
from fabricgen.model.fabric.qos import TrafficClass
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Nic, Port, Server, Switch
from fabricgen.nos.containerlab import Kind
from fabricgen.nos.driver import Make
from fabricgen.nos.features import Capabilities, Feature, Supported, Unsupported
from fabricgen.nos.models import Models
from fabricgen.nos.own_file import OwnFile, OwnFiles
from fabricgen.nos.show import Reader
from fabricgen.nos.spelling import Names
from fabricgen.nos.telemetry import Telemetry


@record(kw_only=True)
class FirstBoot:
    """The configuration that lets a push reach a switch from the factory.

    Attributes:
        files: Texts by path below the switch's folder.
        start: The file whose URL DHCP names (option 67).
        image: Files that the installed image must contain, by path.
    """

    files: Mapping[str, str]
    start: str
    image: Mapping[str, str] = field(default_factory=dict)


FirstBoots = Callable[["SwitchSlice", Mapping[str, str], str], FirstBoot]
"""Maps a slice, its rendered files by path and the URL of its folder to its first boot."""


class Export(NamedTuple):
    """The files of one switch by their paths in a snapshot.

    `left`: A sentence about the parts that Batfish's reader of this platform ignores, or empty.
    """

    files: Mapping[str, str]
    left: str = ""


@record(kw_only=True)
class Foreign:
    """A reader of the files of any switch of a platform.

    Attributes:
        signs: By path on such a switch, a pattern that only the text of that file matches.
        grammar: By path, lines that fabricgen writes and foreign lines that an audit needs.
        ordered: By path, a function that brings a text into the platform's printed form, line by
            line.
        hidden: By path, a function that replaces the secrets of a text by tokens.
        unsaved: Facts of rendered lines that a saved configuration omits as defaults: kind,
            attribute (for a constant line its text), value.
    """

    signs: Mapping[str, re.Pattern[str]]
    grammar: Mapping[str, FactReader]
    ordered: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    hidden: Mapping[str, Callable[[str, Callable[[str], str]], str]] = field(default_factory=dict)
    unsaved: frozenset[tuple[str, str, object]] = frozenset()

    def path(self, text: str) -> str:
        """Return the path of a file by its text, or an empty text for an unknown file."""
        return next((path for path, sign in self.signs.items() if sign.search(text)), "")


@record(kw_only=True)
class Flaw:
    """A known limit of an OS at one line of `file`. `refused`: the OS rejects the line."""

    refused: bool
    why: str
    file: str
    line: int


Updates = Callable[["Mapping[str, str]", "Mapping[str, str]"], "Iterable[Change]"]
"""Rates a change by all files before and after, in addition to the rules of each file."""

Spell = Callable[[Switch | Server, Port | Nic], str]
"""Spells a port as its owner's platform does, for the description at the remote end."""


@record(kw_only=True)
class RenderedBy:
    """One output file of a switch.

    Attributes:
        path: Path below the switch's folder.
        index: Template name, as `eos/index.j2`.
        view: An object whose attributes are the sections that the index names.
    """

    path: str
    index: str
    view: object
    executable: bool = False


ToldReader = Callable[["SwitchModel | None", "Mapping[str, str]", str, "TrafficClass"], "PortTold"]
"""Maps a model, files by path, a port's spelling and a class to the memory of that port."""


@record()
class PathReader:
    """Reads the ECMP path selection from files, and lists differences from the design."""

    read: Callable[[SwitchModel | None, Mapping[str, str]], Choice]
    differences: Callable[[Choice, LoadBalancing], Iterator[str]]


@record(kw_only=True)
class Nos:
    """One network OS. A part that is None is not supported, and its user reports that.

    Attributes:
        releases: Supported releases, the oldest first, with answers that differ from
            `capabilities`.
            Empty if no line depends on the release.
        images: Answers of a vendor's image of any release, by the word after `+` in a release.
        release: Release of a switch whose intent names none.
        train: Returns the release in the OS version that a switch reports, or an empty text.
        port_name: Spells a port of a switch model.
        lldp_port: Spells a port as the switch's LLDP does, if that differs.
        gaps: Lists unsupported values of a model or slice that `capabilities` does not cover.
        lower: Lowers a slice to views, with every string, order and default decided.
        marker: The file that only this platform has.
        alone: Whether that file is the complete configuration.
        dialects: Risk rules of its files.
        updates: Rates a change as the tool that applies it does.
        flaws: Lists lines that a release refuses or mishandles.
        names, grammar: Spelling of names, and the facts of each line by path (core/tree/table.py).
        foreign: Reads configurations that fabricgen did not write.
        qos, paths: Independent readers of queues and of ECMP paths.
        `told`: Reads memory and marking of a port for one class, with the lines.
        models: The vendor's models.
        show, driver: Read and change a running switch.
        batfish: Converts a switch's name and files to files of a Batfish snapshot.
        any_asn: Reason why a neighbor cannot have any ASN. None if it can, and
            `Session.remote_as` is its spelling.
        fresh_names, first_boot: Host names before the first configuration, and that configuration.
        telemetry: Paths of its gNMI server.
        tls: Whether a certificate identifies it, not an SSH host key.
        own, own_files: Files that accept custom config, by key of `custom_config`; custom files.
        keeps_files: Whether complete files can be unmanaged.
        templates: Folder of templates that are named `<name>/…`, if outside this project.
    """

    name: str
    capabilities: Capabilities
    releases: Mapping[str, Capabilities] = field(default_factory=dict)
    images: Mapping[str, Capabilities] = field(default_factory=dict)
    release: str = ""
    train: Callable[[str], str] | None = None
    max_ecmp: int
    port_name: Callable[[SwitchModel, Port], str]
    lldp_port: Callable[[Switch, Port], str] | None = None
    gaps: Callable[[SwitchSlice], list[Diagnostic]]
    lower: Callable[[SwitchSlice, Spell], list[RenderedBy]]
    marker: str
    dialects: Late[tuple[Dialect, ...]]
    updates: Late[Updates] | None = None
    flaws: Late[Callable[[Mapping[str, str]], Iterable[Flaw]]] | None = None
    names: Names | None = None
    grammar: Late[Mapping[str, FactReader]] | None = None
    foreign: Late[Foreign] | None = None
    alone: bool = False
    fresh_names: tuple[str, ...] = ()
    tls: bool = False
    any_asn: Unsupported | None = Unsupported("no document says that a neighbor may have any ASN")
    qos: Late[Callable[[SwitchModel | None, Mapping[str, str]], QosState]] | None = None
    paths: Late[PathReader] | None = None
    told: Late[ToldReader] | None = None
    models: Late[Models] | None = None
    show: Late[Reader] | None = None
    driver: Late[Make] | None = None
    first_boot: Late[FirstBoots] | None = None
    telemetry: Late[Telemetry] | None = None
    containerlab: Late[Kind] | None = None
    batfish: Late[Callable[[str, Mapping[str, str]], Export]] | None = None
    own: Mapping[str, Late[OwnFile]] = field(default_factory=dict)
    own_files: Late[OwnFiles] | None = None
    keeps_files: bool = False
    boots_here: bool = False
    templates: Path | None = None

    def answer(self, feature: Feature, release: str = "") -> Supported | Unsupported:
        """Return the answer of a release about a feature."""
        silent = Unsupported(f"{self.name} does not declare support")
        told = (
            self.images.get(release.partition("+")[2], {}),
            self.releases.get(self.branch(release), {}),
            self.capabilities,
        )
        return next((answers[feature] for answers in told if feature in answers), silent)

    def branch(self, release: str) -> str:
        """Return a release without the word of its image; empty selects the default."""
        return branch_of(release) or self.release

    def targets(self) -> tuple[str, ...]:
        """Return every release, and every release with the word of an image."""
        marks = ("", *(f"+{image}" for image in self.images))
        return tuple(f"{release}{mark}" for release in self.releases for mark in marks)

    def label(self, release: str) -> str:
        """Return the name of a release for people, as `sonic 202505`; empty selects the default."""
        return " ".join(filter(None, (self.name, release or self.release)))
