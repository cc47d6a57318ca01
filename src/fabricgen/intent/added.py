"""Adds facts of a site to a switch model of the catalog and refuses those that contradict it.

A site may add what the catalog does not have. It never replaces a figure: another value for one of
the catalog is an error, and so is a file that adds nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.units import Bytes
from fabricgen.intent.added_memory import Wrong, adds_figures, figure_faults
from fabricgen.intent.fact_rules import layout_faults
from fabricgen.model.catalog.asics import Asic
from fabricgen.model.catalog.switches import SwitchModel, read_latency, read_watts


class Added(NamedTuple):
    """A model with the facts of the site, and the errors in these facts."""

    model: SwitchModel
    wrong: list[Wrong]


def add_facts(known: SwitchModel, data: Mapping[str, Any]) -> Added:
    """Add the facts in a file of a site to a model that the catalog has."""
    adding = _Adding(known=known, source=str(data.get("source", "")))
    model = replace(
        known, **adding.box(data), platforms=adding.platforms(data.get("platforms", {}))
    )
    if adding.sourceless and not adding.source and not adding.wrong:
        message = f"the key 'source' is missing: {known} is in the catalog, and facts need a source"
        adding.wrong.append(Wrong(Code.MISSING_KEY, (), message))
    elif not adding.new and not adding.wrong:
        message = f"the file adds nothing to {known}, which {_THERE}"
        adding.wrong.append(Wrong(Code.DUPLICATE_ID, ("model",), message))
    return Added(model, adding.wrong)


def add_to_chip(known: Asic, data: Mapping[str, Any]) -> tuple[Asic, list[Wrong]]:
    """Add the figures of a site to a chip that the catalog has."""
    adding = _Adding(source=str(data["source"]))
    figures = [
        adding.settle((key,), getattr(known, key), data.get(key))
        for key in ("packet_buffer", "cell")
    ]
    if "voq" in data:
        adding.settle(("voq",), known.voq, data["voq"])
    if not adding.new and not adding.wrong:
        adding.wrong.append(Wrong(Code.DUPLICATE_ID, (), f"{known.name} {_THERE}"))
    buffer, cell = (None if size is None else Bytes(size) for size in figures)
    source = f"{known.source}; the site: {data['source']}"
    merged = replace(known, packet_buffer=buffer, cell=cell, source=source, from_site=adding.source)
    return merged, adding.wrong


@dataclass(slots=True, kw_only=True)
class _Adding:
    """Adds facts to a model and counts the new ones. sourceless: they need the file's source."""

    known: SwitchModel | None = None
    source: str
    wrong: list[Wrong] = field(default_factory=list)
    new: int = 0
    sourceless: bool = False

    def settle(self, path: IntentPath, there: Any, own: Any, source: str = "") -> Any:
        """Return the catalog's value, or the site's if the catalog has none."""
        if own is None or own == there:
            return there
        if there is not None:
            cited = f" ({source})" if source else ""
            message = f"{path[-1]} is {_text(there)} in the catalog{cited}, not {_text(own)}"
            self.wrong.append(Wrong(Code.FACT_CONTRADICTS, path, message))
            return there
        self.new += 1
        return own

    def box(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the height, watts and latency of the box."""
        known = self.known
        assert known is not None
        self.sourceless |= "rack_units" in data
        height = self.settle(("rack_units",), known.rack_units, data.get("rack_units"))
        watts, latency = read_watts(data), read_latency(data)
        if watts is not None and (had := known.watts) is not None:
            figures = {
                key: self.settle(("watts", key), getattr(had, key), getattr(watts, key), had.source)
                for key in ("typical", "maximum")
            }
            watts = replace(had, **figures, source=f"{had.source}; the site: {watts.source}")
        else:
            self.new += watts is not None
        if latency is not None and (was := known.latency) is not None:
            path = ("latency", "nanoseconds")
            self.settle(path, was.nanoseconds, latency.nanoseconds, was.source)
        else:
            self.new += latency is not None
        return {
            "rack_units": height,
            "watts": watts or known.watts,
            "latency": known.latency or latency,
        }

    def platforms(self, own: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """Return the facts of every platform."""
        assert self.known is not None
        merged = dict(self.known.platforms)
        for name, facts in own.items():
            path, there = ("platforms", name), merged.get(name)
            before, wrong = self.new, len(self.wrong)
            if there is None or "unsupported" in there:
                merged[name], self.new = facts, self.new + 1
                continue
            self.sourceless = True
            merged[name] = (
                self.sonic(path, there, facts) if "skus" in there else self.fill(path, there, facts)
            )
            if (self.new, len(self.wrong)) == (before, wrong):
                message = f"the facts of {self.known} for {name} are already in the catalog"
                self.wrong.append(Wrong(Code.DUPLICATE_ID, path, message))
        return merged

    def fill(
        self, path: IntentPath, there: Mapping[str, Any], own: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return facts with the site's where the catalog has none, at every depth."""
        merged = dict(there)
        for key, value in own.items():
            had = there.get(key)
            if isinstance(value, Mapping) and isinstance(had, Mapping):
                merged[key] = self.fill((*path, key), had, value)
            elif isinstance(value, list) and isinstance(had, list):
                merged[key] = self.joined(had, value)
            else:
                merged[key] = self.settle((*path, key), had, value)
        return merged

    def joined(self, there: list[Any], own: list[Any]) -> list[Any]:
        """Return a list with the site's entries after the catalog's."""
        more = [value for value in own if value not in there]
        self.new += bool(more)
        return [*there, *more]

    def sonic(
        self, path: IntentPath, there: Mapping[str, Any], own: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return SONiC facts with the hwskus, splits and packet memory of the site."""
        self.settle((*path, "platform"), there["platform"], own.get("platform"))
        skus = dict(there["skus"])
        for name, facts in own.get("skus", {}).items():
            skus[name] = self.hwsku((*path, "skus", name), there, facts)
        breakouts = self.joined(list(there.get("breakouts", ())), own.get("breakouts", []))
        return {**there, "breakouts": breakouts, "skus": skus}

    def hwsku(
        self, path: IntentPath, sonic: Mapping[str, Any], own: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the facts of a hwsku: a new one of the site, or one of the catalog with more."""
        assert self.known is not None
        there: Mapping[str, Any] = sonic["skus"].get(path[-1], {})
        dynamic, whole = sonic["buffer_model"] == "dynamic", "layout" in own
        if whole == bool(there) or "own" in there:
            self.wrong.append(self.misplaced(path, is_there=bool(there)))
            return there
        if whole:
            cages = {cage.number: cage for cage in self.known.cages}
            faults = layout_faults(own["layout"], cages, (*path, "layout"))
            self.wrong += [Wrong(Code.FACT_REFUSED, *fault) for fault in faults]
        self.wrong += figure_faults(self.known, there, own, path, dynamic=dynamic)
        self.new += whole or adds_figures(there, own)
        return (
            {**own, "own_source": self.source}
            if whole
            else {**there, "own": {**own, "source": self.source}}
        )

    def misplaced(self, path: IntentPath, *, is_there: bool) -> Wrong:
        """Return the error for a hwsku that the catalog has, or does not have."""
        name = path[-1]
        if is_there:
            message = f"hwsku {name} {_THERE}: keep only its packet memory, in one file"
            return Wrong(Code.DUPLICATE_ID, path, message)
        message = f"hwsku {name} is not in the catalog: a new hwsku needs `layout` and `splits`"
        return Wrong(Code.UNKNOWN_REFERENCE, path, message)


def _text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else f"{value}"


_THERE = "is in the catalog already"
