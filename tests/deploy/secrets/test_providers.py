"""Each place where secrets are kept: the value it gives, and the sentence when it gives none."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import from_regex
from tests.deploy.secrets.stand_ins import TOKEN, Vault

from fabricgen.intent.model.secret import REFERENCE
from fabricgen.model.settings.setting import PLACEHOLDER, placeholder
from fabricgen.operate.deploy.secrets.messages import Unresolved
from fabricgen.operate.deploy.secrets.providers import BUILT_IN
from fabricgen.operate.deploy.secrets.secrets import Secrets

HASH = "$6$salt$0123456789abcdefgh./"


def value_of(reference: str, site: Path) -> str:
    text = placeholder(reference)
    return Secrets([text], site).reveal(text)


def sentence(reference: str, site: Path) -> str:
    with pytest.raises(Unresolved) as refused:
        Secrets([placeholder(reference)], site)
    (said,) = refused.value.sentences
    assert said.startswith(f"{reference}: ")
    return said.removeprefix(f"{reference}: ")


@given(from_regex(REFERENCE.replace("$", r"\Z")))
def test_what_the_intent_admits_is_found_in_a_text_and_has_a_provider(reference: str) -> None:
    assert PLACEHOLDER.findall(f"secret {placeholder(reference)} ro") == [reference]
    scheme = reference.partition(":")[0]
    assert scheme in BUILT_IN or scheme.startswith("x-")


def test_environment(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_HASH", HASH)
    assert value_of("env:ADMIN_HASH", site) == HASH
    monkeypatch.delenv("ADMIN_HASH")
    assert sentence("env:ADMIN_HASH", site) == "environment variable is not set"


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_file_is_relative_to_the_site_and_its_last_line_end_is_not_meant(
    site: Path, end: str
) -> None:
    (site.parent / "admin.hash").write_text(HASH + end, newline="")
    assert value_of("file:../admin.hash", site) == HASH
    assert value_of(f"file:{site.parent}/admin.hash", site) == HASH


def test_a_file_that_cannot_be_read(site: Path) -> None:
    assert sentence("file:none", site) == f"{site}/none: No such file or directory"
    assert sentence("file:.", site) == f"{site}: Is a directory"


@pytest.mark.parametrize(("mode", "warned"), [(0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1)])
def test_a_file_that_others_may_read_is_taken_and_told(site: Path, mode: int, warned: int) -> None:
    (site / "admin.hash").write_text(HASH)
    (site / "admin.hash").chmod(mode)
    warnings = Secrets([placeholder("file:admin.hash")], site).warnings
    told = f"file:admin.hash: {site}/admin.hash is readable by other users: chmod 600"
    assert warnings == (told,) * warned


def test_sops_gives_one_key_and_is_told_nothing_but_where(
    site: Path, sops: Path, canary: str
) -> None:
    assert value_of("sops:secrets.json#canary", site) == canary
    assert value_of("sops:secrets.json#users.0.hash", site) == canary
    assert value_of("sops:secrets.json#users.1.hash", site) == "$6$other$hash"
    path = str(site / "secrets.json")
    calls = [json.loads(line) for line in sops.read_text().splitlines()]
    assert calls == [
        ["-d", "--extract", '["canary"]', path],
        ["-d", "--extract", '["users"][0]["hash"]', path],
        ["-d", "--extract", '["users"][1]["hash"]', path],
    ]


@pytest.mark.usefixtures("sops")
def test_sops_that_cannot(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = f"run `sops -d {site}/secrets.json` for details"
    said = sentence("sops:secrets.json#nothing", site)
    assert said == f"sops cannot parse the key; {more}"
    said = sentence("sops:none.json#key", site)
    assert said == f"sops cannot find the file; run `sops -d {site}/none.json` for details"
    assert sentence("sops:secrets.json#a..b", site) == "invalid reference: write sops:FILE#key.path"
    monkeypatch.delenv("SOPS_AGE_KEY_FILE")
    said = sentence("sops:secrets.json#canary", site)
    assert said == f"sops has no key to decrypt the file; {more}"
    monkeypatch.setenv("PATH", "/nowhere")
    assert sentence("sops:secrets.json#canary", site) == "sops not found: install it"


@pytest.mark.usefixtures("vault")
def test_vault_through_the_real_hvac(site: Path, canary: str) -> None:
    assert value_of("vault:kv/fabric/bgp#leaf", site) == canary


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("kv/fabric/bgp#spine", "the Vault secret has no key of this name"),
        ("kv/fabric/bgp#number", "the value in Vault is not text"),
        ("kv/nothing#leaf", "Vault has no such secret, or the secret was deleted"),
        ("kv/deleted#leaf", "Vault has no such secret, or the secret was deleted"),
        ("kv/sealed#leaf", "Vault is sealed or down"),
        ("kv/broken#leaf", "Vault or hvac failed: InternalServerError"),
        ("kv/garbage#leaf", "Vault or hvac failed: TypeError"),
        ("kv/other#leaf", "Vault or hvac failed: TypeError"),
        ("kv#leaf", "invalid reference: write vault:MOUNT/PATH#key"),
    ],
)
@pytest.mark.usefixtures("vault")
def test_vault_that_cannot(site: Path, where: str, said: str) -> None:
    assert sentence(f"vault:{where}", site) == said


@pytest.mark.usefixtures("vault")
def test_vault_that_refuses_us(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULT_TOKEN", TOKEN[::-1])
    refused = "Vault denied access: check VAULT_TOKEN and its policy"
    assert sentence("vault:kv/fabric/bgp#leaf", site) == refused


def test_vault_that_is_not_there(site: Path, vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.stop()
    assert sentence("vault:kv/fabric/bgp#leaf", site) == "no answer from Vault at VAULT_ADDR"
    monkeypatch.delenv("VAULT_ADDR")
    assert (
        sentence("vault:kv/fabric/bgp#leaf", site) == "environment variable VAULT_ADDR is not set"
    )
    monkeypatch.setitem(sys.modules, "hvac", None)
    missing = "hvac not found: pip install '.[vault]'"
    assert sentence("vault:kv/fabric/bgp#leaf", site) == missing


def installed(folder: Path, name: str, target: str, code: str) -> str:
    """Install a package of somebody else's, as an installer leaves it."""
    (folder / f"{target.partition(':')[0]}.py").write_text(code)
    facts = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[fabricgen.secrets]\n{name} = {target}\n")
    return str(folder)


