"""Write alert rules for classes of RoCE without pause, where loss is possible but not normal."""

from collections.abc import Iterator

from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.telemetry import TRIMMED
from fabricgen.operate.export.rule import Rule

_TRIMMED = 0.01
"""Share of packets: a starting value. Each trimmed packet is sent again."""


def lossy_rules(site: Site) -> Iterator[Rule]:
    """Yield the rules of each queue whose packets are trimmed, once for all fabrics."""
    numbers = {
        item.number
        for fabric in site.fabrics
        for item in (fabric.qos.classes if fabric.qos is not None else ())
        if item.cut is not None and item.kind in (Kind.LOSSLESS, Kind.STORAGE)
    }
    at = "{{ $labels.source }} {{ $labels.port }}"
    for number in sorted(numbers):
        on = f'{{queue="{number}"}}'
        yield Rule(
            f"Trimmed{number}",
            f"rate({TRIMMED}{on}[5m]) > {_TRIMMED} * rate(queue_packets{on}[5m])",
            5,
            f"{at}: more than {_TRIMMED:.0%} of queue {number} is trimmed and sent again",
        )
