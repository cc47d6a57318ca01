"""The file of a plan in; the signatures that stand in the folder beside it, read or one more kept.

A file for each person and act, so that two people who approve in two branches of a repository, or
in two jobs of a pipeline, write two files.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from fabricgen.core.confined import Folder, Refused, write_whole
from fabricgen.operate.deploy.journal.words import Signed
from fabricgen.operate.deploy.team.signed import NoSignature, read, written

_MOST = 16 * 2**10
"""Bytes of one file: an RSA signature of 16,384 bits has 3 KiB."""
_FILES = 100


def folder_of(plan: Path) -> Path:
    """Return where the signatures of a plan are kept."""
    return plan.parent / f"{plan.name}.approvals"


def keep(plan: Path, signed: Signed) -> Path:
    """Write a signature beside its plan, whole or not at all. OSError when that cannot be."""
    folder = folder_of(plan)
    if folder.is_symlink():
        raise Refused("a link; nothing is written through it")
    folder.mkdir(exist_ok=True)
    path = folder / f"{signed.who}.{signed.act}"
    write_whole(path, written(signed))
    return path


def kept(plan: Path) -> Iterator[tuple[str, Signed | str]]:
    """Yield the name of each file beside a plan, and what was signed or why it is nothing."""
    folder = folder_of(plan)
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names alone; no link is followed below
    except FileNotFoundError:
        return
    except OSError as error:
        yield folder.name, str(error.strerror)
        return
    if len(names) > _FILES:
        yield folder.name, f"more than {_FILES} files: none was read"
        return
    with Folder(plan.parent) as root:
        for name in names:
            try:
                yield name, read(root.text(f"{folder.name}/{name}", _MOST))
            except UnicodeDecodeError:
                yield name, "it is not text"
            except OSError as error:
                yield name, str(error.strerror)
            except NoSignature as none:
                yield name, str(none)
