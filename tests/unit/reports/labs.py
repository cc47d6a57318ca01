"""Labs of the example sites for the tests of this folder, compiled and rendered once each."""

from functools import cache
from pathlib import Path

from fabricgen.compile.compiler import compile_site, files
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import OURS
from fabricgen.operate.export.containerlab.folder import Export, export
from fabricgen.operate.export.containerlab.topology import Lab, lay_out

ROOT = Path(__file__).resolve().parents[3]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
PLATFORMS = (None, *OURS)


@cache
def designed(name: str, platform: str | None = None) -> Site:
    """Compile an example site; a lab has no use for hardware, so any platform may run on it."""
    made = compile_site(load_site(ROOT / "intent" / name), platform)
    assert made.site is not None
    wrong = {item.code for item in made.findings if item.severity is Severity.ERROR}
    assert wrong <= {Code.MODEL_NOT_ON_PLATFORM}
    return made.site


@cache
def laid_out(name: str, platform: str | None = None) -> Lab:
    """Lay an example site out as a lab."""
    return lay_out(designed(name, platform))


@cache
def exported(name: str, platform: str | None = None) -> Export:
    """Export an example site."""
    site = designed(name, platform)
    return export(site, files(site))


def texts(made: Export) -> dict[str, str]:
    """Return the files of an export by path."""
    return {file.path: file.text for file in made.files}
