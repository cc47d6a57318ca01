"""EOS: headroom, pool and threshold of the MMU are those of the plan, where a model takes them."""

import pytest
from tests.nos.eos.sites import RAIL_ONLY, RAILS, STORAGE, Made, site, slices, with_words

from fabricgen.core.diagnostics import Severity
from fabricgen.model.catalog.switches import switch_model
from fabricgen.nos.eos.gaps import gaps_of
from fabricgen.nos.eos.readback.queues import read

UNSOURCED = RAIL_ONLY.replace("7060DX5-64S", "7050CX3-32S").replace(
    "nic_speed: 400G", "nic_speed: 100G"
)
BOTH = with_words(
    RAILS,
    "backend",
    "roce: {storage: {share: 20}, over_subscription: 8, congested_ingresses: 4}",
)


def profile(made: Made) -> list[str]:
    return made.config.block("platform trident mmu queue profile LOSSLESS").lines


@pytest.mark.parametrize("text", [RAILS, RAIL_ONLY, BOTH], ids=["TH5", "TH4", "two classes"])
def test_the_file_has_the_bytes_of_the_plan(text: str) -> None:
    for made in site(text).values():
        plan = made.switch_slice.buffers
        assert plan is not None
        assert plan.cell is not None
        threshold, headroom = profile(made)
        assert threshold == f"ingress threshold {2**plan.alpha}"
        cells = int(headroom.removeprefix("ingress headroom cells "))
        most = max(port.headroom for port, _ in plan.ports)
        assert most * plan.classes <= cells * plan.cell < (most + plan.cell) * plan.classes
        (pool,) = made.config.rests("platform trident mmu headroom-pool limit cells ")
        assert plan.headroom <= int(pool) * plan.cell < plan.headroom + plan.cell
        assert made.config.has("platform trident mmu queue profile LOSSLESS apply")


def test_a_threshold_below_one_is_a_fraction() -> None:
    for made in site(_alpha(-4)).values():
        assert profile(made)[0] == "ingress threshold 1/16"


def test_a_threshold_that_eos_does_not_have_is_an_error() -> None:
    (found, *_) = [
        gap
        for switch_slice in slices(_alpha(5)).values()
        for gap in gaps_of(switch_slice)
        if "2^5" in gap.message
    ]
    assert found.severity is Severity.ERROR
    assert found.path == ("backend", "roce", "alpha")


def test_what_no_source_supports_is_not_written_and_said() -> None:
    for made in site(UNSOURCED).values():
        assert "platform trident mmu" not in made.text
        assert any(
            "is not written; EOS keeps its default" in gap.message
            for gap in gaps_of(made.switch_slice)
        )


def test_a_pool_larger_than_eos_takes_is_not_written() -> None:
    for made in site(STORAGE).values():
        assert "platform trident mmu" not in made.text
        (found,) = [gap for gap in gaps_of(made.switch_slice) if "headroom" in gap.message]
        assert "is not written: a pool has at most 131,072 cells, not 1" in found.message


def test_a_derived_line_is_said() -> None:
    found = [gap for switch_slice in slices(RAILS).values() for gap in gaps_of(switch_slice)]
    assert any("is inferred" in gap.message for gap in found)


@pytest.mark.parametrize(
    "line",
    [
        "platform trident mmu queue profile LOSSLESS apply",
        "    ingress headroom cells ",
        "platform trident mmu headroom-pool limit cells ",
    ],
)
def test_without_a_line_no_headroom_is_read_back(line: str) -> None:
    text = site(RAILS)["be-spine1"].text
    without = "".join(each for each in text.splitlines(keepends=True) if not each.startswith(line))
    assert without != text
    for changed, known in ((text, True), (without, False)):
        state = read(switch_model("7060X6-64PE"), {"eos.cfg": changed})
        held = {size for port in state.ports.values() for size in port.headroom.values()}
        assert (None not in held) is known


def _alpha(exponent: int) -> str:
    return with_words(
        RAIL_ONLY,
        "backend",
        f"roce: {{alpha: {exponent}, ecn: {{minimum: 10000, maximum: 20000}}}}",
    )
