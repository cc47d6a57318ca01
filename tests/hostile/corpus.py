"""Sites that people, editors, generators and attackers write: each must be refused.

A case is what stands in site.yaml, under the kind of mistake, the code that must be said and words.
Most start from a good site, so that one thing is wrong with them.
"""

from itertools import pairwise

BACKEND = """site:
  name: lab
  management: {subnet: 10.255.0.0/22}
backend:
  design: rail-only
  servers: {count: 4, gpus: 2, nic_speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
"""
FRONTEND = """site:
  name: lab
  management: {subnet: 10.255.0.0/22}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups:
    racks: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}
tenants:
  red:
    vrfs:
      red: {id: 1, vlans: {web: {id: 110, subnet: 10.110.0.0/24}}}
    attachments:
      - {group: racks, access: web}
"""


def instead(old: str, new: str, text: str = BACKEND) -> str:
    """Put something else in the place of a part that is there."""
    assert old in text
    return text.replace(old, new, 1)


def described(text: str) -> str:
    """Give a tenant this description, written as an escaped YAML text."""
    escaped = "".join(f"\\U{ord(letter):08x}" for letter in text)
    return instead("  red:\n", f'  red:\n    description: "{escaped}"\n', FRONTEND)


def bomb() -> str:
    names = "abcdefghij"
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for before, name in pairwise(names):
        lines.append(f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]")
    return "\n".join(lines)


