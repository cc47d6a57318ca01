"""Prints the versioned JSON document of every verb, one value per line."""

import json
from collections.abc import Mapping
from io import StringIO

FORMAT = 1
"""Version of the JSON documents. Only a new version removes a key or changes its meaning."""


def document(data: Mapping[str, object]) -> str:
    """Return data as one document."""
    text = StringIO()  # `dumps` holds a list of all its parts: 50 MB for 512 switches
    json.dump({"format_version": FORMAT, **data}, text, indent=1)
    text.write("\n")
    return text.getvalue()
