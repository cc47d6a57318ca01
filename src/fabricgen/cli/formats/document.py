"""Prints the versioned JSON document of every verb, one value a line."""

import json
from collections.abc import Mapping

FORMAT = 1
"""A newer one may leave keys out or change what they mean; keys may come without it."""


def document(data: Mapping[str, object]) -> str:
    """Print data as one document."""
    return json.dumps({"format_version": FORMAT, **data}, indent=1) + "\n"
