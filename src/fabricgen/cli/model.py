"""Implements `fabricgen model SITE`, which prints the vendor-neutral model."""

import sys
from pathlib import Path

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import as_option, designed, form_option, site_argument


@define_verb("model", examples=("model intent/lab", "model intent/lab --as eos"))
@site_argument
@form_option("json")
@as_option
def command(site: Path, form: str, as_platform: str | None) -> int:
    """Print the vendor-neutral model.

    The page docs/reference/model.md describes the JSON document.
    """
    del form
    from fabricgen.compile.reports.model import write_model

    write_model(designed(site, as_platform).site, sys.stdout)
    return 0
