"""Compares saved configurations of running switches with those of a site by meaning.

The same grammar reads both, so layout, order and comments do not count. A finding names the saved
line and the rendered one.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from fabricgen.compile.compiler import folder_of
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Position, Severity, shortened
from fabricgen.core.tree.facts import Attributes, Key, subject_of
from fabricgen.core.tree.table import ALWAYS
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.registry import nos
from fabricgen.prove.evidence import rendered
from fabricgen.prove.foreign.folder import Found
from fabricgen.prove.foreign.reading import read
from fabricgen.prove.foreign.switch import Judged, finding

CHECK, NOUN = "saved-configurations", "facts compared"
SECRETS = frozenset({"hash", "key", "auth", "privacy", "password", "community"})
"""Attributes whose values no finding prints."""


def against(site: Site, folder: Path) -> Examined:
    """Compare the configurations in a folder with those that a site renders.

    Raises:
        OSError: The folder cannot be read.
    """
    reading = read((folder,), None)
    saved = {each.name.lower(): each for each in reading.switches}
    findings = list(reading.findings)
    objects = 0
    for owner, texts in rendered(site):
        if not isinstance(owner, Switch):
            continue
        running = saved.pop(owner.name.lower(), None)
        if running is None:
            why = f"{folder} has no configuration of {owner.name}"
            findings.append(_missing(Position(str(folder), 1, 1), why))
            continue
        objects += len(running.facts)
        findings += _compared(owner, running, texts)
    findings += [
        _missing(each.top, f"the site has no switch {each.name}") for each in saved.values()
    ]
    findings += [
        _missing(Position(str(folder / name), 1, 1), "this file is not a configuration of a switch")
        for name in reading.left
    ]
    shown = shortened(findings, "differences from saved configurations")
    return Examined(check=CHECK, objects=objects, noun=NOUN, findings=shown)


def _missing(place: Position, why: str) -> Diagnostic:
    return finding(Code.SAVED_MISSING, why, place, severity=Severity.WARNING)


def _compared(owner: Switch, running: Judged, texts: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield the differences of one switch's saved files from the rendered ones."""
    if running.platform != owner.platform:
        said = f"{owner.name} runs {running.platform}, but the site has {owner.platform}"
        yield finding(Code.SAVED_DIFFERS, said, running.top)
        return
    marker = nos(owner.platform).marker
    both = {path: text for path, text in texts.items() if path in running.texts}
    for path in texts.keys() - both.keys():
        if path in (marker, "frr.conf", "etc/frr/frr.conf"):
            yield _missing(running.top, f"{owner.name}: {path} was not saved")
    places = {path: f"rendered {folder_of(owner)}/{path}" for path in both}
    designed = Judged(Found(name=owner.name, platform=owner.platform, texts=both, places=places))
    for path, lines in running.unclaimed.items():
        for number, line in lines[:3]:
            place = Position(running.places[path], max(number, 1), 1)
            yield finding(Code.SAVED_DIFFERS, f"{owner.name}: not rendered: {line.strip()}", place)
    for key in dict.fromkeys((*designed.facts, *running.facts)):
        yield from _of_object(designed, running, key)


def _of_object(designed: Judged, running: Judged, key: Key) -> Iterator[Diagnostic]:
    """Yield the attributes of one object that differ."""
    wanted, has = designed.own(key), running.own(key)
    foreign = nos(running.platform).foreign
    left_out = foreign.load().unsaved if foreign is not None else frozenset()
    for name in dict.fromkeys((*wanted, *has)):
        one, other = wanted.get(name), has.get(name)
        hidden = PLACEHOLDER.search(str(one)) is not None
        unsaid = other is None and (key[0], key[1] if key[0] == ALWAYS else name, one) in left_out
        if one == other or (hidden and other is not None) or unsaid or name == "frr":
            continue
        said = f"{running.name}: {_words(key, name)} {_value(name, has)}, but the site has "
        said += _value(name, wanted)
        places = [each.place(key, name) for each, own in ((running, has), (designed, wanted))
                  if name in own]  # fmt: skip
        severity = Severity.ERROR if one is not None else Severity.WARNING
        yield finding(Code.SAVED_DIFFERS, said, *places, severity=severity)


def _words(key: Key, name: str) -> str:
    return f"line `{key[1]}`" if key[0] == ALWAYS else f"{subject_of(key)} {name}"


def _value(name: str, own: Attributes) -> str:
    value = own.get(name)
    if value is None:
        return "is missing" if not own else "none"
    if name in SECRETS or PLACEHOLDER.search(str(value)):
        return "another"
    return value if isinstance(value, str) else ", ".join(map(str, value))[:120]
