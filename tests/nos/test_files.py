"""The files of a site on every platform: which of them may be run."""

import pytest
from tests.unit.reports.labs import designed

from fabricgen.compile.compiler import files
from fabricgen.nos.registry import OURS


@pytest.mark.parametrize("platform", OURS)
def test_scripts_may_be_run_and_nothing_else(platform: str) -> None:
    every = [file for _, group in files(designed("lab", platform)) for file in group]
    assert [file.path for file in every if file.executable] == [
        file.path for file in every if file.text.startswith("#!")
    ]
    assert 0 < sum(file.executable for file in every) < len(every)
