"""From any port, traffic, memory and threshold: what holds for all of them."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.budget import Alpha, budget, pause_threshold
from fabricgen.model.lossless.chips import CHIPS, CellFit, Chip, SonicDynamic, chip
from fabricgen.model.lossless.headroom import headroom, wire_minimum
from fabricgen.model.lossless.marking import Limits, marking_points
from fabricgen.model.lossless.memory import Change, Memory, PortGroup, Reserved, ShippedPool
from fabricgen.model.lossless.port import WORST_CASE, PauseResponse, Port, SmallPackets, Traffic
from fabricgen.model.lossless.rows import Row, compare
from fabricgen.model.lossless.terms import Part, rounded_up, whole

SPEEDS = tuple(
    BitsPerSecond.parse(speed)
    for speed in ("10G", "25G", "40G", "50G", "100G", "200G", "400G", "800G", "1.6T")
)
NO_BYTES = Bytes(0)
LISTED = SPEEDS[:-1]  # SONiC's table of quanta ends at 800G

OTHERS = tuple(chip(f"no model, cells of {cell}", Bytes(cell)) for cell in (80, 128, 208, 384))
chips = st.sampled_from((*CHIPS, *OTHERS, chip("no cell", None)))
lengths = st.integers(0, 120_000).map(Meters)
mtus = st.integers(1024, 9216).map(Bytes)
traffics = st.builds(Traffic, st.integers(0, 100), st.sampled_from(SmallPackets))
responses = st.sampled_from([None, *PauseResponse])
ports = st.builds(
    Port,
    speed=st.sampled_from(LISTED),
    length=lengths,
    mtu=mtus,
    lossless_mtu=mtus,
    lanes=st.sampled_from([4, 8]),
)
alphas = st.integers(-8, 7).map(Alpha)
sizes = st.integers(0, 300_000_000).map(Bytes)
groups = st.lists(
    st.builds(
        PortGroup,
        speed=st.sampled_from(SPEEDS),
        length=st.sampled_from([5, 40, 300]).map(Meters),
        count=st.integers(0, 64),
        headroom=st.integers(0, 3_000_000).map(Bytes),
        classes=st.integers(0, 2),
        shorter=st.just(((Meters(2), Bytes(1000)),)),
        below=st.integers(0, 20_000).map(Bytes),
        own=st.integers(0, 20_000).map(Bytes),
    ),
    max_size=4,
)
memories = st.builds(
    Memory,
    sizes,
    st.sampled_from([1, 96, 254, 420]).map(Bytes),
    st.builds(Reserved, management=st.integers(0, 20_000).map(Bytes)),
)
pools = st.none() | st.builds(
    ShippedPool, st.integers(1, 30_000_000).map(Bytes), st.integers(0, 90_000_000).map(Bytes)
)


@given(ports, chips, traffics, responses, st.integers(1, 1000))
def test_a_longer_cable_never_needs_less(
    port: Port, silicon: Chip, traffic: Traffic, response: PauseResponse | None, more: int
) -> None:
    longer = replace(port, length=Meters(port.length + more))
    short, long = (headroom(item, silicon, traffic, response) for item in (port, longer))
    assert short.total <= long.total
    grown = long.total - short.total - short.per_meter * more
    assert abs(grown) < max(1024, silicon.cell), "linear in the length, but for rounding"


@given(ports, chips, traffics, responses)
@example(
    Port(speed=SPEEDS[0], length=Meters(0), mtu=NO_BYTES, lossless_mtu=NO_BYTES, lanes=4),
    chip("Tofino2", None),
    Traffic(0),
    None,
)
def test_a_faster_port_never_needs_less(
    port: Port, silicon: Chip, traffic: Traffic, response: PauseResponse | None
) -> None:
    asked = replace(port, mtu=Bytes(9216), lossless_mtu=Bytes(9216))
    rates = known_speeds(silicon, response)
    needs = [headroom(replace(asked, speed=at), silicon, traffic, response).total for at in rates]
    assert needs == sorted(needs)


def known_speeds(silicon: Chip, response: PauseResponse | None) -> tuple[BitsPerSecond, ...]:
    """Return the speeds a model knows the response of; Tofino2, which doubles one, ends there."""
    model = silicon.model
    if not isinstance(model, SonicDynamic):
        return SPEEDS
    if model.doubled_at:
        return tuple(speed for speed in SPEEDS if speed <= model.doubled_at)
    return LISTED if (response or model.response) is PauseResponse.SHIPPED else SPEEDS


@given(ports, chips, responses)
def test_worst_packets_never_need_less_than_the_wire(
    port: Port, silicon: Chip, response: PauseResponse | None
) -> None:
    asked = replace(port, mtu=Bytes(9216))
    # A fit has its response in its rows; it cannot be asked for another.
    chosen = None if isinstance(silicon.model, CellFit) else response
    minimum = wire_minimum(asked, chosen or PauseResponse.SHIPPED).total
    assert headroom(asked, silicon, WORST_CASE, response).total >= minimum


@given(ports, chips, traffics, responses)
def test_terms_add_up(
    port: Port, silicon: Chip, traffic: Traffic, response: PauseResponse | None
) -> None:
    for made in (headroom(port, silicon, traffic, response), wire_minimum(port)):
        assert sum(term.value for term in made.terms) == made.total <= made.upper
        assert all(term.value >= 0 and term.source for term in made.terms)


@given(st.lists(st.fractions(0, 10**6), max_size=8), st.integers(1, 1024))
def test_whole_terms_are_less_than_a_byte_off(values: list[Fraction], unit: int) -> None:
    parts = [Part("part", value, "a test") for value in values]
    total, terms = whole(parts, unit, "a test")
    assert total == rounded_up(sum(values, Fraction(0)), unit)
    assert sum(term.value for term in terms) == total
    assert all(abs(term.value - part.value) < 1 for term, part in zip(terms, parts, strict=False))


@given(sizes, alphas, st.integers(1, 512), st.integers(1, 8))
def test_congested_groups_never_promise_more_than_the_pool(
    shared: Bytes, alpha: Alpha, count: int, classes: int
) -> None:
    limit = pause_threshold(shared, alpha, count, classes)
    assert limit * count * classes <= shared
    assert limit <= pause_threshold(shared, Alpha(alpha.exponent + 1), count, classes)


@given(memories, groups, alphas, pools)
def test_a_budget_adds_up_and_its_remedies_are_enough(
    memory: Memory, ports: list[PortGroup], alpha: Alpha, pool: ShippedPool | None
) -> None:
    made = budget(memory, ports, alpha, pool)
    assert sum(term.value for term in made.terms) == memory.total
    assert made.fits == (made.shared >= 0)
    assert made.missing == max(0, -made.shared)
    for remedy in made.remedies:
        assert remedy.value > 0
        if remedy.change is Change.SHORTER_CABLES:
            cut = [
                replace(group, length=Meters(2), headroom=Bytes(1000), shorter=())
                for group in ports
            ]
            assert remedy.value == 2
            assert budget(memory, cut, alpha, pool).fits


@given(st.sampled_from(SPEEDS), sizes, mtus, sizes, st.integers(1, 64))
def test_marking_terms_add_up_and_pause_is_never_passed(
    speed: BitsPerSecond, product: Bytes, mtu: Bytes, pause: Bytes, feeding: int
) -> None:
    limits = Limits(mtu=mtu, pause_at=pause, feeding=feeding)
    points = marking_points(speed, product, limits)
    for name, value in (("Kmin", points.minimum), ("Kmax", points.maximum)):
        assert value == sum(term.value for term in points.terms if term.name.startswith(name))
    assert points.maximum <= limits.highest <= limits.queue_at_pause
    assert points.holds == (mtu <= points.minimum < points.maximum)


@given(ports, chips, st.lists(st.tuples(lengths, sizes), max_size=6))
def test_no_row_of_a_shorter_cable_and_no_rounding_down(
    port: Port, silicon: Chip, found: list[tuple[Meters, Bytes]]
) -> None:
    rows = [
        Row(speed=port.speed, length=length, headroom=Bytes(size + 1), source="a test")
        for length, size in found
    ]
    made = compare(port, headroom(port, silicon), rows)
    if made.shipped is None:
        assert made.headroom >= made.computed.total
        by_switch = isinstance(silicon.model, SonicDynamic)
        assert by_switch or all(row.length < port.length for row in rows)
    else:
        assert made.headroom == made.shipped.headroom
        assert made.shipped.length >= port.length
