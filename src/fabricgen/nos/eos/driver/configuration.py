"""Normalize and compare configuration texts of EOS and mask their secrets.

Equal secrets get equal tokens and different secrets get different ones, so masked texts can be
compared. The words before a secret come from napalm/base/constants.py (CISCO_SANITIZE_FILTERS,
EOS_SANITIZE_FILTERS) and from lines that `show running-config sanitized` replaces, as AVD's
eos_cli_config_gen writes them.
"""

import re
from difflib import unified_diff
from hashlib import sha256

_TYPE = r"(?:(?:0|5|7|8a|\*|sha512|encrypted) )?"

SECRETS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        # username, enable, aaa root; a password of BGP neighbors and of management accounts.
        # `option client-secret value X` has its secret behind `value`.
        rf"(\bsecret (?!value \S){_TYPE})(\S+)",
        rf"(\bpassword (?!minimum |encryption-key |encryption |policy |value \S){_TYPE})(\S+)",
        # TACACS+, RADIUS, IS-IS, MACsec: `key 7 …`, `key NAME 7 …`; the typeless form of servers.
        r"(\bkey (?:\S+ )?(?:0|7|8a) )(\S+)",
        r"(\b(?:tacacs|radius)-server (?:[^\n]+ )?key (?:(?:0|7|8a) )?)(\S+)",
        r"(\bclient \S+ (?:vrf \S+ )?key (?:(?:0|7|8a) )?)(\S+)",
        # MACsec without a type, IS-IS, VRRP, IPsec of OSPFv3, options of daemons.
        r"(\bkey [0-9a-fA-F]{2,} (?:(?:0|7|8a) )?)(\S+)",
        r"(\bauthentication key (?:(?:0|7|8a) )?)(\S+)",
        r"(\bvrrp \d+ authentication (?!text |ietf-md5 ))(\S+)",
        r"(\bipsec spi \d+ \S+ (?:passphrase )?(?:(?:0|7|8a) )?)(\S+)",
        r"(\boption \S*(?:passw|secret|token|key)\S* value )(\S+)",
        r"(\bsnmp-server community )(\S+)",
        r"(\bsnmp-server host \S+(?: vrf \S+)?(?: informs| traps)?(?: version (?:1|2c))? )(\S+)",
        r"(\bsnmp-server user [^\n]+? auth \S+ )(\S+)",
        r"(\bsnmp-server user [^\n]+? priv \S+ )(\S+)",
        rf"(\bntp auth\S* \d+ \S+ {_TYPE})(\S+)",
        rf"(\bmessage-digest-key \d+ \S+ {_TYPE})(\S+)",
        rf"(\bauthentication-key (?!\d+ (?:md5|sha1) ){_TYPE})(\S+)",
        rf"(\bauthentication text {_TYPE})(\S+)",
        rf"(\b(?:key-string|shared-secret|shared-key|pre-shared-key|passphrase) {_TYPE})(\S+)",
    )
)


def hide(text: str) -> str:
    """Return the text with its secrets masked."""
    for secret in SECRETS:
        text = secret.sub(_hidden, text)
    return text


def _hidden(match: re.Match[str]) -> str:
    kept, value = match.groups()
    if value.startswith("<<hidden:"):
        return match.group()
    return f"{kept}<<hidden:{sha256(value.encode()).hexdigest()[:12]}>>"


def normal(text: str) -> str:
    """Return the text without its header, the comments before the first configuration line.

    `! Command:`, `! device:`, `! Startup-config last modified`: how, where, when it was shown.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    start = next((at for at, line in enumerate(lines) if not line.startswith("!")), len(lines))
    return "".join(f"{line}\n" for line in lines[start:] if line)


def digest(text: str) -> str:
    """Return a short digest that identifies a configuration and reveals no content."""
    return sha256(text.encode()).hexdigest()[:12]


def difference(now: str, wanted: str) -> str:
    """Return the changes that lead to `wanted`; empty if there are none."""
    lines = list(unified_diff(hide(now).splitlines(), hide(wanted).splitlines(), lineterm=""))
    return "\n".join(lines[2:])
