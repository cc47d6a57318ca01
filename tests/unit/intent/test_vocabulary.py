"""The small words of the intent: what each accepts, and what it says to the rest."""

from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter, ValidationError

from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import (
    Address,
    Asn,
    InterfaceAddress,
    Mac,
    Name,
    Network,
    Numbers,
    Pattern,
    SafeText,
    Speed,
    fill,
)

KINDS: dict[str, Any] = {
    "address": Address,
    "asn": Asn,
    "interface": InterfaceAddress,
    "mac": Mac,
    "name": Name,
    "network": Network,
    "numbers": Numbers,
    "pattern": Pattern,
    "secret": SecretReference,
    "text": SafeText,
    "speed": Speed,
}
STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True)
TYPES = {name: TypeAdapter[Any](kind, config=STRICT) for name, kind in KINDS.items()}

GOOD = [
    ("address", "10.0.0.1"),
    ("address", "2001:db8::1"),
    ("asn", 1),
    ("asn", 4_294_967_294),
    ("interface", "192.0.2.1/31"),
    ("interface", "192.0.2.0/31"),
    ("interface", "10.0.0.5/8"),
    ("mac", "00:1c:73:00:00:99"),
    ("name", "a"),
    ("name", "oslo-2"),
    ("network", "10.0.0.0/8"),
    ("network", "0.0.0.0/0"),
    ("network", "10.0.0.1/32"),
    ("network", "2001:db8::/48"),
    ("numbers", "1-10000"),
    ("numbers", "7"),
    ("pattern", "be-su{unit:02}-leaf{index}"),
    ("pattern", "{site}"),
    ("secret", "env:ADMIN_HASH"),
    ("secret", "vault:kv/fabric/bgp#leaf"),
    ("secret", "file:../secrets/admin.hash"),
    ("secret", "sops:secrets.yaml#users.0.hash"),
    ("secret", "x-vendor:safe/admin#hash"),
    ("text", "Hall 4, row 2 (serving); 50% <test> [/1] =x @team {{ 7*7 }}"),
    ("speed", "400G"),
    ("speed", "1.6T"),
    ("speed", "100M"),
]


@pytest.mark.parametrize(("kind", "value"), GOOD)
def test_a_good_value_is_taken(kind: str, value: object) -> None:
    TYPES[kind].validate_python(value)


