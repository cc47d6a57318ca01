"""`fabricgen trust`: what it collects from a TLS server is what the EOS driver then believes."""

from pathlib import Path

import pytest
from nornir.core.inventory import ConnectionOptions, Defaults, Groups, Host, Hosts, Inventory
from tests.deploy.eapi.certificates import Authority, self_signed
from tests.deploy.eapi.clients import OLD
from tests.deploy.eapi.server import PASSWORD, USER, serving
from tests.deploy.eapi.switch import Switch

from fabricgen.nos.eos.driver.driver import EosDriver
from fabricgen.operate.deploy.inventory.plugin import CONNECTION
from fabricgen.operate.deploy.trust import Verdict, judged, scan, write


def inventory(port: int) -> Inventory:
    """Return an inventory of one EOS switch on this machine."""
    options = {CONNECTION: ConnectionOptions(extras={})}
    host = Host(
        "leaf01", hostname="127.0.0.1", port=port, platform="eos", connection_options=options
    )
    return Inventory(Hosts({"leaf01": host}), Groups(), Defaults())


def test_what_was_collected_and_reviewed_is_believed(tmp_path: Path) -> None:
    """A certificate that no authority signed, as EOS makes its own."""
    with serving(Switch(OLD), self_signed(tmp_path)) as server:
        found = judged(tmp_path, scan(inventory(server.port)))
        assert [(shown.switch, verdict) for shown, verdict in found] == [("leaf01", Verdict.NEW)]
        write(tmp_path, found)
        known = {
            "port": server.port,
            "ca_file": str(tmp_path / "certificates.pem"),
            "host_key_alias": "leaf01",
        }
        driver = EosDriver("127.0.0.1", USER, PASSWORD, 60, known)
        driver.open()
        driver.close()
        assert [verdict for _, verdict in judged(tmp_path, scan(inventory(server.port)))] == [
            Verdict.SAME
        ]


def test_a_certificate_that_changed_is_shown_and_never_overwritten(tmp_path: Path) -> None:
    """Somebody removes the old one by hand, who knows why."""
    with serving(Switch(OLD), self_signed(tmp_path)) as server:
        write(tmp_path, judged(tmp_path, scan(inventory(server.port))))
    before = (tmp_path / "certificates.pem").read_text()
    other = Authority.make(tmp_path, "other").server(tmp_path, "127.0.0.1")
    with serving(Switch(OLD), other) as server:
        found = judged(tmp_path, scan(inventory(server.port)))
    assert [verdict for _, verdict in found] == [Verdict.CHANGED]
    write(tmp_path, found)
    assert (tmp_path / "certificates.pem").read_text() == before


def test_a_switch_that_does_not_answer_is_said(tmp_path: Path) -> None:
    """And nothing is written for it."""
    with serving(Switch(OLD), self_signed(tmp_path)) as server:
        port = server.port
    ((shown, verdict),) = judged(tmp_path, scan(inventory(port)))
    assert verdict is Verdict.SILENT
    assert "refused" in shown.said
    write(tmp_path, [(shown, verdict)])
    assert not (tmp_path / "certificates.pem").exists()


@pytest.mark.parametrize("again", [True, False])
def test_the_keys_of_many_switches_stand_in_one_file(tmp_path: Path, *, again: bool) -> None:
    """By name; who looks twice writes the same."""
    with serving(Switch(OLD), self_signed(tmp_path)) as server:
        for _ in range(1 + again):
            write(tmp_path, judged(tmp_path, scan(inventory(server.port))))
    text = (tmp_path / "certificates.pem").read_text()
    assert text.startswith("# leaf01\n-----BEGIN CERTIFICATE-----\n")
    assert text.count("BEGIN") == 1
