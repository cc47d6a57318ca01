"""Each word by which a platform recognizes a secret hides what follows it."""

import re

import pytest

from fabricgen.compile.custom_config.placing import wrong
from fabricgen.nos.eos.driver.configuration import SECRETS, hide
from fabricgen.nos.linux.driver.onswitch import files
from fabricgen.nos.linux.driver.onswitch.own_files import SECRET
from fabricgen.nos.shared.onswitch.hidden import ROUTING
from fabricgen.nos.sonic.driver.onswitch import shown
from fabricgen.nos.sonic.own_lines import CONFIG_DB

EOS = (
    "username admin secret sha512 HIDDEN",
    "neighbor 192.0.2.1 password 7 HIDDEN",
    "key blue 7 HIDDEN",
    "tacacs-server key HIDDEN",
    "radius-server host 192.0.2.1 key HIDDEN",
    "client 192.0.2.1 vrf MGMT key HIDDEN",
    "key 0abc HIDDEN",
    "isis authentication key HIDDEN",
    "vrrp 1 authentication HIDDEN",
    "ospfv3 authentication ipsec spi 256 md5 HIDDEN",
    "option password value HIDDEN",
    "option client-secret value HIDDEN",
    "option api-token value HIDDEN",
    "option key value HIDDEN",
    "snmp-server community HIDDEN ro",
    "snmp-server host 192.0.2.1 version 2c HIDDEN",
    "snmp-server user blue group v3 auth sha HIDDEN",
    "snmp-server user blue group v3 priv aes HIDDEN",
    "ntp authentication-key 1 md5 HIDDEN",
    "ip ospf message-digest-key 1 md5 HIDDEN",
    "ip ospf authentication-key HIDDEN",
    "vrrp 1 authentication text HIDDEN",
    "key-string HIDDEN",
    "shared-key HIDDEN",
    "pre-shared-key HIDDEN",
    "passphrase HIDDEN",
)
FRR = (
    "neighbor 192.0.2.1 password HIDDEN",
    "ip ospf message-digest-key 1 md5 HIDDEN",
    "key-string HIDDEN",
    "ip ospf authentication-key HIDDEN",
    "passphrase HIDDEN",
    "ip rip authentication string HIDDEN",
    "ip nhrp authentication HIDDEN",
    "tcp-md5-auth HIDDEN",
    "ipv6 ospf6 authentication key-id 1 hash-algo hmac-sha-256 key HIDDEN",
)
SONIC = (
    ("SNMP_COMMUNITY", "HIDDEN", "TYPE", "RO"),
    ("NTP_KEY", "1", "value", "HIDDEN"),
    ("BGP_NEIGHBOR", "192.0.2.1", "password", "HIDDEN"),
    ("TACPLUS", "global", "passkey", "HIDDEN"),
    ("RADIUS", "global", "Secret", "HIDDEN"),
    ("GNMI", "global", "auth_token", "HIDDEN"),
    ("MACSEC_PROFILE", "blue", "primary_cak", "HIDDEN"),
    ("SNMP_TRAP_CONFIG", "v2TrapDest", "Community", "HIDDEN"),
    ("OSPF", "Ethernet0", "authentication-key", "HIDDEN"),
    ("DEVICE_METADATA", "localhost", "admin_hash", "HIDDEN"),
)
SNMP = (
    "rocommunity HIDDEN",
    "rwcommunity HIDDEN",
    "rocommunity6 HIDDEN",
    "createUser blue SHA HIDDEN",
    "com2sec notConfigUser default HIDDEN",
    "com2sec6 notConfigUser default HIDDEN",
    "trapcommunity HIDDEN",
    "trapsink 192.0.2.1 HIDDEN",
    "trap2sink 192.0.2.1 HIDDEN",
    "informsink 192.0.2.1 HIDDEN",
    "trapsess -A HIDDEN 192.0.2.1",
)
OWN_FILE = (
    "my_password HIDDEN",
    "passphrase: HIDDEN",
    "client.secret=HIDDEN",
    '{"token": "HIDDEN"}',
    "wpa-psk HIDDEN",
    "community = HIDDEN",
    "api_key = HIDDEN",
    "private-key: HIDDEN",
    "wireless-key HIDDEN",
)


@pytest.mark.parametrize("line", EOS)
def test_eos_hides_what_follows_a_word_for_a_secret(line: str) -> None:
    assert "HIDDEN" not in hide(f"   {line}\n")


@pytest.mark.parametrize("pattern", SECRETS, ids=lambda each: each.pattern)
def test_each_pattern_of_eos_has_a_line_that_no_other_one_finds(pattern: re.Pattern[str]) -> None:
    others = [each for each in SECRETS if each is not pattern]
    assert [
        line
        for line in EOS
        if pattern.search(line) and not any(each.search(line) for each in others)
    ]


@pytest.mark.parametrize("line", FRR)
def test_frr_hides_what_follows_a_word_for_a_secret(line: str) -> None:
    match = ROUTING.search(f" {line}")
    assert match is not None
    assert match[2] == "HIDDEN"


@pytest.mark.parametrize(("table", "key", "field", "value"), SONIC)
def test_sonic_hides_fields_and_keys_that_are_secrets(
    table: str, key: str, field: str, value: str
) -> None:
    assert "HIDDEN" not in str(shown.shown({table: {key: {field: value}}}))


@pytest.mark.parametrize(("table", "key", "field", "value"), SONIC)
def test_own_lines_of_sonic_have_no_secret_in_clear(
    table: str, key: str, field: str, value: str
) -> None:
    found = wrong(f"{table} > {key} > {field} {value}", CONFIG_DB)
    assert found is not None
    assert "HIDDEN" not in found[1]


@pytest.mark.parametrize("line", SNMP)
def test_linux_hides_communities_and_keys_of_snmp(line: str) -> None:
    assert "HIDDEN" not in files.hide("etc/snmp/snmpd.conf", f"{line}\n")


@pytest.mark.parametrize("line", OWN_FILE)
def test_an_own_file_hides_what_follows_a_word_for_a_secret(line: str) -> None:
    match = SECRET.search(line)
    assert match is not None
    assert "HIDDEN" in match[2]


@pytest.mark.parametrize("path", ["etc/fabricgen/passwords", "etc/frr/frr.conf", "etc/motd"])
def test_each_file_of_linux_is_shown_without_its_secrets(path: str) -> None:
    line = {"etc/fabricgen/passwords": "admin:HIDDEN", "etc/motd": "password: HIDDEN"}
    text = line.get(path, " neighbor 192.0.2.1 password HIDDEN")
    assert "HIDDEN" not in files.hide(path, f"{text}\n")


def test_interfaces_of_linux_are_shown_without_secrets() -> None:
    assert "HIDDEN" not in files.hide("etc/network/interfaces", "    wpa-psk HIDDEN\n")
