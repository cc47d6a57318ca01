"""Compile a site: load, design, check, lower and render it to files and findings.

Modules for files and custom config are imported at their first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fabricgen.compile.checks.registry import Checks
from fabricgen.compile.design.homes import tenants_on
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import (
    Code,
    Diagnostic,
    Examined,
    Failure,
    IntentPath,
    Severity,
    Stop,
    did_you_mean,
    has_errors,
)
from fabricgen.core.late import Late
from fabricgen.core.progress import stage, tracked
from fabricgen.core.record import record
from fabricgen.intent.lift import lift, platforms_in
from fabricgen.intent.model.fabric import NO_FABRIC
from fabricgen.intent.wording import spelled
from fabricgen.model.catalog.targets import branch_of
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.model.fabric.transition import AS_DESIGNED, DESIGNED, Transition
from fabricgen.nos.features import Feature
from fabricgen.nos.hosts.addresses import address_gaps
from fabricgen.nos.hosts.gaps import host_gaps, shared_gaps
from fabricgen.nos.hosts.slices import HostSlice, HostSlicer
from fabricgen.nos.lowering import Gaps, accepted_features, lower_switch
from fabricgen.nos.registry import blamed, nos, platforms

if TYPE_CHECKING:
    from fabricgen.compile.custom_config.judge import OwnLines
    from fabricgen.compile.custom_config.keeping import KeptSections
    from fabricgen.compile.render import Renderer
    from fabricgen.core.own_templates import OwnTemplates
    from fabricgen.intent.load import Loaded
    from fabricgen.intent.model.intent import Intent
    from fabricgen.nos.nos import Nos, RenderedBy

_RENDERER: Late[Any] = Late("fabricgen.compile.sandbox:renderer")
_FAULTS: Late[Any] = Late("fabricgen.compile.sandbox:faults")
_LOWER_HOST: Late[Any] = Late("fabricgen.nos.hosts.lower:lower_host")
_OWN_LINES: Late[type[OwnLines]] = Late("fabricgen.compile.custom_config.judge:OwnLines")
_KEPT: Late[type[KeptSections]] = Late("fabricgen.compile.custom_config.keeping:KeptSections")
_PLACED: Late[Any] = Late("fabricgen.compile.custom_config.placing:placed")
_SOUND: Late[Any] = Late("fabricgen.compile.custom_config.whole:sound")
HOSTS = NO_FABRIC
"""The folder of the servers in a rendered tree."""
Owner = Switch | Server
"""Who has files."""
Piece = SwitchSlice | HostSlice
"""All that an owner's files are made from."""


@record()
class File:
    """One rendered file: its path below the output folder, and its text.

    Attributes:
        text: A binary file is spelled by PEP 383 (compile/output/manifest.py).
        without: The text without custom config, if the file has some. Empty for a custom file.
        common: Whether servers share it.
    """

    path: str
    text: str
    executable: bool
    without: str | None = None
    common: bool = False

    @property
    def designed(self) -> str:
        """Return the text without custom config."""
        return self.text if self.without is None else self.without


@record()
class Compiled:
    """A site that went through design and checks; `site` is None when nothing could be designed."""

    site: Site | None
    findings: tuple[Diagnostic, ...]
    examined: tuple[Examined, ...]

    @property
    def ok(self) -> bool:
        """Return whether files may be made from it."""
        return self.site is not None and not has_errors(self.findings)