BAD = [
    ("address", 1, "an address must be text; put it in quotes"),
    ("address", ["10.0.0.1"], "an address must be text, but this is a list"),
    ("address", {"10.0.0.1": 1}, "an address must be text, but this is a mapping"),
    ("address", None, "an address must be text, but this is no value"),
    ("address", "10.0.0", "not an IP address"),
    ("address", "010.0.0.1", "not an IP address"),
    ("address", "10.0.0.1/24", "not an IP address"),
    ("address", "10.0.0.1\n", "not an IP address"),
    ("address", "leaf1", "not an IP address"),
    ("asn", 0, "greater than or equal to 1"),
    ("asn", 4_294_967_295, "less than or equal to 4294967294"),
    ("asn", "65000:1", "valid integer"),
    ("interface", 3, "an interface address must be text"),
    ("interface", "192.0.2.1", "IPv4 address/length"),
    ("interface", "192.0.2.1/31\n", "IPv4 address/length"),
    ("interface", "192.0.2.1/255.255.255.0", "IPv4 address/length"),
    ("interface", "2001:db8::1/64", "IPv4 address/length"),
    ("interface", "192.0.2.256/24", "not an IPv4 address"),
    ("interface", "192.0.2.1/33", "not an IPv4 address"),
    ("interface", "192.0.02.1/31", "not an IPv4 address"),
    ("interface", "192.0.2.1/032", "IPv4 address/length"),
    ("interface", "192.0.2.1/07", "four decimal numbers"),
    ("interface", "192.0.2.1/32", "room for two ends"),
    ("interface", "0.0.0.0/0", "room for two ends"),
    ("interface", "192.0.2.0/30", "first and the last address of 192.0.2.0/30"),
    ("interface", "192.0.2.3/30", "first and the last address of 192.0.2.0/30"),
    ("mac", "00:1C:73:00:00:99", "pattern"),
    ("mac", "001c.7300.0099", "pattern"),
    ("name", "Oslo", "pattern"),
    ("name", "-rf", "pattern"),
    ("name", "../../etc/cron.d/x", "pattern"),
    ("name", ".", "pattern"),
    ("name", "a/b", "pattern"),
    ("name", "leaf1\n", "pattern"),
    ("name", "l\u0435af", "pattern"),
    ("name", "x" * 300, "pattern"),
    ("network", "10.0.0.1/24", "host bits are set; the prefix is 10.0.0.0/24"),
    ("network", "10.0.0.0", "write a prefix as address/length"),
    ("network", "10.0.0.0/33", "not an IP prefix"),
    ("network", "010.0.0.0/8", "not an IP prefix"),
    ("network", "10/8", "not an IP prefix"),
    ("network", "10.0.0.0/255.0.0.0", "write a prefix as address/length"),
    ("network", "2001:db8::1/48", "host bits are set"),
    ("network", "2001:db8::/48\n", "write a prefix as address/length"),
    ("network", 167772160, "a prefix must be text"),
    ("numbers", 5, "must be text"),
    ("numbers", "1-40000000", "write numbers from 1"),
    ("numbers", f"1-{10**12}", "write numbers from 1"),
    ("numbers", "1-999999", "more than 10,000 numbers"),
    ("numbers", ",".join(["1-5000"] * 3), "more than 10,000 numbers"),
    ("numbers", "1-4,4", "a number is listed twice"),
    ("numbers", "4-1", "a range must rise"),
    ("numbers", "0-3", "a range must rise"),
    ("numbers", "", "write numbers from 1"),
    ("numbers", "1-", "write numbers from 1"),
    ("numbers", "-1", "write numbers from 1"),
    ("numbers", "1-2-3", "write numbers from 1"),
    ("numbers", "\u0661-\u0662", "write numbers from 1"),
    ("pattern", "Leaf{index}", "lower-case letters"),
    ("pattern", "leaf{{ 7*7 }}", "lower-case letters"),
    ("pattern", "leaf/{index}", "lower-case letters"),
    ("pattern", "leaf{index:2}", "lower-case letters"),
    ("pattern", "{index.__class__}", "lower-case letters"),
    ("pattern", "x" * 41, "lower-case letters"),
    ("pattern", "", "start and end with a letter or digit"),
    ("pattern", "-{index}", "start and end with a letter or digit"),
    ("pattern", "{index}-", "start and end with a letter or digit"),
    ("pattern", 5, "a name pattern must be text"),
    ("secret", "hunter2", "pattern"),
    ("secret", "env:", "pattern"),
    ("secret", "env:A B", "pattern"),
    ("secret", 'env:A"', "pattern"),
    ("secret", "env:A\n", "pattern"),
    ("secret", "https:x", "pattern"),
    ("secret", "evn:ADMIN_HASH", "pattern"),
    ("secret", "sops:secrets.yaml", "pattern"),
    ("secret", "vault:kv/fabric/bgp", "pattern"),
    ("secret", "x-:safe", "pattern"),
    ("text", "", "at least 1 character"),
    ("text", "x" * 201, "at most 200 characters"),
    ("text", "a\nno shutdown", "U+000A at position 2"),
    ("text", "a\rb", "U+000D"),
    ("text", "a\tb", "U+0009"),
    ("text", "a\u2028b", "U+2028"),
    ("text", "a\u202eb", "U+202E"),
    ("text", "a\x1b[2J", "U+001B"),
    ("text", "a\x00b", "U+0000"),
    ("text", "a\x85b", "U+0085"),
    ("text", "München", "U+00FC"),
    ("text", 'say "hi"', "must not contain"),
    ("text", "why?", "must not contain"),
    ("text", "a`b", "must not contain"),
    ("text", "a\\b", "must not contain"),
    ("text", "web ${__import__('os').getpid()}", "would execute"),
    ("text", "<%def>", "would execute"),
    ("text", "!comment", "start with !"),
    ("text", "#comment", "start with !"),
    ("text", " a", "begin or end with spaces"),
    ("text", "a ", "begin or end with spaces"),
    ("speed", 400, "write a speed as a number and M, G or T, for example 400G"),
    ("speed", "400", "'400' is not a speed"),
    ("speed", "400g", "'400g' is not a speed"),
    ("speed", "0G", "'0G' is not a speed"),
    ("speed", "-1G", "is not a speed"),
    ("speed", "400 G", "is not a speed"),
    ("speed", "400G\n", "is not a speed"),
    ("speed", "99999G", "is not a speed"),
    ("speed", "infG", "is not a speed"),
]


@pytest.mark.parametrize(("kind", "value", "said"), BAD)
def test_a_bad_value_is_refused_with_its_reason(kind: str, value: object, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TYPES[kind].validate_python(value)
    assert said in str(caught.value)


def test_a_range_is_expanded_in_order() -> None:
    assert TYPES["numbers"].validate_python("7, 1-3,12") == (1, 2, 3, 7, 12)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("leaf{index}", "leaf3"),
        ("leaf{index:02}", "leaf03"),
        ("{site}-leaf{index:09}", "lab-leaf000000003"),
        ("{nothing}{index}", "{nothing}{index}"),
    ],
)
def test_a_pattern_is_filled(pattern: str, name: str) -> None:
    assert fill(pattern, {"site": "lab", "index": 3}) == name
