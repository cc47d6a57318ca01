"""A secret in; the spelling in which EOS keeps and shows it, type 7, out.

A switch that is given a key in the clear picks one of sixteen spellings, so what runs would differ
from what was pushed. Type 7 hides nothing from who can read it: XOR with a known text.
"""

from itertools import cycle

_SALT = 7
_TEXT = b"dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87"
"""Vigenère's key, the same in EOS and IOS (`simple_7_encrypt` of pyavd 6.4.0 has it)."""


def type7(value: str) -> str:
    """Return a value as `key 7` takes it: the salt in two digits, then bytes in hexadecimal."""
    key = cycle(_TEXT[_SALT:] + _TEXT[:_SALT])
    hidden = (letter ^ mask for letter, mask in zip(value.encode(), key, strict=False))
    return f"{_SALT:02}" + "".join(f"{byte:02X}" for byte in hidden)
