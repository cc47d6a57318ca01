"""Secrets revealed and hidden: what may stand in a configuration, and that nothing shows them."""

import copy
import html
import json
import logging
import os
import pickle
import threading
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis.strategies import dictionaries, lists, sampled_from, text
from tests.cli.calling import TENANTS

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_site
from fabricgen.model.settings.setting import PLACEHOLDER, placeholder
from fabricgen.nos.registry import OURS
from fabricgen.operate.deploy.secrets import secrets as module
from fabricgen.operate.deploy.secrets.logs import hidden_logs
from fabricgen.operate.deploy.secrets.messages import Found, Unresolved
from fabricgen.operate.deploy.secrets.secrets import Secrets

HERE = Path()
NAMES = ("A", "B", "C")
LETTERS = "abcst$./6"
VALUES = dictionaries(sampled_from(NAMES), text(LETTERS, min_size=4, max_size=8), min_size=1)


def of(values: Mapping[str, str]) -> Secrets:
    """Return secrets with these values, by variable."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setenv(name, value)
        return Secrets([placeholder(f"env:{name}") for name in values], HERE)


@given(VALUES, lists(sampled_from([*NAMES, " ", "=", "-", "\n"])))
def test_what_was_revealed_is_hidden_again(values: dict[str, str], parts: list[str]) -> None:
    made = of(values)
    written = "|".join(placeholder(f"env:{each}") if each in values else "#" for each in parts)
    shown = made.reveal(written)
    assert "<<secret:" not in shown
    hidden = made.hide(shown)
    assert not any(value in PLACEHOLDER.sub("", hidden) for value in values.values())
    if len(set(values.values())) == len(values):
        assert hidden == written


def test_the_longer_value_is_hidden_first_and_placeholders_are_left_alone() -> None:
    made = of({"A": "secret", "B": "secret-key", "C": "env:A"})
    assert made.hide("secret-key secret") == "<<secret:env:B>> <<secret:env:A>>"


def test_values_are_hidden_in_the_spelling_of_urls_and_markup_too() -> None:
    made = of({"A": "$6$a&b/c"})
    hidden = "<<secret:env:A>>"
    assert made.hide("?p=%246%24a%26b%2Fc <x>$6$a&amp;b/c</x>") == f"?p={hidden} <x>{hidden}</x>"


def test_of_two_references_with_one_value_the_first_is_named() -> None:
    made = of({"B": "same-value", "A": "same-value"})
    assert made.hide("same-value same-value") == "<<secret:env:A>> <<secret:env:A>>"


def test_nothing_to_hide_changes_nothing() -> None:
    made = of({})
    assert made.hide("hostname leaf1") == made.reveal("hostname leaf1") == "hostname leaf1"


def test_a_placeholder_that_was_not_resolved_is_not_sent() -> None:
    with pytest.raises(KeyError):
        of({"A": "value"}).reveal("<<secret:env:B>>")


def test_all_that_is_missing_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A", "good-value")
    texts = [placeholder(f"env:{name}") for name in ("A", "NONE1", "NONE2")]
    with pytest.raises(Unresolved) as refused:
        Secrets([*texts, *texts], HERE)
    assert refused.value.sentences == (
        "env:NONE1: environment variable is not set",
        "env:NONE2: environment variable is not set",
    )
    assert str(refused.value).splitlines() == list(refused.value.sentences)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "empty"),
        ("abc", "fewer than 4 characters"),
        ("two words", "not one ASCII word"),
        ("line\nno shutdown", "control character"),
        ("line\r", "control character"),
        ("tab\tbed", "control character"),
        ("esc\x1b[2J", "control character"),
        ("nul\x7fdel", "control character"),
        ("next\u2028line", "control character"),
        (" led", "starts or ends with a space"),
        ("pässword", "not one ASCII word"),
        ("#comment", "starts with # or !"),
        ("!comment", "starts with # or !"),
        *((f"with{letter}in", "or contains one of") for letter in "\"'`\\?|;{}<>"),
    ],
)
def test_a_value_that_would_break_the_target_is_refused(
    value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A", value)
    with pytest.raises(Unresolved, match=said) as refused:
        Secrets([placeholder("env:A")], HERE)
    assert not value or value not in str(refused.value)


@pytest.mark.parametrize(
    "value", ["pass  word?", 'it\'s a "pass\\word"', "pässwörd|;{}<>", "#pass"]
)
def test_a_password_to_log_in_with_may_hold_any_sign_and_is_hidden_in_every_spelling(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A", value)
    made = Secrets([], HERE, logins=["env:A"])
    assert made.value("env:A") == value
    spelled = f"{value} {value!r} {json.dumps(value)} {html.escape(value)} {quote(value)}"
    assert made.hide(spelled).count("<<secret:env:A>>") == 5
    with pytest.raises(Unresolved):
        Secrets([placeholder("env:A")], HERE, logins=["env:A"])


@pytest.mark.parametrize("value", ["", "abc", "pass\nword", "pass\x00word", "password "])
def test_a_password_that_cannot_be_hidden_is_refused(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "\0" in value:
        monkeypatch.setattr(os, "environ", {"A": value})
    else:
        monkeypatch.setenv("A", value)
    with pytest.raises(Unresolved) as refused:
        Secrets([], HERE, logins=["env:A"])
    assert not value or value not in str(refused.value)


@pytest.mark.parametrize("value", ["$6$rounds=5000$a.b/c$D.E/f", "$y$j9T$a/b.c$d", "c0mm@n,it!#"])
def test_hashes_and_communities_are_taken(value: str) -> None:
    assert of({"A": value}).reveal("<<secret:env:A>>") == value


@pytest.mark.parametrize("platform", OURS)
def test_rendered_files_take_their_secrets(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABRIC_ADMIN_HASH", "$6$admin$0123456789./")
    monkeypatch.setenv("FABRIC_NOC_HASH", "$6$noc$9876543210./")
    monkeypatch.setenv("SNMP_COMMUNITY", "r3ad-only")
    site = compile_site(load_site(Path(TENANTS)), platform).site
    assert site
    rendered = {file.path: file.text for _, group in files(site) for file in group}
    made = Secrets(rendered.values(), Path(TENANTS))
    changed = 0
    for path, written in rendered.items():
        shown = made.reveal(written)
        assert "<<secret:" not in shown
        assert made.hide(shown) == written, path
        changed += shown != written
        if path.endswith(".json"):
            json.loads(shown)
    assert changed


def test_nothing_that_shows_the_object_shows_a_value() -> None:
    made = of({"A": "S3CRET-value"})
    assert [repr(made), str(made), f"{made}"] == ["<Secrets: 1>"] * 3
    assert not hasattr(made, "__dict__")
    assert "S3CRET" not in repr(Found("S3CRET-value"))
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled"):
            copied(made)


def failed(value: str) -> Exception:
    error = RuntimeError(f"commit failed\nfor {value}")
    error.__cause__ = ValueError(f"bad line: username admin secret {value}")
    return error


def test_a_traceback_holds_no_values() -> None:
    made = of({"A": "S3CRET-value"})
    trace = made.trace(failed("S3CRET-value"))
    assert "S3CRET" not in trace
    assert "ValueError: bad line: username admin secret <<secret:env:A>>" in trace


class Awkward:
    """Something whose text is the value, and fails at a second look."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __str__(self) -> str:
        return self.value