@record(kw_only=True)
class Designed:
    """A site that is designed and not checked.

    accepted: features that it may lack. refused: values that could not be read. left_out: parts
    with errors, which no check sees. intent: the intent of the site.
    """

    site: Site | None
    findings: tuple[Diagnostic, ...]
    intent: Intent | None = None
    accepted: frozenset[str] = frozenset()
    lifted: bool = False
    refused: tuple[IntentPath, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def unseen(self) -> tuple[Examined, ...]:
        """Return the checks that did not run, with why."""
        why = "errors come first"
        return tuple(
            Examined(
                check=f"checks of {name}", objects=0, noun="switches", findings=(), not_run=why
            )
            for name in self.left_out
        )

    @property
    def ok(self) -> bool:
        """Return whether it can be checked."""
        return self.site is not None and not has_errors(self.findings)


def compile_site(loaded: Loaded, as_platform: str | None = None) -> Compiled:
    """Design and check a loaded site.

    as_platform: a platform for all switches, or one with its release: `sonic:202505`.
    """
    return checked(designed(loaded, as_platform))


def designed(loaded: Loaded, as_platform: str | None = None) -> Designed:
    """Design a loaded site."""
    if loaded.intent is None:
        return Designed(site=None, findings=loaded.findings)
    try:
        with stage("designing"):
            return _designed(loaded, loaded.intent, as_platform)
    except Failure as failure:
        return Designed(site=None, findings=(*loaded.findings, failure.diagnostic))


def _designed(loaded: Loaded, intent: Intent, as_platform: str | None) -> Designed:
    faults = _FAULTS(loaded.templates) if loaded.templates else ()
    strange = (*_no_platforms(intent), *faults)
    site, findings = design_site(lift(intent, as_platform) if as_platform else intent)
    odd = [item.path for item in strange]
    fabrics = tuple(fabric for fabric in site.fabrics if not _in_any(odd, fabric.place))
    site = replace(site, templates=loaded.templates, fabrics=fabrics)
    accepted, unknown = accepted_features(_accepted(intent))
    words = [
        Diagnostic(
            Code.UNKNOWN_REFERENCE,
            f"no feature {word!r}",
            path=("site", "accept_unsupported"),
            hint="`fabricgen capabilities` lists them",
        )
        for word in unknown
    ]
    every = (*loaded.findings, *strange, *findings, *words)
    return Designed(
        site=site,
        findings=every,
        intent=intent,
        accepted=accepted,
        lifted=as_platform is not None,
        refused=loaded.refused,
        left_out=tuple(_left_out(intent, site, every)),
    )


def _in_any(paths: Sequence[IntentPath], place: IntentPath) -> bool:
    return any(path[: len(place)] == place for path in paths)


def _accepted(intent: Intent) -> list[str]:
    """Return the features that may be missing: any, where it cannot be read which."""
    try:
        return intent.site.accept_unsupported
    except Stop:
        return [feature.value for feature in Feature]


def _left_out(intent: Intent, site: Site, findings: Sequence[Diagnostic]) -> Iterator[str]:
    """Name the parts with errors that are not checked."""
    whole = {fabric.place for fabric in site.fabrics}
    out = [words for words in intent.each_fabric() if words.here not in whole]
    yield from (f"the {words.name}" for words in out)
    paths = [item.path for item in findings if item.severity is Severity.ERROR and item.path[1:]]
    paths += [("tenants", name) for words in out for name in tenants_on(intent, words.name)]
    for key, what in (("tenants", "tenant"), ("jobs", "jobs of")):
        yield from dict.fromkeys(f"{what} {path[1]}" for path in paths if path[0] == key)


def checked(design: Designed) -> Compiled:
    """Pass every slice of a design to every check; omit parts with errors."""
    if design.site is None or not design.site.fabrics:
        return Compiled(design.site, design.findings, design.unseen)
    try:
        checking = Checking(design)
        for _ in checking.slices():
            pass
        return checking.compiled()
    except Failure as failure:
        return Compiled(None, (*design.findings, failure.diagnostic), ())


def _about(path: IntentPath, refused: Sequence[IntentPath]) -> bool:
    """Return whether a finding names a value that could not be read."""
    return any(path[: len(each)] == each for each in refused)


class Checking:
    """Checks of the parts without errors; the caller passes each slice to them."""

    def __init__(self, design: Designed) -> None:
        assert design.site is not None
        self._site, self._design = design.site, design
        self._gaps = Gaps(design.accepted, lifted=design.lifted)
        self._checks = Checks(design.site)
        self._fabrics = {fabric.name: fabric for fabric in design.site.fabrics}

    @cached_property
    def _renderer(self) -> Renderer:
        """Return the renderer of the files to check: of switches with custom config."""
        return renderer_of(self._site.templates)

    @cached_property
    def _own(self) -> OwnLines:
        return _OWN_LINES.load()(lifted=self._design.lifted)

    @cached_property
    def _kept(self) -> KeptSections:
        return _KEPT.load()(lifted=self._design.lifted)

    def _told(self) -> Iterator[Diagnostic]:
        """Yield the findings of custom config and unmanaged sections, if the site has any."""
        if any(own for fabric in self._site.fabrics for own in fabric.own.every()):
            yield from self._own.findings(self._site)
        if any(own for fabric in self._site.fabrics for own in fabric.unmanaged.every()):
            yield from self._kept.findings(self._site)

    def slices(self) -> Iterator[SwitchSlice]:
        """Yield every slice of the site, each after the checks have seen it."""
        switches = sum(len(fabric.topology.switches) for fabric in self._site.fabrics)
        for _, switch_slice in tracked("checking switches", slices(self._site), switches):
            self.see(switch_slice)
            yield switch_slice

    def see(self, switch_slice: SwitchSlice) -> None:
        """Look at one switch; all have to be seen."""
        self._gaps.see(switch_slice)
        self._checks.see(self._fabrics[switch_slice.switch.fabric], switch_slice)
        unmanaged = self._fabrics[switch_slice.switch.fabric].unmanaged.of(switch_slice.switch.name)
        if switch_slice.own or unmanaged:
            self._files(switch_slice, unmanaged)

    def _files(self, switch_slice: SwitchSlice, unmanaged: Sequence[OwnText]) -> None:
        """Check the files of a switch with custom config or unmanaged sections."""
        files, folder = _by_design(switch_slice, self._renderer), folder_of(switch_slice.switch)
        if switch_slice.own:
            self._own.see(switch_slice, designed_texts(folder, files))
            files = _with_own_lines(switch_slice, files)
        if unmanaged:
            texts = {file.path.removeprefix(f"{folder}/"): file.text for file in files}
            self._kept.see(switch_slice, unmanaged, texts)

    def compiled(self) -> Compiled:
        """Return the site with everything that there is to say about it."""
        examined = self._checks.results()
        accepted = self._gaps.accepts(Feature.TRIMMING)
        more = (
            *self._gaps.findings(),
            *(gap for each in self._site.fabrics for gap in host_gaps(each, trusted=accepted)),
            *shared_gaps(self._site),
            *address_gaps(self._site),
            *self._told(),
            *(finding for result in examined for finding in result.findings),
        )
        refused = self._design.refused
        findings = (item for item in more if not _about(item.path, refused))
        return Compiled(
            self._site, (*self._design.findings, *findings), (*examined, *self._design.unseen)
        )


def _no_platforms(intent: Intent) -> Iterator[Diagnostic]:
    """Yield each unknown platform, and each release that its platform does not have."""
    known = platforms()
    for path, platform, release in platforms_in(intent):
        if platform not in known:
            yield _unknown((*path, "platform"), platform, known)
        elif release is not None:
            yield from _no_release((*path, "release"), release, nos(platform))


def _no_release(path: IntentPath, release: str, runs: Nos) -> Iterator[Diagnostic]:
    if not runs.releases:
        message = f"{spelled(path)}: no line of {runs.name} differs between its releases"
        yield Diagnostic(Code.BAD_VALUE, message, path=path, hint="leave it out")
    elif branch_of(release) not in runs.releases:
        yield _unknown(path, release, tuple(runs.releases))
    elif release not in runs.targets():
        word, known = release.partition("+")[2], tuple(runs.images)
        message = f"{spelled(path)}: {runs.name} has no image {word!r}"
        hint = did_you_mean(word, known) if known else "name the release alone"
        yield Diagnostic(Code.BAD_VALUE, message, path=path, hint=hint)


def _unknown(path: IntentPath, name: str, known: Sequence[str]) -> Diagnostic:
    *most, last = map(repr, known)
    near = did_you_mean(name, known)
    return Diagnostic(
        Code.BAD_VALUE,
        f"{spelled(path)}: must be {', '.join(most)} or {last}",
        path=path,
        hint=near if near.startswith("did") else "",
    )


def slices(
    site: Site, kept: Mapping[str, Transition] = DESIGNED
) -> Iterator[tuple[Fabric, SwitchSlice]]:
    """Yield every switch's slice, fabric by fabric; memory holds one at a time.

    kept: of switches in a step of a change, by name.
    """
    for fabric in site.fabrics:
        slicer = Slicer(fabric)
        for switch in fabric.topology.switches:
            yield fabric, slicer.slice(switch, kept.get(switch.name, AS_DESIGNED))


def host_slices(site: Site) -> Iterator[HostSlice]:
    """Yield the slice of every configured server, fabric by fabric."""
    yield from HostSlicer(site).slices()


def folder_of(owner: Switch | Server) -> str:
    """Return where the files of a switch or server are: fabric/switch, or hosts/server."""
    return f"{owner.fabric if isinstance(owner, Switch) else HOSTS}/{owner.name}"


class Cutter:
    """Cuts the slice of any switch or server of a site, in any order."""

    def __init__(self, site: Site) -> None:
        self._switches = {fabric.name: Slicer(fabric) for fabric in site.fabrics}
        self._servers = HostSlicer(site)

    @cached_property
    def _homes(self) -> dict[str, set[str]]:
        """Return the fabrics of each server."""
        homes: dict[str, set[str]] = {}
        for name, slicer in self._switches.items():
            for server in slicer.fabric.topology.servers:
                homes.setdefault(server.name, set()).add(name)
        return homes

    def owners(self) -> Iterator[Owner]:
        """Yield the owners of files: every switch, then every configured server."""
        for slicer in self._switches.values():
            yield from slicer.fabric.topology.switches
        yield from self._servers.servers()

    def fabrics_of(self, owner: Owner) -> set[str]:
        """Return the fabrics that its files are of: a server may have ports in several."""
        return {owner.fabric} if isinstance(owner, Switch) else self._homes[owner.name]

    def cut(self, owner: Owner) -> Piece:
        """Return its slice."""
        if isinstance(owner, Switch):
            return self._switches[owner.fabric].slice(owner)
        return self._servers.slice(owner)


def renderer_of(templates: OwnTemplates) -> Renderer:
    """Return the renderer of a site with these templates."""
    rendering: Renderer = _RENDERER(templates)
    return rendering


def files(
    site: Site, renderer: Renderer | None = None, owners: Iterable[Owner] | None = None
) -> Iterator[tuple[Owner, list[File]]]:
    """Render some owners, or switch after switch, then the servers.

    Memory holds the text of one owner at a time.
    """
    renderer, cutter = renderer or renderer_of(site.templates), Cutter(site)
    for owner in tracked("rendering", list(cutter.owners() if owners is None else owners)):
        yield owner, files_of(cutter.cut(owner), renderer)


def files_of(switch_slice: Piece, renderer: Renderer) -> list[File]:
    """Render the files of one switch under fabric/switch/, of one server under hosts/server/."""
    if isinstance(switch_slice, SwitchSlice):
        files = _by_design(switch_slice, renderer)
        return _with_own_lines(switch_slice, files) if switch_slice.own else files
    folder, name = folder_of(switch_slice.server), switch_slice.server.name
    return [
        File(f"{folder}/{each.path}", name.join(each.parts), each.executable, common=each.common)
        for each in _forms(switch_slice, renderer)
    ]


_NAME = "\0"
"""The name of a server in a form; no name and no text of a template has it."""


@record(kw_only=True)
class Form:
    """One file of all servers that differ only in their names. parts: the text between names."""

    path: str
    parts: tuple[str, ...]
    executable: bool
    common: bool


def _forms(host_slice: HostSlice, renderer: Renderer) -> tuple[Form, ...]:
    """Return the files of a server as forms, which are made once for servers without addresses."""
    key = host_slice.form if renderer.plain else None
    known: tuple[Form, ...] | None = renderer.forms.get(key)
    if known is not None:
        return known
    if key is not None:
        host_slice = replace(host_slice, server=replace(host_slice.server, name=_NAME))
    made: tuple[Form, ...] = tuple(
        Form(
            path=each.path,
            parts=tuple(text.split(_NAME)) if key is not None else (text,),
            executable=each.executable,
            common=each.common,
        )
        for each in _LOWER_HOST(host_slice)
        for text in (renderer.file(each),)
    )
    if key is not None:
        renderer.forms[key] = made
    return made


def _by_design(switch_slice: SwitchSlice, renderer: Renderer) -> list[File]:
    """Render the files of one switch without its custom config."""
    with blamed(switch_slice.switch.platform):
        return _rendered(folder_of(switch_slice.switch), lower_switch(switch_slice), renderer)


def _with_own_lines(switch_slice: SwitchSlice, files: list[File]) -> list[File]:
    """Add the custom config of a switch to its files."""
    folder = folder_of(switch_slice.switch)
    added = _PLACED(switch_slice, designed_texts(folder, files))
    more = {f"{folder}/{each.file.path}": each.after for each in added}
    merged = [
        replace(file, text=more[file.path], without=file.text) if file.path in more else file
        for file in files
    ]
    whole = _SOUND(switch_slice, designed_texts(folder, files))
    mine = (File(f"{folder}/{path}", whole[path], executable=False, without="") for path in whole)
    return [*merged, *mine]


def designed_texts(folder: str, files: Iterable[File]) -> dict[str, str]:
    """Return the texts of files without custom config, by their paths below a folder."""
    mine = (file for file in files if file.without != "")
    return {file.path.removeprefix(f"{folder}/"): file.designed for file in mine}


def _rendered(folder: str, views: Sequence[RenderedBy], renderer: Renderer) -> list[File]:
    return [File(f"{folder}/{v.path}", renderer.file(v), v.executable) for v in views]
