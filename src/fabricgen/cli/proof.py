"""Jobs in, the same jobs out: what they render is read back on its way to the tree.

Nothing is held but what the proof keeps of a switch. When the jobs are through and a chain is
broken, `Unproven` is raised where they are consumed, so that no tree is put in place.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.compiler import File, Job, folder_of, slices, switch_files
from fabricgen.diagnostics import Examined, has_errors
from fabricgen.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.proof.qos.verify import Readback, verify
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.fabric.switch import Site


class Unproven(Exception):  # noqa: N818 - it carries findings, as Refused does
    """What is rendered does not do what is designed."""

    def __init__(self, examined: Examined) -> None:
        super().__init__(examined.check)
        self.examined = examined


def proven(site: Site, jobs: Iterable[Job]) -> Iterator[Job]:
    """Pass jobs through; a switch that is kept as it stood was proven when it was rendered."""
    proof = Readback(site, spell)
    for job in jobs:
        if isinstance(job.owner, Switch):
            yield replace(job, render=partial(_seen, proof, job.owner, job))
        else:
            yield job
    examined = proof.result()
    if has_errors(examined.findings):
        raise Unproven(examined)


def _seen(proof: Readback, switch: Switch, job: Job) -> list[File]:
    group = job.render()
    proof.see(switch, _texts(job.folder, group))
    return group


def _texts(folder: str, group: Iterable[File]) -> dict[str, str]:
    return {file.path.removeprefix(f"{folder}/"): file.text for file in group}


def read_back(site: Site) -> Examined:
    """Render a site, keep nothing, and judge what is read back."""
    renderer = Renderer()
    switches = (
        (piece.switch, _texts(folder_of(piece.switch), switch_files(piece, renderer)))
        for _, piece in slices(site)
    )
    return verify(site, switches, spell)
