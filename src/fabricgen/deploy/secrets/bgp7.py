"""A BGP password and its neighbour in; the spelling in which EOS keeps and shows it, type 7, out.

Unlike that of `type7.py` it depends on the neighbour: DES in CBC, its key from
`<neighbour>_passwd`. It hides nothing from who can read it. As `bgp_encrypt` of pyavd 6.4.0.
"""

from base64 import b64encode

_SEED = bytes.fromhex("d5a8c91ef5d58a23")
_MARK = bytes.fromhex("4c88bb")


def bgp7(neighbour: str, password: str) -> str:
    """Return a password as `neighbor … password 7` takes it; needs cryptography, as SSH does."""
    from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES  # noqa: PLC0415 - slow
    from cryptography.hazmat.primitives.ciphers import Cipher, modes  # noqa: PLC0415 - slow

    text = password.encode()
    filler = -(len(text) + 4) % 8
    plain = _MARK + bytes([filler * 16 + 14]) + text + bytes(filler)
    key = _key(f"{neighbour}_passwd")
    cipher = Cipher(TripleDES(key * 3), modes.CBC(bytes(8))).encryptor()
    return b64encode(cipher.update(plain) + cipher.finalize()).decode()


def _key(text: str) -> bytes:
    """Fold a text into a key of DES, which has no use for the lowest bit of an octet."""
    folded = bytearray(_SEED)
    for place, octet in enumerate(text.encode()):
        folded[place % 8] ^= octet
    return bytes(octet & 127 for octet in folded)
