"""The text of each switch that a driver takes: a bundle of its files, or its one file."""

import pytest
from tests.switches import files_of_switches
from tests.unit.reports.labs import designed

from fabricgen.compile.output.manifest import sha256
from fabricgen.nos.driver import unpack
from fabricgen.operate.deploy.texts import Texts


@pytest.mark.parametrize("platform", ["linux", "eos", "sonic"])
def test_a_switch_has_the_files_that_are_rendered_and_its_driver_all_of_them(
    platform: str,
) -> None:
    site = designed("lab", platform)
    texts = Texts(site)
    seen = 0
    for owner, group in files_of_switches(site):
        rendered, folder = texts.of(owner.name), f"{owner.fabric}/{owner.name}/"
        expected = {file.path.removeprefix(folder): file.text for file in group}
        assert rendered.files == expected
        assert rendered.sha256 == sha256(rendered.text)
        if platform == "eos":
            assert rendered.text == expected["eos.cfg"]
        else:
            runs = frozenset(file.path.removeprefix(folder) for file in group if file.executable)
            assert unpack(rendered.text) == (expected, runs)
        seen += 1
    assert seen == 12
