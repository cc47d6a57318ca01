"""Resolve the limits of measured values of running switches."""

from fabricgen.intent.model.intent import Intent
from fabricgen.intent.settings import given
from fabricgen.model.settings.watching import WatchLimits


def limits_of(intent: Intent) -> WatchLimits:
    """Return the limits of a site. A refused value is an error elsewhere and the default here."""
    return WatchLimits(**given(WatchLimits, intent.unless_refused("watch")))
