"""Makes both sides of the running switches: the running configuration and the candidate.

The previews of a plan read both texts from each switch, in its own notation and without secrets.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from fabricgen.core.units import counted, natural, shortened
from fabricgen.intent.load import Loaded
from fabricgen.intent.source import SourceMap
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.plan.document import Entry
from fabricgen.operate.deploy.plan.switch_preview import SecretFilter, SwitchPreview, files_of
from fabricgen.operate.deploy.texts import Rendered
from fabricgen.review.diff_parts import Parts
from fabricgen.review.plans import Known, change_of, folder_of, pair
from fabricgen.review.side import Side

RUNNING = "running configuration"
_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFilter(SecretFilter):
    """A secret filter that also stores both texts of each switch that changes."""

    files: dict[str, Parts] = field(default_factory=dict)

    def seen(
        self, name: str, rendered: Rendered, running: str, diff: str, candidate: str
    ) -> SwitchPreview:
        """Evaluate a preview, and store its files without secrets."""
        if diff:
            platform = self.targets[name].platform
            before, after = (files_of(platform, self.hide(text)) for text in (running, candidate))
            self.files[name] = Parts(before=before, after=after)
        # a class with slots is made twice, so super() without arguments would fail
        return SecretFilter.seen(self, name, rendered, running, diff, candidate)


def storing(lens: SecretFilter) -> TextFilter:
    """Return a filter that also stores the texts."""
    return TextFilter(**{each.name: getattr(lens, each.name) for each in fields(SecretFilter)})


def running(
    name: str,
    site: Site,
    looks: Iterable[SwitchPreview],
    files: Mapping[str, Parts],
    loaded: Loaded | None = None,
) -> tuple[Side, Side]:
    """Return both sides of previews.

    Args:
        name: Name of the site on the command line.
        site: Its design.
        looks: Previews of the selected switches.
        files: Their files, from `TextFilter`.
        loaded: The intent of the site.
    """
    entries = [look.entry for look in looks]
    known = [_known(entry, files) for entry in entries if entry.state != "same"]
    same = frozenset(folder_of(entry) for entry in entries if entry.state == "same")
    before, after = pair((RUNNING, name), known, same, tuple(_notes(entries)))
    return before, Side(
        name=name,
        files=after.files,
        findings=(),
        source=loaded.source if loaded is not None else SourceMap(),
        unchanged=after.unchanged,
        loaded=loaded,
        site=site,
        notes=after.notes,
        unknown=after.unknown,
        reasons=after.reasons,
    )


def _known(entry: Entry, files: Mapping[str, Parts]) -> Known:
    change, parts = change_of(entry), files.get(entry.switch)
    if entry.state != "changes" or parts is None:
        return Known(folder=change.folder, why=change.why or "no text", reasons=change.reasons)
    return Known(folder=change.folder, parts=parts, reasons=change.reasons)


def _notes(entries: list[Entry]) -> Iterable[str]:
    """Yield notes about unmanaged sections and other releases."""
    kept = natural([entry.switch for entry in entries if entry.kept])
    if kept:
        names = shortened(kept, _NAMED)
        yield f"unmanaged sections of {counted(len(kept), 'switch')} are not compared: {names}"
    yield from (f"{entry.switch}: {entry.release}" for entry in entries if entry.release)
