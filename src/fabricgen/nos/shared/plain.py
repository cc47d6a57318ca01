"""Replace control characters in answers of switches, which a terminal would obey."""

import re

_ESCAPED = re.compile(
    r"\\(?:(\\)|[bfnrt]|u00[01][0-9a-fA-F]|u00[7-9][0-9a-fA-F]|u20[0-6][0-9a-fA-F])"
)
_CONTROL = re.compile(r"[^\n\x20-\x7e\u00a1-\u1fff\u2100-\ud7ff]")


def plain(text: str) -> str:
    """Replace control characters in JSON text, where they are escapes."""
    return _ESCAPED.sub(lambda match: match[0] if match[1] else " ", text)


def printable(text: str) -> str:
    """Replace control characters in text, except the ends of lines."""
    return _CONTROL.sub(" ", text)
