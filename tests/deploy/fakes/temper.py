"""How a fake switch behaves: healthy, slow, gone, refusing, lying, or another one than it seems."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from napalm.base.exceptions import ConnectionException

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[3]
INSTALLED = Path(__file__).parent / "installed"
"""Where the entry point of the driver is; pytest itself has it from pyproject.toml."""


def installed(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a process that knows the driver `fake`."""
    paths = (str(ROOT), str(INSTALLED), environment.get("PYTHONPATH", ""))
    return {**environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """delay: seconds that connecting and committing take. refuses: text it takes no candidate with.

    lies: says that it committed and did not. breaks: text whose running takes all sessions down.
    hostname: what it calls itself, when that is another name than ours.
    """

    delay: float = 0.0
    gone: bool = False
    refuses: str = ""
    lies: bool = False
    breaks: str = ""
    hostname: str = ""
    serial: str = ""
    sessions: tuple[str, ...] = ("default spine1", "default spine2")

    @classmethod
    def read(cls, place: Path) -> Temper:
        """Read the temper of the switch in a folder."""
        try:
            kept = json.loads((place / "temper").read_text())
        except FileNotFoundError:
            return cls()
        return cls(**{**kept, "sessions": tuple(kept.get("sessions", cls().sessions))})

    def write(self, place: Path) -> None:
        """Give a fake switch this temper."""
        (place / "temper").write_text(json.dumps(asdict(self)))

    def wait(self, timeout: float) -> None:
        """Take the time it takes; ConnectionException when that is too long or it is gone."""
        time.sleep(min(self.delay, timeout))
        if self.gone or self.delay > timeout:
            raise ConnectionException("no answer")


def make_fakes(folder: Path, running: Mapping[str, str]) -> None:
    """Make fake switches, each with what it runs."""
    for name, text in running.items():
        place = folder / name
        place.mkdir(parents=True)
        (place / "running").write_text(text)
