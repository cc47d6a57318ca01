"""The fixture of the SONiC tests: the switches of each small site, one site at a time."""

import pytest
from tests.nos.sonic.switches import SITES, Rendered, rendered


@pytest.fixture(params=SITES)
def switches(request: pytest.FixtureRequest) -> tuple[Rendered, ...]:
    return rendered(request.param)
