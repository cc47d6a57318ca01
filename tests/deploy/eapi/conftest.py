"""A stand-in switch that every test of the EOS driver gets anew; its certificates once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.eapi.certificates import Authority
from tests.deploy.eapi.clients import OLD, Bench
from tests.deploy.eapi.server import serving
from tests.deploy.eapi.switch import Switch


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.make(tmp_path_factory.mktemp("authority"), "ours")


@pytest.fixture(scope="session")
def certificate(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return authority.server(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(params=["4.31.5M", "4.32.2F"])
def bench(
    request: pytest.FixtureRequest, authority: Authority, certificate: Path
) -> Iterator[Bench]:
    """Both shapes in which EOS tells that a commit waits."""
    with serving(Switch(OLD, request.param), certificate) as server:
        yield Bench(server, authority.file)
