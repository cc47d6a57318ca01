"""A line with a secret in clear, or with a short word before a secret, is refused."""

import pytest

from fabricgen.compile.custom_config.placing import wrong
from fabricgen.core.diagnostics import Code
from fabricgen.nos.eos.own_lines import FILE as EOS

REFERENCE = "<<secret:plain:own@env:KEY>>"
SHORT = {
    "passwor": "password",
    "passphras": "passphrase",
    "secre": "secret",
    "communit": "community",
    "authentication-k": "authentication-key",
    "key-str": "key-string",
    "message-digest": "message-digest-key",
}
IN_CLEAR = {
    "password": "daemon --password=blue",
    "passphrase": "daemon passphrase: blue",
    "secret": "daemon my_secret=blue",
    "token": "daemon token: blue",
    "psk": 'daemon {"psk": blue}',
    "cvauth": "daemon -cvauth=token,blue",
    "API key": "daemon api_key=blue",
    "private key": "daemon private-key: blue",
    "PEM": "daemon -----BEGIN",
    "base64": f"daemon {'bT' * 30}==",
}


@pytest.mark.parametrize(("short", "full"), SHORT.items(), ids=SHORT.values())
def test_a_short_word_of_secrets_is_refused_with_the_whole_word(short: str, full: str) -> None:
    found = wrong(f"feature {short} {REFERENCE}", EOS)
    why = f"`{short}` is short for `{full}`: use the full word, after which the value is hidden"
    assert found == (Code.OWN_LINES_REFUSED, why)


@pytest.mark.parametrize("line", IN_CLEAR.values(), ids=IN_CLEAR)
def test_a_secret_in_clear_is_refused_behind_any_word_for_one(line: str) -> None:
    found = wrong(line, EOS)
    assert found is not None
    assert found[0] is Code.OWN_LINE_IN_CLEAR
    assert "blue" not in found[1]


@pytest.mark.parametrize(
    "line",
    [
        "vlan 10",
        "   key chain",
        "   authentication mode md5",
        "   description the rack of passwor",
        f"management ssh key AAAA{'bT' * 30}",
        f"enable secret {REFERENCE}",
        f"   option password value {REFERENCE}",
        f"   option client-secret value {REFERENCE}",
    ],
)
def test_a_line_without_a_secret_in_clear_is_taken(line: str) -> None:
    assert wrong(line, EOS) is None
