"""Defines the limits of measured values of running switches in the intent."""

from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.intent.settings import carries
from fabricgen.model.settings import watching


@carries(watching.WatchLimits, is_rendered=False)
class WatchLimits(IntentModel):
    """Limits in the intent: the settings of model/settings/watching.py."""
