"""A capability that is claimed is in the files: each claim against switches that need it or not."""

import pytest
from tests.nos.claims import SLOWER, pieces, printed

from fabricgen.nos.features import Feature, Supported, needs
from fabricgen.nos.registry import OURS, nos

CLAIMS = [
    (name, feature, answer.section)
    for name in OURS
    for feature in Feature
    if isinstance(answer := nos(name).answer(feature), Supported)
]
ALWAYS = {
    ("sonic", Feature.HASH_SEED),  # every switch has a type, and the type decides the seed
    ("sonic", Feature.ANNOUNCE_DHCP),  # and whether radvd of the image announces
    ("linux", Feature.DIAGNOSTICS),  # a VRF's device has its name, and so no word that is ours
    ("eos", Feature.BREAKOUT),  # every interface has its speed, and that decides the breakout
}
"""Claims whose section is in the files of every switch."""


@pytest.mark.parametrize("name", OURS)
def test_every_feature_is_needed_by_a_switch(name: str) -> None:
    needed = {feature for _, switch_slice, _ in pieces(name) for feature in needs(switch_slice)}
    assert needed == set(Feature)


@pytest.mark.parametrize(("name", "feature", "section"), CLAIMS)
def test_what_is_claimed_is_in_the_files_of_every_switch_that_needs_it(
    name: str, feature: Feature, section: str
) -> None:
    needing = [
        each
        for each in pieces(name)
        if feature in needs(each[1]) and (each[0] != SLOWER or feature is Feature.SHAPED)
    ]
    without = [
        (site, switch_slice.switch.name)
        for site, switch_slice, files in needing
        if not printed(section, files)
    ]
    assert needing
    assert without == []


@pytest.mark.parametrize(
    ("name", "feature", "section"), [claim for claim in CLAIMS if claim[:2] not in ALWAYS]
)
def test_a_section_is_not_in_every_file_whatever_is_asked_for(
    name: str, feature: Feature, section: str
) -> None:
    others = [
        files for _, switch_slice, files in pieces(name) if feature not in needs(switch_slice)
    ]
    assert not others or any(not printed(section, files) for files in others)
