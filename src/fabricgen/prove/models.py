"""Validates the files of a site against a folder of a vendor's own models."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from fabricgen.compile.compiler import files_of, folder_of, renderer_of, slices
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, shortened
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.models import Candidate, Models, NotRun, Refusal
from fabricgen.nos.nos import Nos
from fabricgen.nos.registry import nos

NOUN = "files checked against the vendor's models"
"""Maximum findings that are listed; the rest is counted."""


def held(site: Site, folder: Path | None) -> Iterator[Examined]:
    """Yield the result of the models of each platform that has any.

    `folder`: the models; None for the folder in the platform's environment variable.
    """
    switches = (switch for fabric in site.fabrics for switch in fabric.topology.switches)
    for platform in dict.fromkeys(switch.platform for switch in switches):
        runs = nos(platform)
        if runs.models is None:
            continue
        models = runs.models.load()
        named = os.environ.get(models.variable)
        place = folder or (Path(named) if named else None)
        pieces = _pieces(site, platform) if place else []
        yield against(runs, models, place, pieces, _texts(site, runs, pieces))


def _pieces(site: Site, platform: str) -> list[SwitchSlice]:
    return [each for _, each in slices(site) if each.switch.platform == platform]


def against(
    runs: Nos, models: Models, folder: Path | None, pieces: list[SwitchSlice], texts: Iterable[str]
) -> Examined:
    """Check the files of one platform's switches; report if that is impossible."""
    check = f"{runs.name}-models"
    if folder is None:
        why = f"no folder of {models.what} is given (use --models or {models.variable})"
        return Examined(check=check, objects=0, noun=NOUN, findings=(), not_run=why)
    candidates = [
        Candidate(switch_slice.switch.name, switch_slice.switch.release or runs.release, text)
        for switch_slice, text in zip(pieces, texts, strict=True)
    ]
    try:
        refused = tuple(models.refusals(folder, candidates))
    except NotRun as why:
        return Examined(check=check, objects=0, noun=NOUN, findings=(), not_run=str(why))
    every = list(_findings(runs, models, refused, pieces))
    findings = shortened(every, f"refusals by {models.what}")
    return Examined(check=check, objects=len(candidates), noun=NOUN, findings=findings)


def _texts(site: Site, runs: Nos, pieces: list[SwitchSlice]) -> Iterator[str]:
    """Yield the file of each switch that has models, one at a time."""
    using = renderer_of(site.templates)
    for switch_slice in pieces:
        wanted = f"{folder_of(switch_slice.switch)}/{runs.marker}"
        yield next(file.text for file in files_of(switch_slice, using) if file.path == wanted)


def _findings(
    runs: Nos, models: Models, refused: Iterable[Refusal], pieces: list[SwitchSlice]
) -> Iterator[Diagnostic]:
    """Yield each refusal once, with the number of affected switches."""
    paths = {switch_slice.switch.name: switch_slice.switch.because.main for switch_slice in pieces}
    alike: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for each in refused:
        alike[each.release, each.place, each.why].append(each.switch)
    for (release, place, why), switches in alike.items():
        first, more = switches[0], len(switches) - 1
        others = f" (and {more:,} more)" if more else ""
        yield Diagnostic(
            Code.MODELS_REFUSE,
            f"{first}{others} {runs.marker}: {place}: {why}, according to {models.what} of "
            f"{release}",
            path=paths[first],
            hint=models.outcome(release),
        )
