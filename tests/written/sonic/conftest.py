"""One Redis for all written SONiC switches."""

from collections.abc import Iterator

import pytest
from tests.written.sonic.served import Served, serving


@pytest.fixture(scope="module")
def redis() -> Iterator[Served]:
    with serving() as served:
        yield served
