"""Journals for the tests: each in SQLite and in a real PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.journal.postgres import NotHad, Server

from fabricgen.operate.deploy.journal.journal import Journal


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """Start the server once for each worker."""
    try:
        server = Server()
    except NotHad as reason:
        pytest.skip(str(reason))
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Say where a journal may be made that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / ".fabricgen" / "journal.db")
    server: Server = request.getfixturevalue("postgresql")
    return server.fresh()


@pytest.fixture
def journal(address: str) -> Iterator[Journal]:
    """Make it."""
    with Journal.open(address) as journal:
        yield journal
