"""Makes control characters, line breaks and text directions of a text visible.

Names and sentences come from switches, files and journals that others write. A control character
could move the cursor, hide a line or set the title of a terminal. A lone surrogate cannot be
printed at all.
"""

import re

_HIDDEN = "\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
_IN_A_LINE = re.compile(f"[\x00-\x1f{_HIDDEN}]")
_IN_LINES = re.compile(f"[\x00-\x08\x0b-\x1f{_HIDDEN}]")


def clean(text: str) -> str:
    r"""Return one line in which control characters, line breaks and text directions are visible.

    >>> clean("leaf1\x1b[2J")
    'leaf1\\u001b[2J'
    """
    return _IN_A_LINE.sub(_shown, text)


def clean_lines(text: str) -> str:
    """Return lines in which control characters are visible, except line breaks and tabs."""
    return _IN_LINES.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
