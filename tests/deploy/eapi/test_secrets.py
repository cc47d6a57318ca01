"""Through NAPALM's real driver to the stand-in for EOS: no secret comes out, wherever it is."""

import logging

import pytest
from napalm.base.exceptions import CommitError, NapalmException, ReplaceConfigException
from tests.deploy.eapi.clients import NEW, NEW_HASH, OLD, OLD_HASH, Bench, commit
from tests.deploy.eapi.server import PASSWORD

from fabricgen.nos.eos.driver.configuration import hide

CANARY = "S3CRET-canary"


def test_a_configuration_and_its_difference_hide_known_and_unknown_secrets(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        driver.load_replace_candidate(config=NEW)
        said = driver.compare_config()
        texts = "".join(str(text) for text in driver.get_config("all").values())
        driver.commit_config(revert_in=300)
        bench.server.switch.running = bench.server.switch.running.replace(NEW_HASH, "$6$other")
        late = driver.compare_config()
    for text in (said, texts, late):
        assert "<<hidden:" in text
        assert not [secret for secret in (OLD_HASH, NEW_HASH, "$6$other") if secret in text]
    changed = [line for line in said.splitlines() if "username" in line]
    assert [line[0] for line in changed] == ["-", "+"]


def test_equal_configurations_are_equal_texts_and_a_changed_secret_is_a_change(
    bench: Bench,
) -> None:
    with bench.driver() as driver:
        before = driver.get_config()["running"]
        bench.server.switch.advance(3600)
        assert driver.get_config()["running"] == before
        text = bench.server.switch.running
        bench.server.switch.running = text.replace(OLD_HASH, NEW_HASH)
        assert driver.get_config()["running"] != before
    assert not before.startswith("!")


def test_a_refused_line_is_quoted_without_its_secret(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        with pytest.raises(ReplaceConfigException, match="usrname admin secret") as refused:
            driver.load_replace_candidate(config=f"{NEW}usrname admin secret 0 {CANARY}\n")
    assert CANARY not in _whole(refused.value)


def test_a_refused_commit_carries_nothing_of_the_candidate(bench: Bench) -> None:
    bench.server.switch.faults.skip_on_commit = "username"
    with bench.driver() as driver, pytest.raises(CommitError) as refused:
        commit(driver, "p1", NEW)
    assert NEW_HASH not in _whole(refused.value)


def _whole(error: BaseException | None) -> str:
    """Everything that hangs on an exception: pyeapi's holds all commands."""
    said = ""
    while error is not None:
        assert isinstance(error, NapalmException)
        said += repr(error) + repr(vars(error))
        error = error.__cause__ or error.__context__
    return said


def test_logs_at_any_level_hold_no_configuration_and_no_password(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), bench.driver(enable_password=CANARY) as driver:
        commit(driver, "p1", NEW)
        bench.server.drop_before = "dir flash:"
        with pytest.raises(NapalmException):
            driver.rollback()
        bench.server.drop_before = r"(?!)"
    for secret in (NEW_HASH, OLD_HASH, PASSWORD, CANARY):
        assert secret not in caplog.text


@pytest.mark.parametrize("left", ["<<secret:env:HASH>>", "<<hidden:0123456789ab>>"])
def test_a_placeholder_never_reaches_a_switch(bench: Bench, left: str) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        with pytest.raises(ReplaceConfigException, match="unresolved secret"):
            driver.load_replace_candidate(config=OLD.replace(OLD_HASH, left))


@pytest.mark.parametrize(
    "line",
    [
        "username admin privilege 15 role network-admin secret sha512 {}",
        "username admin secret 0 {}",
        "username admin secret {}",
        "enable password sha512 {}",
        "aaa root secret sha512 {}",
        "   neighbor 10.0.0.1 password 7 {}",
        "   neighbor UNDERLAY password {}",
        "tacacs-server host 10.0.0.1 vrf mgmt key 7 {}",
        "tacacs-server key {}",
        "radius-server host 10.0.0.1 vrf mgmt key 8a {}",
        "snmp-server community {} ro",
        "snmp-server host 10.0.0.1 vrf mgmt version 2c {}",
        "snmp-server user ada ops v3 localized f5 auth sha {0} priv aes {0}",
        "ntp authentication-key 1 sha1 7 {}",
        "   ip ospf message-digest-key 1 md5 7 {}",
        "   ip ospf authentication-key 7 {}",
        "   isis authentication key 7 {}",
        "   key 0a01 7 {}",
        "   shared-secret 7 {}",
        "   pre-shared-key 7 {}",
    ],
)
def test_a_secret_is_hidden_in_every_place_eos_has_for_one(line: str) -> None:
    one, other = hide(line.format(CANARY)), hide(line.format("another"))
    assert CANARY not in one
    assert one != other
    assert hide(f"+{line.format(CANARY)}") == f"+{one}"
    assert hide(one) == one


@pytest.mark.parametrize(
    "line",
    ["   description key customers", "no aaa root", "username ada nopassword", "ip ssh key"],
)
def test_what_is_no_secret_stays(line: str) -> None:
    assert hide(line) == line
