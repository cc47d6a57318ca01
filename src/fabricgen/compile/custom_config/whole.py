"""Read the custom files of a switch and report why some may not be written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.compile.custom_config.placing import Fault
from fabricgen.compile.custom_config.sentences import Refused, filled
from fabricgen.core.diagnostics import Code, dotted
from fabricgen.model.fabric.own_lines import FILES, OwnText
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.registry import nos_of

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from fabricgen.model.fabric.switch import SwitchSlice
    from fabricgen.nos.nos import Nos


@dataclass(slots=True)
class WholeFile:
    """One custom file for one switch. text: empty after an error."""

    own: OwnText
    text: str = ""
    faults: list[Fault] = field(default_factory=list)

    def say(self, code: Code, why: str, at: str = "", where: str = "") -> None:
        """Add a fault at a line, or at the file itself if `at` is empty."""
        at = at or f"/{self.own.file}"
        self.faults.append(Fault(own=self.own, at=at, code=code, why=why, where=where))


def kinds(runs: Nos) -> tuple[str, ...]:
    """Return the keys of `custom_config` that a platform takes."""
    return (*runs.own, *((FILES,) if runs.own_files is not None else ()))


def sound(switch_slice: SwitchSlice, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the own files of a switch, by path. texts: its files by design."""
    return {
        each.own.file: each.text for each in whole_files(switch_slice, texts) if not each.faults
    }


def whole_files(switch_slice: SwitchSlice, texts: Mapping[str, str]) -> list[WholeFile]:
    """Return the checked custom files of a switch.

    texts: its rendered files, by path.
    """
    late = nos_of(switch_slice.switch).own_files
    if late is None:
        return []
    takes, taken = late.load(), dict.fromkeys(texts, "")
    files = []
    for own in (each for each in switch_slice.own if each.kind == FILES):
        file = WholeFile(own)
        clash = next((path for path in taken if _meet(path, own.file)), None)
        if clash is not None:
            file.say(Code.OWN_LINE_CLASHES, "already exists:", where=f"/{clash}{taken[clash]}")
        elif why := takes.refusal(own.file):
            file.say(Code.OWN_LINES_REFUSED, why)
        else:
            _fill(file, switch_slice, takes.secret)
        taken[own.file] = f" by {dotted(own.because.main)}"
        files.append(file)
    return files


def _meet(one: str, other: str) -> bool:
    """Return whether two paths are one, or one a folder of the other."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _fill(file: WholeFile, switch_slice: SwitchSlice, secret: re.Pattern[str]) -> None:
    try:
        text = filled(file.own, switch_slice).rstrip("\n") + "\n"
    except Refused as refused:
        file.say(Code.OWN_LINES_REFUSED, refused.sentence, refused.at)
        return
    for number, line in enumerate(text.splitlines(), 1):
        for code, why in _of_secrets(line, secret):
            file.say(code, why, f"line {number}")
    if not file.faults:
        file.text = text


def _of_secrets(line: str, secret: re.Pattern[str]) -> Iterator[tuple[Code, str]]:
    """Find a secret in clear, and a reference that the switch would show the value of."""
    match = secret.search(line)
    said = match[2].strip("\"',;}] \t") if match is not None else ""
    if match is not None and not PLACEHOLDER.fullmatch(said):
        behind = f"`{match[1].strip()}`"
        yield Code.OWN_LINE_IN_CLEAR, f"a secret in clear text follows {behind}"
    elif match is None and PLACEHOLDER.search(line):
        words = (
            "a word such as `password`, `secret` or `token` at the start of the line, or before "
            "`:` or `=`"
        )
        yield Code.OWN_LINES_REFUSED, f"a reference must follow a word for secrets, {words}"
