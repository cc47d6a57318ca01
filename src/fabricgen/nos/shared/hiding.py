"""Replaces the secrets in a saved configuration by tokens of the caller."""

import re
from collections.abc import Callable, Iterable

Token = Callable[[str], str]
"""Returns the token of a secret."""
Hiding = Callable[[str, Token], str]
"""Returns a text with a token in the place of each secret."""
_HIDDEN = "<<hidden:"


def hiding(patterns: Iterable[re.Pattern[str]]) -> Hiding:
    """Return the function for patterns with two groups: the text before a secret, and the secret.

    Another pattern may match a token, which stays.
    """
    every = tuple(patterns)

    def hide(text: str, token: Token) -> str:
        def hidden(match: re.Match[str]) -> str:
            kept, secret = match.group(1, 2)
            return match[0] if secret.startswith(_HIDDEN) else f"{kept}{token(secret)}"

        for pattern in every:
            text = pattern.sub(hidden, text)
        return text

    return hide