def test_logs_of_every_library_are_hidden_whatever_handler_writes_them() -> None:
    value, stream = "S3CRET-value", StringIO()
    made, log = of({"A": value}), logging.getLogger("test.of.hidden.logs")
    handler = logging.StreamHandler(stream)
    log.addHandler(handler)
    log.propagate = False
    before, unfit = logging.getLogRecordFactory(), "does not fit %s %s"

    def speak() -> None:
        log.warning("plain %s", value)
        log.warning(Awkward(value))
        log.warning("dict %(a)s", {"a": value})
        log.warning(unfit, value)
        log.getChild("child").warning(f"child {value}")
        try:
            raise failed(value)
        except RuntimeError:
            log.exception("failed")
        log.error("kept", exc_info=ValueError(f"never raised {value}"))

    with hidden_logs(made):
        speak()
        thread = threading.Thread(target=speak)
        thread.start()
        thread.join()
    assert logging.getLogRecordFactory() is before
    log.removeHandler(handler)
    said = stream.getvalue()
    assert value not in said
    assert said.count("plain <<secret:env:A>>") == 2
    assert said.count("does not fit %s %s (with arguments that do not fit it)") == 2
    assert said.count("RuntimeError: commit failed") == 2
    assert said.count("ValueError: never raised <<secret:env:A>>") == 2


def test_the_shortest_value_is_said_as_it_is() -> None:
    assert of({"A": "a" * module.SHORTEST}).reveal("<<secret:env:A>>") == "a" * module.SHORTEST
