"""Reads the templates in the folder `templates/` of a site, which override those of fabricgen.

They may come from an untrusted pull request. So only plain files of a bounded size are read, and no
link is followed.
"""

from collections.abc import Mapping
from pathlib import Path

from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.core.record import record

FOLDER = "templates"
"""Folder name within a site; no file below it is read as intent."""
SUFFIX = ".j2"
MAX_TEMPLATE = 2**20


@record()
class OwnTemplate:
    """One template of a site. `name`: as built in, eos/bgp.j2. `place`: its printed path."""

    name: str
    text: str
    place: str


OwnTemplates = tuple[OwnTemplate, ...]
"""The templates of one site, by name. Empty for almost every site."""


def is_template(path: str) -> bool:
    """Return whether a path below a site is in the folder of its templates."""
    return path.partition("/")[0] == FOLDER


def templates_of(texts: Mapping[str, str], place: str = "") -> OwnTemplates:
    """Return the templates among the files of a site, given as path below it to text."""
    return tuple(
        OwnTemplate(path.removeprefix(f"{FOLDER}/"), text, f"{place}{path}")
        for path, text in sorted(texts.items())
        if is_template(path) and path.endswith(SUFFIX)
    )


def read_templates(site: Path) -> tuple[OwnTemplates, list[Diagnostic]]:
    """Read the templates of a site."""
    texts: dict[str, str] = {}
    findings = []
    with Folder(site) as folder:
        for path in sorted((site / FOLDER).rglob(f"*{SUFFIX}")):
            inner = path.relative_to(site).as_posix()
            try:
                texts[inner] = folder.text(inner, MAX_TEMPLATE)
            except (OSError, UnicodeDecodeError) as error:
                reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
                place = Position(str(path), 1, 1)
                findings.append(
                    Diagnostic(Code.TEMPLATE_FAILED, f"cannot be read: {reason}", position=place)
                )
    return templates_of(texts, f"{site}/"), findings
