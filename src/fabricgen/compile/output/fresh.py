"""Texts by name in, the files of a new folder out; a folder that holds anything is refused."""

from collections.abc import Mapping
from pathlib import Path

from fabricgen.compile.output.standing import Refused


def write_fresh(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files into a folder that is new or empty."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Refused(f"{folder} is not an empty folder", "name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    except OSError as error:
        raise Refused(f"cannot write {folder}: {error.strerror or error}") from error
