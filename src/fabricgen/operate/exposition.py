"""Write gauges in the text format of Prometheus.

Format: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format.
"""

import re
from collections.abc import Iterator, Mapping

_UNPRINTED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def gauge(name: str, about: str, values: Mapping[str, float], digits: int = 3) -> Iterator[str]:
    """Yield the lines of a gauge, or nothing without values.

    Args:
        name: Name of the metric.
        about: Help text.
        values: Values by their labels, as `labels` writes them.
        digits: Digits after the point.
    """
    if values:
        yield f"# HELP {name} {about}"
        yield f"# TYPE {name} gauge"
        yield from (f"{name}{{{own}}} {value:.{digits}f}" for own, value in values.items())


def labels(**texts: str) -> str:
    """Return labels as text. A text from a switch cannot end its label."""
    return ",".join(f'{name}="{_escaped(text)}"' for name, text in texts.items())


def _escaped(text: str) -> str:
    shown = _UNPRINTED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return shown.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