def test_another_packages_provider(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "from fabricgen.operate.deploy.secrets.messages import Found, NoSecret\n"
        "def read(name, site):\n"
        "    if name != 'safe/admin#hash':\n"
        "        raise NoSecret('the safe has no such drawer')\n"
        f"    return Found({HASH!r}, 'the safe is old')\n"
    )
    monkeypatch.syspath_prepend(installed(tmp_path, "x-safe", "safe_of_a_test:read", code))
    assert value_of("x-safe:safe/admin#hash", site) == HASH
    assert sentence("x-safe:other", site) == "the safe has no such drawer"
    made = Secrets([placeholder("x-safe:safe/admin#hash")], site)
    assert made.warnings == ("x-safe:safe/admin#hash: the safe is old",)


def test_a_provider_that_is_not_there_or_broken(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no installed package reads x-none:" in sentence("x-none:a", site)
    monkeypatch.syspath_prepend(installed(tmp_path, "x-broken", "broken_of_a_test:gone", ""))
    said = sentence("x-broken:a", site)
    assert said == "provider broken_of_a_test:gone cannot be loaded: AttributeError"


def test_type_7_is_as_eos_keeps_it(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "verysecretkey")
    # pyavd 6.4.0: simple_7_encrypt, salt 7
    assert value_of("type7:env:SECRET", site) == "0719245E571A1C0605171F070133"


def test_one_secret_in_two_spellings_is_missed_once(site: Path) -> None:
    with pytest.raises(Unresolved) as refused:
        Secrets(map(placeholder, ("env:LOST", "type7:env:LOST")), site)
    assert refused.value.sentences == ("env:LOST: environment variable is not set",)
