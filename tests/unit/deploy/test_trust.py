"""What switches show beside what is trusted: verdicts, files, and what is never overwritten."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import paramiko
import pytest
from nornir.core.inventory import ConnectionOptions, Defaults, Groups, Host, Hosts, Inventory

from fabricgen.operate.deploy.inventory.plugin import CONNECTION
from fabricgen.operate.deploy.trust import (
    CERTIFICATES,
    KNOWN_HOSTS,
    Shown,
    Verdict,
    judged,
    scan,
    write,
)

CERTIFICATE = "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n"


def key(switch: str, text: str = "ssh-ed25519 AAAA") -> Shown:
    return Shown(switch=switch, file=KNOWN_HOSTS, text=f"{switch} {text}\n")


def certificate(switch: str, text: str = "MIIB") -> Shown:
    body = f"# {switch}\n{CERTIFICATE.format(text)}"
    return Shown(switch=switch, file=CERTIFICATES, text=body)


def trust(folder: Path, *shown: Shown) -> list[Verdict]:
    """Judge, write, and return the verdicts."""
    found = judged(folder, shown)
    assert [each for each, _ in found] == list(shown)
    write(folder, found)
    return [verdict for _, verdict in found]


@pytest.mark.parametrize("shows", [key, certificate])
def test_what_is_new_is_trusted_from_then_on_and_a_change_is_not(
    tmp_path: Path, shows: Any
) -> None:
    assert trust(tmp_path, shows("a"), shows("b")) == [Verdict.NEW, Verdict.NEW]
    before = (tmp_path / shows("a").file).read_text()
    assert before == shows("a").text + shows("b").text
    assert trust(tmp_path, shows("a", "other"), shows("b")) == [Verdict.CHANGED, Verdict.SAME]
    assert (tmp_path / shows("a").file).read_text() == before


@pytest.mark.parametrize("shows", [key, certificate])
def test_a_new_switch_takes_its_place_by_name(tmp_path: Path, shows: Any) -> None:
    trust(tmp_path, shows("c"), shows("a"))
    trust(tmp_path, shows("b"))
    text = (tmp_path / shows("a").file).read_text()
    assert text == shows("a").text + shows("b").text + shows("c").text


def test_keys_and_certificates_stand_in_files_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "trust" / "site"
    assert trust(folder, key("a"), certificate("a")) == [Verdict.NEW, Verdict.NEW]
    assert sorted(path.name for path in folder.iterdir()) == [CERTIFICATES, KNOWN_HOSTS]
    assert (folder / KNOWN_HOSTS).read_text() == key("a").text


def test_who_shows_nothing_is_silent_whatever_is_trusted(tmp_path: Path) -> None:
    trust(tmp_path, key("a"))
    silent = Shown(switch="a", file=KNOWN_HOSTS, said="refused")
    assert trust(tmp_path, silent) == [Verdict.SILENT]
    assert (tmp_path / KNOWN_HOSTS).read_text() == key("a").text


def test_lines_above_the_first_name_are_nobodys(tmp_path: Path) -> None:
    (tmp_path / CERTIFICATES).write_text("collected by hand\n" + certificate("a").text)
    assert trust(tmp_path, certificate("a")) == [Verdict.SAME]


def host(name: str, platform: str, port: int | None, **extras: str) -> Host:
    options = {CONNECTION: ConnectionOptions(extras=dict(extras))}
    return Host(
        name, hostname="127.0.0.1", port=port, platform=platform, connection_options=options
    )


def scanned(*hosts: Host) -> list[Shown]:
    return scan(Inventory(Hosts({it.name: it for it in hosts}), Groups(), Defaults()))


class NoLogin(paramiko.ServerInterface):
    """A server that is asked for its key and nothing else."""


@pytest.fixture
def server() -> Iterator[tuple[int, paramiko.PKey]]:
    """Serve SSH to one client; its port and its key."""
    own = paramiko.ECDSAKey.generate()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            line, _ = listener.accept()
            transport = paramiko.Transport(line)
            transport.add_server_key(own)
            # whoever has seen the key hangs up, at times before the handshake is over
            with suppress(paramiko.SSHException, EOFError, OSError):
                transport.start_server(server=NoLogin())
                transport.join()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1], own


def test_a_host_key_is_shown_as_known_hosts_and_openssh_spell_it(
    server: tuple[int, paramiko.PKey],
) -> None:
    port, own = server
    (shown,) = scanned(host("leaf1", "sonic", port))
    assert shown.text == f"leaf1 {own.get_name()} {own.get_base64()}\n"
    assert shown.fingerprint == f"{own.get_name()} {own.fingerprint}"
    assert (shown.switch, shown.file, shown.said) == ("leaf1", KNOWN_HOSTS, "")


@pytest.mark.parametrize(("port", "words"), [(2222, "at 2222"), (None, "at ")])
def test_a_proxy_command_has_name_and_address_filled_in(
    port: int | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def proxy(command: str) -> Any:
        asked.append(command)
        raise OSError("no such program")

    monkeypatch.setattr(paramiko, "ProxyCommand", proxy)
    extras = {"proxy_command": "to {name} {address} at {port}"}
    (shown,) = scanned(host("leaf1", "linux", port, **extras))
    assert asked == [f"to leaf1 127.0.0.1 {words}"]
    assert (shown.text, shown.said) == ("", "no such program")


@pytest.mark.parametrize(
    ("platform", "file"), [("eos", CERTIFICATES), ("sonic", KNOWN_HOSTS), ("linux", KNOWN_HOSTS)]
)
def test_who_does_not_answer_is_said_with_the_reason(platform: str, file: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    (shown,) = scanned(host("leaf1", platform, port))
    assert (shown.switch, shown.file, shown.text) == ("leaf1", file, "")
    assert re.search("refused", shown.said)


@pytest.mark.parametrize(("platform", "port"), [("eos", 443), ("sonic", 22)])
def test_the_port_of_the_protocol_is_asked_when_none_is_said(
    platform: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def connect(address: tuple[str, int], *_: object, **__: object) -> Any:
        asked.append(address)
        raise OSError

    monkeypatch.setattr(socket, "create_connection", connect)
    monkeypatch.setattr("ssl.create_connection", connect)
    (shown,) = scanned(host("leaf1", platform, None))
    assert asked == [("127.0.0.1", port)]
    assert shown.said == "OSError"
