"""The sentence: load, design, check, lower, render. A site in, files and findings out."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.checks.registry import run_checks
from fabricgen.design.site import design_site
from fabricgen.design.slices import Slicer
from fabricgen.diagnostics import Code, Diagnostic, Examined, Failure, did_you_mean, has_errors
from fabricgen.fabric.topology import Switch
from fabricgen.fingerprint import Fingerprints
from fabricgen.hosts.gaps import host_gaps
from fabricgen.hosts.lower import lower_host
from fabricgen.hosts.slices import HostSlicer
from fabricgen.intent.lift import lift, platforms_in
from fabricgen.intent.wording import spelled
from fabricgen.nos.lowering import Gaps, accepted_features, lower_switch
from fabricgen.nos.registry import blamed, platforms
from fabricgen.record import record
from fabricgen.sandbox import faults
from fabricgen.sandbox import renderer as renderer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen.fabric.switch import Fabric, Site, SwitchSlice
    from fabricgen.fabric.topology import Server
    from fabricgen.hosts.slices import HostSlice
    from fabricgen.intent.load import Loaded
    from fabricgen.intent.model.intent import Intent
    from fabricgen.render import Renderer

HOSTS = "hosts"
"""The folder of the servers in a rendered tree, beside those of the fabrics."""


@record()
class File:
    """One rendered file: its path below the output folder, and its text."""

    path: str
    text: str
    executable: bool


@record()
class Compiled:
    """A site that went through design and checks; `site` is None when nothing could be designed."""

    site: Site | None
    findings: tuple[Diagnostic, ...]
    examined: tuple[Examined, ...]

    @property
    def ok(self) -> bool:
        """Tell whether files may be made from it."""
        return self.site is not None and not has_errors(self.findings)


def compile_site(loaded: Loaded, as_platform: str | None = None) -> Compiled:
    """Design and check a loaded site; with `as_platform`, as if every switch ran that OS."""
    if loaded.intent is None:
        return Compiled(None, loaded.findings, ())
    try:
        return _compiled(loaded, loaded.intent, as_platform)
    except Failure as failure:
        return Compiled(None, (*loaded.findings, failure.diagnostic), ())


def _compiled(loaded: Loaded, intent: Intent, as_platform: str | None) -> Compiled:
    findings = [*loaded.findings, *_no_platforms(intent)]
    findings.extend(faults(loaded.templates))
    site, found = design_site(lift(intent, as_platform) if as_platform else intent)
    site = replace(site, templates=loaded.templates)
    findings.extend(found)
    accepted, unknown = accepted_features(intent.site.accept_unsupported)
    findings.extend(
        Diagnostic(
            Code.UNKNOWN_REFERENCE,
            f"no feature {word!r}",
            path=("site", "accept_unsupported"),
            hint="`fabricgen capabilities` lists them",
        )
        for word in unknown
    )
    if has_errors(findings):
        return Compiled(site, tuple(findings), ())
    gaps = Gaps(accepted, lifted=as_platform is not None)
    examined = run_checks(site, _judged(site, gaps))
    findings.extend(gaps.findings())
    findings.extend(gap for fabric in site.fabrics for gap in host_gaps(fabric))
    findings.extend(finding for result in examined for finding in result.findings)
    return Compiled(site, tuple(findings), tuple(examined))


def _no_platforms(intent: Intent) -> Iterator[Diagnostic]:
    """Say where a platform is named that nobody brings."""
    known = platforms()
    for path, name in platforms_in(intent):
        if name not in known:
            *most, last = map(repr, known)
            near = did_you_mean(name, known)
            yield Diagnostic(
                Code.BAD_VALUE,
                f"{spelled(path)}: must be {', '.join(most)} or {last}",
                path=path,
                hint=near if near.startswith("did") else "",
            )


def _judged(site: Site, gaps: Gaps) -> Iterator[tuple[Fabric, SwitchSlice]]:
    for fabric, piece in slices(site):
        gaps.see(piece)
        yield fabric, piece


def slices(site: Site) -> Iterator[tuple[Fabric, SwitchSlice]]:
    """Yield every switch's slice, fabric by fabric; memory holds one at a time."""
    for fabric in site.fabrics:
        for piece in Slicer(fabric).slices():
            yield fabric, piece


def host_slices(site: Site) -> Iterator[HostSlice]:
    """Yield the slice of every server that has a side of its own, fabric by fabric."""
    for fabric in site.fabrics:
        yield from HostSlicer(fabric).slices()


@record(kw_only=True)
class Job:
    """One switch or server, not rendered yet. `fingerprint` hashes all that its files need.

    piece: the slice of a switch, which its files are proven against.
    """

    owner: Switch | Server
    fingerprint: Callable[[], str]
    render: Callable[[], list[File]]
    piece: SwitchSlice | None = None

    @property
    def folder(self) -> str:
        """Its folder below the output folder."""
        return folder_of(self.owner)


def folder_of(owner: Switch | Server) -> str:
    """Return where the files of a switch or server are: fabric/switch, or hosts/server."""
    return f"{owner.fabric if isinstance(owner, Switch) else HOSTS}/{owner.name}"


def jobs(site: Site, renderer: Renderer | None = None) -> Iterator[Job]:
    """Yield every switch, then every server, with the means to render it.

    Who knows its fingerprint need not; who only compares texts never asks for it.
    """
    renderer, prints = renderer or renderer_of(site.templates), Fingerprints(site.templates)
    for _, piece in slices(site):
        yield Job(
            owner=piece.switch,
            fingerprint=partial(prints.of, piece),
            render=partial(switch_files, piece, renderer),
            piece=piece,
        )
    for host in host_slices(site):
        yield Job(
            owner=host.server,
            fingerprint=partial(prints.of, host),
            render=partial(host_files, host, renderer),
        )


def files(
    site: Site, renderer: Renderer | None = None
) -> Iterator[tuple[Switch | Server, list[File]]]:
    """Render switch after switch, then the servers; memory holds one's text at a time."""
    renderer = renderer or renderer_of(site.templates)
    for _, piece in slices(site):
        yield piece.switch, switch_files(piece, renderer)
    for host in host_slices(site):
        yield host.server, host_files(host, renderer)


def switch_files(piece: SwitchSlice, renderer: Renderer) -> list[File]:
    """Render the files of one switch, under fabric/switch/."""
    folder = folder_of(piece.switch)
    with blamed(piece.switch.platform):
        return [
            File(f"{folder}/{item.path}", renderer.file(item), item.executable)
            for item in lower_switch(piece)
        ]


def host_files(piece: HostSlice, renderer: Renderer) -> list[File]:
    """Render the files of one server, under hosts/server/."""
    folder = folder_of(piece.server)
    return [
        File(f"{folder}/{item.path}", renderer.file(item), item.executable)
        for item in lower_host(piece)
    ]
