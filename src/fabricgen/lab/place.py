"""Where a lab keeps its few files on this machine, and which labs run."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabricgen.lab.client import LabFailure


def labs_folder() -> Path:
    """Return the folder of this user's labs, readable by no one else."""
    runtime = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    folder = Path(runtime) / f"fabricgen-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise LabFailure(f"{folder} belongs to somebody else")
    return folder


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one lab."""

    folder: Path

    @classmethod
    def of(cls, name: str) -> Place:
        """Return the place of the lab of that name, there or not."""
        return cls(labs_folder() / name)

    @property
    def name(self) -> str:
        """The lab's name: its site's."""
        return self.folder.name

    @property
    def socket(self) -> Path:
        """Where its keeper listens."""
        return self.folder / "socket"

    @property
    def files(self) -> Path:
        """The rendered tree it was booted from."""
        return self.folder / "files"

    @property
    def intent(self) -> Path:
        """A copy of the intent it was compiled from: what is up stays comparable."""
        return self.folder / "intent"

    @property
    def key(self) -> Path:
        """The SSH key that opens its switches."""
        return self.folder / "key"

    @property
    def known_hosts(self) -> Path:
        """The host keys of its switches."""
        return self.folder / "known_hosts"

    @property
    def log(self) -> Path:
        """What keeper, machine and engine said."""
        return self.folder / "log"

    @property
    def alive(self) -> bool:
        """Tell whether a keeper answers there."""
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(str(self.socket))
            except OSError:
                return False
        return True

    def facts(self) -> dict[str, Any]:
        """Return what `up` noted: the way, the part, what each switch took and left out."""
        noted: dict[str, Any] = json.loads((self.folder / "up").read_text())
        return noted

    def clear(self) -> None:
        """Remove what a lab that is no more left there."""
        shutil.rmtree(self.folder, ignore_errors=True)


def running() -> list[Place]:
    """Return the labs that run; what dead ones left is removed."""
    found = []
    for folder in sorted(labs_folder().iterdir()):
        place = Place(folder)
        if place.alive:
            found.append(place)
        elif not (folder / "starting").exists():
            place.clear()
    return found


def chosen(name: str | None) -> Place:
    """Return the lab that is meant: the one of that name, or the only one there is."""
    labs = running()
    if name is not None:
        labs = [place for place in labs if place.name == name]
    if not labs:
        what = f"no lab {name!r} is up" if name else "no lab is up"
        raise LabFailure(f"{what}; `fabricgen lab up SITE` boots one")
    if len(labs) > 1:
        raise LabFailure(f"several labs are up: {', '.join(p.name for p in labs)}; name one, --lab")
    return labs[0]
