"""Reads the running switches of a site as the sides of a review."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.cli.plan import looked
from fabricgen.cli.switch_connections import deployment
from fabricgen.intent.load import load_site

if TYPE_CHECKING:
    from fabricgen.cli.switch_options import SiteSelection
    from fabricgen.review.side import Side


def live_sides(asked: SiteSelection) -> tuple[Side, Side]:
    """Return the running configuration and the candidate of a site. No switch changes."""
    from fabricgen.review.live import running, storing

    ready = deployment(asked)
    lens = storing(ready.lens)
    looks = looked(asked, replace(ready, lens=lens), sys.maxsize, reload=True)
    return running(str(asked.site), ready.site, looks, lens.files, load_site(asked.site))
