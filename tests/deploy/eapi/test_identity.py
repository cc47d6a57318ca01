"""Through NAPALM's real driver: whom it believes, and that its options are nobody else's."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

import pytest
from napalm.base import get_network_driver
from napalm.base.exceptions import ConnectAuthError, ConnectionException
from tests.deploy.eapi.certificates import Authority, self_signed
from tests.deploy.eapi.clients import OLD, Bench
from tests.deploy.eapi.server import PASSWORD, USER, serving
from tests.deploy.eapi.switch import Switch

from fabricgen.nos.eos.driver.driver import EosDriver


@contextmanager
def _impostor(certificate: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Listen with a certificate; keep every byte that comes after the handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def listen() -> None:
            link, _ = listener.accept()
            with link:
                try:
                    with context.wrap_socket(link, server_side=True) as session:
                        heard.append(session.recv(65536))
                except OSError:
                    pass  # the handshake ended there

        thread = threading.Thread(target=listen)
        thread.start()
        yield listener.getsockname()[1], heard
        thread.join()


def _driver(port: int, **options: object) -> EosDriver:
    return EosDriver("127.0.0.1", USER, PASSWORD, 10, {"port": port, **options})


def test_napalm_finds_the_driver_by_its_platform() -> None:
    assert get_network_driver("fabricgen_eos") is EosDriver


def test_an_impostors_certificate_hears_no_password(authority: Authority, tmp_path: Path) -> None:
    theirs = Authority.make(tmp_path, "theirs").server(tmp_path)
    with (
        _impostor(theirs) as (port, heard),
        pytest.raises(ConnectionException, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        _driver(port, ca_file=str(authority.file)).open()
    assert b"".join(heard) == b""


def test_a_certificate_of_another_switch_hears_no_password(
    authority: Authority, tmp_path: Path
) -> None:
    with (
        _impostor(authority.server(tmp_path, "127.0.0.9")) as (port, heard),
        pytest.raises(ConnectionException, match=r"not valid for '127\.0\.0\.1'"),
    ):
        _driver(port, ca_file=str(authority.file)).open()
    assert b"".join(heard) == b""


def test_without_a_ca_file_the_systems_authorities_decide(certificate: Path) -> None:
    with (
        _impostor(certificate) as (port, heard),
        pytest.raises(ConnectionException, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        _driver(port).open()
    assert b"".join(heard) == b""


def test_insecure_must_be_asked_for(certificate: Path) -> None:
    with serving(Switch(OLD), certificate) as server:
        driver = _driver(server.port, insecure=True)
        driver.open()
        assert driver.unfinished() is None
        driver.close()


@pytest.mark.parametrize("said", ["true", 1, "no"])
def test_insecure_is_a_truth_and_nothing_like_one(certificate: Path, said: object) -> None:
    with _impostor(certificate) as (port, heard), pytest.raises(ConnectionException):
        _driver(port, insecure=said).open()
    assert b"".join(heard) == b""


@pytest.mark.parametrize(
    "options", [{"transport": "http"}, {"transport": "ssh"}, {"proxy_command": "ssh -W %h:%p jump"}]
)
def test_options_that_would_go_another_way_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="HTTPS"):
        _driver(443, **options)


def test_a_wrong_password_is_told_as_one(authority: Authority, certificate: Path) -> None:
    with serving(Switch(OLD), certificate) as server:
        options = {"port": server.port, "ca_file": str(authority.file)}
        driver = EosDriver("127.0.0.1", USER, "another", 10, options)
        with pytest.raises(ConnectAuthError) as refused:
            driver.open()
    assert "another" not in str(refused.value)


def test_a_switch_that_is_not_there_is_told_as_one(authority: Authority) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with pytest.raises(ConnectionException, match="refused"):
        _driver(port, ca_file=str(authority.file)).open()


def test_drivers_that_share_options_reach_their_own_switches(
    authority: Authority, certificate: Path
) -> None:
    shared = {"ca_file": str(authority.file), "enable_password": "hush", "lock_disable": False}
    before = deepcopy(shared)
    with (
        serving(Switch(OLD, name="leaf01"), certificate) as one,
        serving(Switch(OLD, name="leaf02"), certificate) as two,
    ):
        shared["port"] = one.port
        first = EosDriver("127.0.0.1", USER, PASSWORD, 10, shared)
        shared["port"] = two.port
        second = EosDriver("127.0.0.1", USER, PASSWORD, 10, shared)
        for driver in (first, second):
            driver.open()
            driver.unfinished()
        assert one.commands
        assert one.commands == two.commands
        assert first.enablepwd == second.enablepwd == "hush"
        assert shared == {**before, "port": two.port}


def test_an_eos_that_is_too_old_for_sessions_by_name_is_refused(
    authority: Authority, certificate: Path
) -> None:
    with (
        serving(Switch(OLD, "4.22.1F"), certificate) as server,
        pytest.raises(ConnectionException),
    ):
        _driver(server.port, ca_file=str(authority.file)).open()


def test_a_bench_is_reached_with_the_right_authority(bench: Bench) -> None:
    with bench.driver() as driver:
        assert driver.unfinished() is None


def _pins(folder: Path, **files: Path) -> str:
    """Write certificates as `fabricgen trust` does."""
    found = folder / "certificates.pem"
    mark = "-----BEGIN CERTIFICATE-----"
    found.write_text(
        "".join(
            f"# {name}\n{mark}{file.read_text().split(mark)[1]}" for name, file in files.items()
        )
    )
    return str(found)


@pytest.mark.parametrize("signed", [True, False])
def test_a_switchs_own_certificate_is_enough_when_it_was_reviewed(
    tmp_path: Path, *, signed: bool
) -> None:
    authority = Authority.make(tmp_path, "own")  # one names another address, the other none
    own = authority.server(tmp_path, "127.0.0.99") if signed else self_signed(tmp_path)
    with serving(Switch(OLD), own) as server:
        driver = _driver(server.port, ca_file=_pins(tmp_path, leaf01=own), host_key_alias="leaf01")
        driver.open()
        assert driver.unfinished() is None


def test_another_switchs_reviewed_certificate_is_not_this_ones(tmp_path: Path) -> None:
    one, other = (Authority.make(tmp_path, name).server(tmp_path) for name in ("one", "other"))
    pins = _pins(tmp_path, leaf01=one, leaf02=other)
    with (
        _impostor(other) as (port, heard),
        pytest.raises(ConnectionException, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        _driver(port, ca_file=pins, host_key_alias="leaf01").open()
    assert b"".join(heard) == b""


def test_a_switch_that_was_not_reviewed_is_not_spoken_to(tmp_path: Path) -> None:
    pins = _pins(tmp_path, leaf01=Authority.make(tmp_path, "one").server(tmp_path))
    with pytest.raises(ConnectionException, match="no certificate of leaf02"):
        _driver(443, ca_file=pins, host_key_alias="leaf02").open()


def test_a_file_of_certificates_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConnectionException, match="No such file"):
        _driver(443, ca_file=str(tmp_path / "none.pem")).open()
