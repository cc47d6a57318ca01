"""Encode a secret in type 7, as EOS stores and shows it.

EOS encodes a clear-text key in one of sixteen ways, so the running configuration would differ from
the pushed text. Type 7 does not protect a secret from a reader. It is XOR with a known text. A BGP
password is DES in CBC with a key from `<neighbor>_passwd` (as `bgp_encrypt` of pyavd 6.4.0).
"""

from base64 import b64encode
from itertools import cycle

_SALT = 7
_TEXT = b"dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87"
"""Vigenère key of EOS and IOS (`simple_7_encrypt` of pyavd 6.4.0)."""


def type7(value: str) -> str:
    """Encode a value for `key 7`: the salt in two digits, then bytes in hexadecimal."""
    key = cycle(_TEXT[_SALT:] + _TEXT[:_SALT])
    hidden = (letter ^ mask for letter, mask in zip(value.encode(), key, strict=False))
    return f"{_SALT:02}" + "".join(f"{byte:02X}" for byte in hidden)


_SEED = bytes.fromhex("d5a8c91ef5d58a23")
_MARK = bytes.fromhex("4c88bb")


def bgp7(neighbor: str, password: str) -> str:
    """Encode a password for `neighbor … password 7`; needs the package cryptography."""
    from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES  # noqa: PLC0415 - slow
    from cryptography.hazmat.primitives.ciphers import Cipher, modes  # noqa: PLC0415 - slow

    text = password.encode()
    filler = -(len(text) + 4) % 8
    plain = _MARK + bytes([filler * 16 + 14]) + text + bytes(filler)
    key = _key(f"{neighbor}_passwd")
    cipher = Cipher(TripleDES(key * 3), modes.CBC(bytes(8))).encryptor()
    return b64encode(cipher.update(plain) + cipher.finalize()).decode()


def _key(text: str) -> bytes:
    """Fold a text into a DES key. DES ignores the lowest bit of each octet."""
    folded = bytearray(_SEED)
    for place, octet in enumerate(text.encode()):
        folded[place % 8] ^= octet
    return bytes(octet & 127 for octet in folded)