TEXT: dict[str, str | bytes] = {
    "01 FG003 duplicate key": BACKEND + "  design: three-tier\n",
    "02 FG002 tab indents": instead("  name", "\tname"),
    "03 FG002 unclosed flow": instead("400G}", "400G"),
    "03 FG002 unclosed quote": instead("name: lab", 'name: "lab'),
    "04 FG002 NUL": instead("lab", "l\x00b"),
    "04 FG002 control byte": instead("lab", "l\x07b"),
    "05 FG001 invalid UTF-8": instead("lab", "l?b").encode().replace(b"?", b"\xff"),
    "05 FG001 UTF-16": BACKEND.encode("utf-16"),
    "05 FG002 byte order mark in the middle": instead("lab", "l\ufeffb"),
    "06 FG006 python tag": instead("lab", "!!python/object/apply:os.system ['touch owned']"),
    "06 FG006 python name tag": instead("lab", "!!python/name:os.system"),
    "07 FG005 alias bomb": bomb(),
    "08 FG005 100k [": "site: " + "[" * 100_000,
    "08 FG005 100k {": "site: " + "{a: " * 100_000,
    "08 FG005 100k -": "- " * 100_000,
    "08 FG006 100k ?": "? " * 100_000,
    "08 FG005 100k anchors": "site: " + "&a [" * 100_000,
    "09 FG006 recursive alias": "site: &x {name: *x}",
    "10 FG006 merge key": instead("lab", "lab\n  <<: {name: x}"),
    "10 FG006 merge key of itself": "site: &x {<<: *x}",
    "11 FG006 two documents": BACKEND + "---\n" + BACKEND,
    "12 FG102 empty file": "",
    "12 FG102 only comments": "# nothing\n# at all\n",
    "13 FG006 list as key": BACKEND + "? [a]\n: 2\n",
    "13 FG101 number as key": BACKEND + "1: x\n",
    "14 FG103 yes for a truth value": BACKEND + "  underlay: {bfd: {enabled: yes}}\n",
    "14 FG103 MAC for a name": instead("lab", "11:22:33:44:55:16"),
    "14 FG103 sexagesimal for a number": instead("count: 4", "count: 1:30"),
    "14 FG103 exponent for a number": instead("count: 4", "count: 1e3"),
    "14 FG103 date for a name": instead("lab", "2026-11-20"),
    "14 FG103 route target for an ASN": BACKEND + "  underlay: {asn: {first: 65000:1}}\n",
    "15 FG005 number of 5,000 digits": instead("count: 4", "count: " + "9" * 5_000),
    "15 FG103 number of 500 digits": instead("count: 4", "count: " + "9" * 500),
    "15 FG103 float of 500 digits": BACKEND + "  oversubscription: " + "9" * 500 + "\n",
    "16 FG103 infinite MTU": BACKEND + "  underlay: {mtu: .inf}\n",
    "16 FG103 no number at all": BACKEND + "  oversubscription: .nan\n",
    "16 FG103 huge exponent": BACKEND + "  oversubscription: 1e999\n",
    "17 FG104 new line in a text": described("foo\nno shutdown"),
    "17 FG104 carriage return": described("foo\rno shutdown"),
    "17 FG104 line separator": described("foo\u2028bar"),
    "17 FG104 terminal escape": described("foo\x1b[2Jbar"),
    "17 FG104 text direction": described("foo\u202ebar"),
    "17 FG002 line separator in a comment": instead("lab", "lab # \u2028  evil: 1"),
    "18 FG103 path for a name": instead("lab", "../../etc/cron.d/x"),
    "18 FG103 slash in a switch name": BACKEND + '  names: {leaf: "a/{index}"}\n',
    "18 FG103 option for a name": instead("lab", "-rf"),
    "18 FG103 option for a switch name": BACKEND + '  names: {leaf: "-rf{index}"}\n',
    "18 FG103 dot for a name": instead("lab", "."),
    "18 FG103 name of 300 letters": instead("lab", "x" * 300),
    "18 FG103 switch name of 90 letters": BACKEND
    + "  switches: {"
    + "x" * 90
    + ": {platform: eos}}\n",
    "18 FG103 pattern for 64 letters": BACKEND
    + '  names: {leaf: "'
    + "x" * 40
    + '{index:09}{unit:09}{pod:06}"}\n',
    "18 FG103 new line in a name": instead("lab", '"lab\\n"'),
    "18 FG103 letter that looks alike": instead("lab", "l\u0430b"),
    "18 FG103 upper case in a tenant": instead("  red:\n", "  Red:\n", FRONTEND),
    "18 FG209 one name for two leafs": BACKEND + "  names: {leaf: leaf}\n",
    "19 FG103 range to 40 million": instead("1-2", "1-40000000", FRONTEND),
    "19 FG103 range of 999,999": instead("1-2", "1-999999", FRONTEND),
    "19 FG202 leaf 999,999": instead("1-2", "999999-999999", FRONTEND),
    "20 FG103 a trillion servers": instead("count: 4", f"count: {10**12}"),
    "20 FG201 a million servers on one leaf": instead("count: 4", "count: 1000000"),
    "20 FG201 4096 spines": instead("count: 2", "count: 4096", FRONTEND),
    "21 FG301 a /8 of /31s": BACKEND + "  addressing: {loopbacks: 10.0.0.0/8, nics: 10.0.0.0/8}\n",
    "22 FG203 pool too small by one": BACKEND + "  addressing: {loopbacks: 10.192.0.0/31}\n",
    "22 FG103 management too small": instead("10.255.0.0/22", "10.255.0.0/32"),
    "22 FG103 management at the end of IPv6": instead("10.255.0.0/22", f'"{"ffff:" * 7}ffff/128"'),
    "23 FG301 pools that overlap": BACKEND + "  addressing: {loopbacks: 172.16.0.0/16}\n",
    "23 FG106 VLAN id twice": instead(
        "web: {", "db: {id: 110, subnet: 10.0.0.0/24}, web: {", FRONTEND
    ),
    "23 FG304 VNI twice": instead("tenants:", "  overlay: {l2vni_base: 49891}\ntenants:", FRONTEND),
    "24 FG103 host bits": instead("10.255.0.0/22", "10.255.0.1/22"),
    "24 FG103 leading zero in an address": instead("10.255.0.0/22", "010.255.0.0/22"),
    "24 FG103 number for a prefix": instead("10.255.0.0/22", "183435264"),
    "25 FG103 ASN 0": BACKEND + "  underlay: {asn: {first: 0}}\n",
    "25 FG103 ASN 23456": BACKEND + "  underlay: {asn: {first: 23456, last: 23456}}\n",
    "25 FG103 ASN 65535": BACKEND + "  underlay: {asn: {first: 64512, last: 65535}}\n",
    "25 FG103 ASN 4294967295": BACKEND + "  underlay: {asn: {last: 4294967295}}\n",
    "26 FG206 speed not on the model": instead("400G", "50G"),
    "26 FG206 breakout not on the model": instead("eos}", "eos, breakout: 8x400G}"),
    "26 FG402 platform not on the model": instead("7060X6-64PE", "SN5600"),
    "27 FG305 two untagged VLANs on a port": instead(
        "web: {", "db: {id: 111, subnet: 10.0.0.0/24}, web: {", FRONTEND
    )
    + "      - {group: racks, access: db}\n",
    "28 FG105 dangling reference": instead("access: web", "access: wbe", FRONTEND),
    "28 FG006 dangling anchor": instead("lab", "*lab"),
    "28 FG105 unknown model": instead("7060X6-64PE", "../../../etc/passwd"),
    "30 FG103 Jinja in a pattern": BACKEND + '  names: {leaf: "{{ 7*7 }}{index}"}\n',
    "30 FG103 attribute in a pattern": BACKEND + '  names: {leaf: "{index.__class__}"}\n',
    "30 FG103 unknown word in a pattern": BACKEND + '  names: {leaf: "{index}{secret}"}\n',
    "37 FG101 schema version": "version: 99\n" + BACKEND,
    "38 FG005 text of 1 MB": instead("lab", "x" * 2**20),
    "38 FG005 key of 1 MB": BACKEND + "? " + "x" * 2**20 + "\n: 1\n",
    "42 FG334 secret instead of a reference": instead(
        "/22}", '/22, users: [{name: admin, password_hash: "$6$hunter2"}]}'
    ),
    "42 FG334 secret reference with a quote": instead(
        "/22}", "/22, users: [{name: admin, password_hash: 'env:A\"B'}]}"
    ),
    "42 FG334 secret reference with a new line": instead(
        "/22}", '/22, users: [{name: admin, password_hash: "env:A\\nB"}]}'
    ),
    "99 FG103 not a mapping": "[]",
    "99 FG103 null for everything": "site:\nbackend:\nfrontend:\ntenants:\n",
    "99 FG101 100,000 unknown keys": "".join(f"k{number}: 1\n" for number in range(100_000)),
    "99 FG103 100,000 wrong values": instead("/22}", "/22, ntp: [" + "1," * 100_000 + "]}"),
}
