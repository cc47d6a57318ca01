"""Reads the hardware facts in `catalog/` of a site and reports their errors.

A site adds hardware, and adds facts to models and chips of the catalog (`added.py`). Facts that
ship with fabricgen or that a package brings cannot change.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Position, did_you_mean
from fabricgen.core.record import record
from fabricgen.intent.added import add_facts, add_to_chip
from fabricgen.intent.added_memory import Wrong
from fabricgen.intent.fact_rules import contradictions
from fabricgen.intent.files import FACTS, is_fact, read_site
from fabricgen.intent.model.added_facts import FIGURES, WHOLE, MoreFacts, MoreOnSonic
from fabricgen.intent.model.facts import (
    NOT_TOLD,
    TOLD,
    AsicFacts,
    NicFacts,
    SwitchFacts,
)
from fabricgen.intent.model.optic_facts import OpticFacts
from fabricgen.intent.prices import price_list
from fabricgen.intent.source import SourceMap, read_text
from fabricgen.intent.wording import finding
from fabricgen.model.catalog.asics import Asic, read_asic
from fabricgen.model.catalog.catalog import SHIPPED, Catalog
from fabricgen.model.catalog.nics import NicModel, read_nic
from fabricgen.model.catalog.optics import Optic, read_optic
from fabricgen.model.catalog.prices import NO_PRICES
from fabricgen.model.catalog.switches import SwitchModel, read_switch
from fabricgen.model.catalog.targets import with_generated

NO_CHIP = ("none", "unknown")
"""Names for a switch without hardware, and for one whose vendor does not publish the chip."""
_KINDS = re.compile(
    rf"(?:^|/){FACTS}/(?:(switches|nics)/[^/]+\.ya?ml|(asics|optics)\.ya?ml|(prices)\.csv)$"
)


@record()
class Brought:
    """Hardware facts of a site. `values`: number of values in its files, aliases counted."""

    catalog: Catalog
    findings: tuple[Diagnostic, ...]
    values: int


def read_site_catalog(site: Path) -> tuple[dict[str, str], Brought]:
    """Read the hardware of a site: its files by their paths in the site, and the catalog."""
    texts, unread, _, root = read_site(site)
    facts = {name: text for name, text in texts.items() if is_fact(name.removeprefix(root))}
    brought = own_catalog(facts)
    files = {name.removeprefix(root): text for name, text in facts.items()}
    return files, replace(brought, findings=(*unread, *brought.findings))


def own_catalog(texts: Mapping[str, str]) -> Brought:
    """Read hardware fact files, by their printed names. Chips come first."""
    reading = _Reading()
    order = {"asics": 0, "switches": 1, "nics": 2, "optics": 3, "prices": 4, "": 5}
    for name in sorted(texts, key=lambda name: (order[_kind(name)], name)):
        reading.file(name, texts[name])
    catalog = Catalog(
        own_switches=reading.switches,
        own_nics=reading.nics,
        own_asics=reading.asics,
        own_optics=reading.optics,
        refused=frozenset(reading.refused),
        prices=reading.prices,
    )
    return Brought(catalog, tuple(reading.findings), reading.values)


def _kind(name: str) -> str:
    match = _KINDS.search(name)
    return "" if match is None else next(filter(None, match.groups()))


class _Reading:
    """Reader of fact files that keeps the valid ones."""

    def __init__(self) -> None:
        self.switches: dict[str, SwitchModel] = {}
        self.nics: dict[str, NicModel] = {}
        self.asics: dict[str, Asic] = {}
        self.optics: dict[str, Optic] = {}
        self.prices = NO_PRICES
        self.findings: list[Diagnostic] = []
        self.refused: set[str] = set()
        self.values = 0

    def file(self, name: str, text: str) -> None:
        """Read one file."""
        if _kind(name) == "prices":
            self.prices, odd = price_list(name, text)
            self.findings += odd
            return
        source = SourceMap()
        source.values = self.values
        data, wrong = read_text(name, text, source)
        self.values = source.values
        self.findings += wrong
        kind = _kind(name)
        if not kind:
            self.say(name, source, Code.BAD_VALUE, "is not a place for hardware facts", (), _PLACES)
        elif not isinstance(data, dict):
            if not wrong:
                self.say(
                    name, source, Code.BAD_VALUE, "a file of hardware facts must be a mapping", ()
                )
        else:
            source.root = data
            model = str(data.get("model", ""))
            if wrong or not getattr(self, f"_{kind}")(name, data, source):
                self.refused.add(model)

    def _asics(self, name: str, data: dict[str, Any], source: SourceMap) -> bool:
        for chip, facts in data.items():
            there = SHIPPED.asic(chip)
            if not self.listed(name, chip, facts, source, AsicFacts, there=chip in NO_CHIP):
                self.refused |= {chip} if there is None and chip not in NO_CHIP else set()
            elif there is None:
                self.asics[chip] = read_asic(chip, facts)
            else:
                merged, wrong = add_to_chip(there, facts)
                self.told(name, source, wrong, (chip,))
                if not wrong:
                    self.asics[chip] = merged
        return True

    def _optics(self, name: str, data: dict[str, Any], source: SourceMap) -> bool:
        for optic, facts in data.items():
            there = SHIPPED.optic(optic) is not None
            if self.listed(name, optic, facts, source, OpticFacts, there=there):
                self.optics[optic] = read_optic(optic, facts)
        return True

    def listed(
        self,
        name: str,
        entry: str,
        facts: Any,
        source: SourceMap,
        words: type[BaseModel],
        *,
        there: bool,
    ) -> bool:
        """Return whether an entry of a list is new and well-formed; add a finding otherwise."""
        if there:
            self.say(name, source, Code.DUPLICATE_ID, f"{entry} {_THERE}", (entry,), _RENAME)
        elif not _ENTRY.fullmatch(entry) or not isinstance(facts, dict):
            told = "a name of at most 40 printable characters, and a mapping of its facts"
            self.say(name, source, Code.BAD_VALUE, f"an entry must be {told}", (entry,))
        else:
            return self.valid(name, facts, source, words, (entry,))
        return False

    def _switches(self, name: str, data: dict[str, Any], source: SourceMap) -> bool:
        catalog = replace(SHIPPED, own_switches=self.switches, own_asics=self.asics)
        known = catalog.switch(str(data.get("model", "")))
        more = MoreFacts.model_fields.keys()
        whole = data.keys() & (SwitchFacts.model_fields.keys() - more)
        adds = data.keys() <= more or (known is not None and not whole)
        if adds and known is None and isinstance(data.get("model"), str):
            return self.nothing_to_add_to(name, data, source)
        mapped = known is not None and "skus" in known.platforms.get("sonic", {})
        if not mapped and isinstance(data.get("platforms"), dict):
            data = {**data, "platforms": with_generated(data["platforms"])}
        words = (MoreOnSonic if mapped else MoreFacts) if adds else SwitchFacts
        if not self.valid(name, data, source, words):
            return False
        stem = name.rpartition("/")[2].partition("-")[2]
        if not self.named(name, data["model"], source, stem):
            return False
        if adds and known is not None:
            return self.more(name, data, source, known)
        if known is not None:
            keys = ", ".join(f"`{key}`" for key in MoreFacts.model_fields)
            hint = f"{_RENAME}, or keep only {keys} in the file to add what it lacks"
            self.say(name, source, Code.DUPLICATE_ID, f"{known} {_THERE}", ("model",), hint)
            return False
        return self.new(name, data, source, catalog)

    def new(self, name: str, data: dict[str, Any], source: SourceMap, catalog: Catalog) -> bool:
        """Keep a model that the catalog does not have."""
        asic = data["asic"]
        chip, whole = catalog.asic(asic), asic not in self.refused
        if chip is None and whole and asic not in NO_CHIP:
            hint = did_you_mean(asic, [*catalog.asic_names(), *NO_CHIP])
            message = f"ASIC {asic!r} is not in the catalog"
            self.say(name, source, Code.UNKNOWN_REFERENCE, message, ("asic",), hint)
            return False
        whole = self.whole(name, data, source) and whole
        if whole:
            self.switches[data["model"]] = read_switch(data, chip)
        return whole

    def nothing_to_add_to(self, name: str, data: dict[str, Any], source: SourceMap) -> bool:
        """Report facts for a model that the catalog does not have."""
        missing = next(each for each in SwitchFacts.model_fields if each not in data)
        hint = did_you_mean(data["model"], SHIPPED.switch_names())
        message = f"model {data['model']!r} is not in the catalog, so nothing can be added"
        also = f"{hint}; a new model also needs `{missing}`".removeprefix("; ")
        self.say(name, source, Code.UNKNOWN_REFERENCE, message, ("model",), also)
        return False

    def more(self, name: str, data: dict[str, Any], source: SourceMap, known: SwitchModel) -> bool:
        """Add facts to a model of the catalog."""
        added = add_facts(known, data)
        self.told(name, source, added.wrong)
        whole = self.whole(name, data, source, known) and not added.wrong
        if whole:
            self.switches[known.name] = added.model
        return whole

    def told(
        self, name: str, source: SourceMap, wrong: Iterable[Wrong], above: IntentPath = ()
    ) -> None:
        """Report errors in facts that are added."""
        for each in wrong:
            hint = _HINTS.get(each.code, "")
            self.say(name, source, each.code, each.message, (*above, *each.path), hint)

    def whole(
        self, name: str, data: dict[str, Any], source: SourceMap, known: SwitchModel | None = None
    ) -> bool:
        """Report the contradictions in the facts of a switch."""
        said = list(contradictions(data, known))
        for path, message in said:
            self.say(name, source, Code.FACT_REFUSED, message, path)
        return not said

    def _nics(self, name: str, data: dict[str, Any], source: SourceMap) -> bool:
        if not self.valid(name, data, source, NicFacts):
            return False
        model = data["model"]
        if not self.named(name, model, source, name.rpartition("/")[2]):
            return False
        if SHIPPED.nic(model) is not None or model in self.nics:
            self.say(name, source, Code.DUPLICATE_ID, f"{model} {_THERE}", ("model",), _RENAME)
            return False
        self.nics[model] = read_nic(data)
        return True

    def named(self, name: str, model: str, source: SourceMap, stem: str) -> bool:
        """Return whether a file is named after its model, to be contributed unchanged."""
        wanted = model.lower().replace(" ", "-")
        if stem.rpartition(".")[0] == wanted:
            return True
        vendor = "" if _kind(name) == "nics" else "VENDOR-"
        hint = f"rename the file to {vendor}{wanted}.yaml, in lower case"
        message = f"the file name does not match the model {model}"
        self.say(name, source, Code.BAD_VALUE, message, ("model",), hint)
        return False

    def valid(
        self,
        name: str,
        data: dict[str, Any],
        source: SourceMap,
        words: type[BaseModel],
        above: IntentPath = (),
    ) -> bool:
        """Check facts against their schema."""
        try:
            words.model_validate(data)
        except ValidationError as error:
            for item in error.errors(include_url=False, include_input=False):
                loc = _place(item["loc"])
                told = finding({**item, "loc": loc}, source.value((*above, *loc)), words)
                self.place(name, source, replace(told, path=(*above, *told.path)))
            return False
        return True

    def say(
        self,
        name: str,
        source: SourceMap,
        code: Code,
        message: str,
        path: IntentPath,
        hint: str = "",
    ) -> None:
        """Add an error at a place of a file."""
        self.place(name, source, Diagnostic(code, message, path=path, hint=hint))

    def place(self, name: str, source: SourceMap, told: Diagnostic) -> None:
        """Add an error with a file position instead of an intent path."""
        here = source.locate(told.path, key=told.at_key) or Position(name, 1, 1)
        self.findings.append(replace(told, path=(), position=here))


_ENTRY = re.compile("[A-Za-z0-9][ -~]{0,39}")
_THERE = "is in the catalog already"
_RENAME = "a site adds hardware and never replaces it; choose another name"
_HINTS = {
    Code.DUPLICATE_ID: _RENAME,
    Code.FACT_CONTRADICTS: "a site adds facts and never replaces one; remove the value, or "
    "describe the hardware under another name",
}
_PLACES = (
    "catalog/switches/VENDOR-MODEL.yaml, catalog/nics/MODEL.yaml, catalog/asics.yaml, "
    "catalog/optics.yaml or catalog/prices.csv"
)


def _place(loc: IntentPath) -> IntentPath:
    """Return the place of an error, without the model name that pydantic adds."""
    return tuple(part for part in loc if part not in (TOLD, NOT_TOLD, FIGURES, WHOLE))
