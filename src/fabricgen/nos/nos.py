"""Defines `Nos`, the single object that registers a network OS."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar, cast

from fabricgen.core.diagnostics import Diagnostic
from fabricgen.core.record import record
from fabricgen.core.tree.risk import Change, Dialect
from fabricgen.core.tree.whole import FactReader
from fabricgen.model.catalog.switches import SwitchModel
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

    files: by path below the switch's folder. start: the one whose URL DHCP names (option 67).
    image: what the image that switches of this platform are installed from has to bring, by path.
    """

    files: Mapping[str, str]
    start: str
    image: Mapping[str, str] = field(default_factory=dict)


FirstBoots = Callable[["SwitchSlice", Mapping[str, str], str], FirstBoot]
"""A slice, its rendered files by path, and the URL of its folder in; its first boot out."""


class Export(NamedTuple):
    """The files of one switch by their paths in a snapshot.

    left: A sentence about the parts that Batfish's reader of this platform ignores, or empty.
    """

    files: Mapping[str, str]
    left: str = ""


@record(kw_only=True)
class Foreign:
    """A reader of the files of any switch of a platform.

    signs: by the path that a file has on such a switch, what the text of one has and others have
    not. grammar: by path, our own lines and those of others that bear on what is judged. ordered:
    by path, what puts a text into the form that its platform prints, line for line. unsaved: facts
    of rendered lines that a saved configuration leaves out, as they are defaults: kind, attribute
    (of a line that is always there its text), value.
    """

    signs: Mapping[str, re.Pattern[str]]
    grammar: Mapping[str, FactReader]
    ordered: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    unsaved: frozenset[tuple[str, str, object]] = frozenset()

    def path(self, text: str) -> str:
        """Return the path that a file has, by its text; nothing where it is none of these."""
        return next((path for path, sign in self.signs.items() if sign.search(text)), "")


@record(kw_only=True)
class Flaw:
    """One known limit of an OS. refused: the OS does not take the line. line: from 1, in `file`."""

    refused: bool
    why: str
    file: str
    line: int


Updates = Callable[["Mapping[str, str]", "Mapping[str, str]"], "Iterable[Change]"]
"""Judges a change by the files of before and after, beside the rules of each file."""

Spell = Callable[[Switch | Server, Port | Nic], str]
"""Spells a port as its owner's platform does; for the far end in a description."""

T = TypeVar("T")


@record(kw_only=True)
class RenderedBy:
    """One output file of a switch: its path, the index template, and the view that fills it.

    path: relative to the switch's folder. index: template name, as `eos/index.j2`. view: an object
    whose attributes are the sections that the index names.
    """

    path: str
    index: str
    view: object
    executable: bool = False


@record()
class Late(Generic[T]):
    """A part of a NOS that is imported when it is first needed. where: `module:attribute`."""

    where: str

    def load(self) -> T:
        """Import it. Python keeps the module, so a second call costs a look-up."""
        module, _, attribute = self.where.partition(":")
        return cast("T", getattr(import_module(module), attribute))


ToldReader = Callable[["SwitchModel | None", "Mapping[str, str]", str, "TrafficClass"], "PortTold"]
"""A switch's model and files by path, a port as it is spelled, a class in; what is said out."""


@record()
class PathReader:
    """How files say the choice among equal paths, and which part of a design they can say."""

    read: Callable[[SwitchModel | None, Mapping[str, str]], Choice]
    differences: Callable[[Choice, LoadBalancing], Iterator[str]]


@record(kw_only=True)
class Nos:
    """One network OS. What is None it does not have, and what asks for it says so.

    releases: those that it writes for, oldest first, with the answers in which each differs from
    `capabilities`; empty where no line of it differs. release: which one runs on a switch whose
    intent names none. port_name: spells a port of a switch model; lldp_port: as its LLDP does,
    where that is otherwise. gaps: what a model or slice needs beyond `capabilities` and cannot
    have. lower: a slice as views; every string, order and default
    is decided there. marker: the file that only this platform has. alone: the whole configuration
    is that file. dialects: the risk rules of its files. updates: what the tool that applies a
    change makes of it as a whole. flaws: what a release does badly, or refuses, of what files ask.
    names, grammar: how it names things, and what each line of its
    files says, by their paths (core/tree/table.py). foreign: how configurations that nobody here
    wrote are read. qos, paths: independent readers of what the files
    mean for queues and for equal paths. told: what they say of one port's memory and marking for
    one class, with the lines. models: the vendor's own. show: how a running switch is asked.
    driver: how one is changed. batfish: a switch's name and files as those of a snapshot for
    Batfish. any_asn: why a neighbor cannot be told to have any ASN; None where it can, and
    `Session.remote_as` is spelled as it is. fresh_names: what it
    calls itself before it was configured; first_boot: what it is given then. telemetry: what its
    gNMI server can be asked. tls: it is trusted by a certificate, not by an SSH host key.
    own: the files that take own lines, by their key of `custom_config`. own_files: how it takes
    whole ones. keeps_files: whole ones can be another's.
    templates: the folder that `<name>/…` stands for in names of templates, when it is not ours.
    """

    name: str
    capabilities: Capabilities
    releases: Mapping[str, Capabilities] = field(default_factory=dict)
    release: str = ""
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
    any_asn: Unsupported | None = Unsupported("it does not say that a neighbor may have any ASN")
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
        """Return what a release says of a feature; of one that is newer than itself, nothing."""
        silent = Unsupported(f"{self.name} does not say that it can")
        own = self.releases.get(release or self.release, {})
        return own.get(feature) or self.capabilities.get(feature, silent)

    def label(self, release: str) -> str:
        """Return the name of a release for people: `sonic 202505`; of its default when empty."""
        return " ".join(filter(None, (self.name, release or self.release)))
