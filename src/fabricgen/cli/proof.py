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
from fabricgen.nos.lowering import spell
from fabricgen.proof.qos.verify import Readback
from fabricgen.proof.written import Proof, examined, prove
from fabricgen.sandbox import renderer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.fabric.switch import Site, SwitchSlice


class Unproven(Exception):  # noqa: N818 - it carries findings, as Refused does
    """What is rendered does not do what is designed."""

    def __init__(self, examined: Examined) -> None:
        super().__init__(examined.check)
        self.examined = examined


def proven(site: Site, jobs: Iterable[Job]) -> Iterator[Job]:
    """Pass jobs through; a switch that is kept as it stood was proven when it was rendered."""
    chain, proofs, own = Readback(site, spell), list[Proof](), bool(site.templates)
    for job in jobs:
        if job.piece is not None:
            yield replace(job, render=partial(_seen, chain, proofs, job.piece, job, own=own))
        else:
            yield job
    for result in (examined(proofs), chain.result()):
        if has_errors(result.findings):
            raise Unproven(result)


def _seen(
    chain: Readback, proofs: list[Proof], piece: SwitchSlice, job: Job, *, own: bool
) -> list[File]:
    group = job.render()
    texts = _texts(job.folder, group)
    chain.see(piece.switch, texts)
    proofs.append(prove(piece, texts, own=own))
    return group


def _texts(folder: str, group: Iterable[File]) -> dict[str, str]:
    return {file.path.removeprefix(f"{folder}/"): file.text for file in group}


def read_back(site: Site) -> tuple[Examined, Examined]:
    """Render a site, keep nothing, and judge what is read back: every line, and rail paths."""
    render = renderer(site.templates)
    chain, proofs = Readback(site, spell), list[Proof]()
    for _, piece in slices(site):
        texts = _texts(folder_of(piece.switch), switch_files(piece, render))
        chain.see(piece.switch, texts)
        proofs.append(prove(piece, texts, own=bool(site.templates)))
    return examined(proofs), chain.result()
