"""Write a Grafana dashboard of a site: a row for each rail, tier and fabric, with known metrics.

Form: grafana.com/docs, dashboard JSON model. A panel is written where a platform of its row has the
metric, so no panel is empty by design. Prometheus is a variable of the dashboard.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fabricgen.core.record import record
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.telemetry import MARKED, TRIMMED, Telemetry

DASHBOARD = "dashboard.json"
_WIDTH, _HEIGHT, _ACROSS = 8, 8, 3
_SCHEMA = 39  # schemaVersion of Grafana 10 and 11; later versions migrate it
_SOURCE = {"type": "prometheus", "uid": "${datasource}"}


class Panel(NamedTuple):
    """A graph: its title, metric, PromQL with `{on}` for the switches, and unit in Grafana's words.

    `of`: lossless, trimmed or marked if the fabric needs such a class, else empty.
    """

    title: str
    metric: str
    query: str
    unit: str
    of: str = ""


PANELS = (
    Panel(
        "Dropped packets",
        "queue_dropped",
        "sum by (source, queue) (rate(queue_dropped{on}[5m]))",
        "pps",
    ),
    Panel(
        "Queue depth",
        "queue_watermark_bytes",
        "max by (source, queue) (queue_watermark_bytes{on})",
        "bytes",
    ),
    Panel(
        "ECN marks",
        MARKED,
        f"sum by (source, queue) (rate({MARKED}{{on}}[5m]))",
        "pps",
        "marked",
    ),
    Panel(
        "Pauses received",
        "port_pfc_received",
        "sum by (source, priority) (rate(port_pfc_received{on}[5m]))",
        "pps",
        "lossless",
    ),
    Panel(
        "Trimmed packets",
        TRIMMED,
        f"sum by (source, queue) (rate({TRIMMED}{{on}}[5m]))",
        "pps",
        "trimmed",
    ),
    Panel(
        "Frames that FEC cannot repair",
        "port_fec_uncorrected",
        "sum by (source) (rate(port_fec_uncorrected{on}[5m]))",
        "pps",
    ),
    Panel(
        "Weakest received light",
        "optic_received_dbm",
        "min by (source) (optic_received_dbm{on})",
        "dBm",
    ),
)


@record(kw_only=True)
class _Row:
    title: str
    switches: tuple[Switch, ...]
    qos: Qos | None


def dashboard(site: Site, name: str, streamed: Mapping[str, Telemetry]) -> str:
    """Return the dashboard as text.

    Args:
        site: The site.
        name: Title of the dashboard.
        streamed: The telemetry of each switch with gNMI, by its name.
    """
    panels: list[dict[str, Any]] = []
    for row in (row for fabric in site.fabrics for row in _rows(fabric)):
        names = [switch.name for switch in row.switches if switch.name in streamed]
        shown = list(_shown(row, [streamed[each] for each in names]))
        if shown:
            top = (len(panels) + 1) * _HEIGHT
            panels.append(_titled(row.title, len(panels) + 1, top))
            for place, panel in enumerate(shown):
                panels.append(_graph(panel, names, len(panels) + 1, place, top + 1))
    content = {
        "title": name,
        "uid": f"fabricgen-{name}"[:40],
        "tags": ["fabricgen"],
        "schemaVersion": _SCHEMA,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {
            "list": [{"name": "datasource", "type": "datasource", "query": "prometheus"}]
        },
        "panels": panels,
    }
    return json.dumps(content, indent=2) + "\n"


def _rows(fabric: Fabric) -> Iterator[_Row]:
    """Yield the leafs of each rail, or all leafs, and then each tier above."""
    switches = [each for each in fabric.topology.switches if each.name not in fabric.absent]
    leafs = [each for each in switches if each.is_leaf]
    for rails in sorted({each.rails for each in leafs}):
        numbers = ", ".join(map(str, rails))
        title = f"{fabric.name}: rail {numbers}" if rails else f"{fabric.name}: leafs"
        of_rail = tuple(each for each in leafs if each.rails == rails)
        yield _Row(title=title, switches=of_rail, qos=fabric.qos)
    for role in sorted({each.role for each in switches if not each.is_leaf}, key=lambda r: r.tier):
        tier = tuple(each for each in switches if each.role is role)
        yield _Row(title=f"{fabric.name}: {role}s", switches=tier, qos=fabric.qos)


def _shown(row: _Row, platforms: Sequence[Telemetry]) -> Iterator[Panel]:
    known = {metric.name for each in platforms for metric in each.metrics}
    qos = row.qos
    has = {
        "": True,
        "lossless": qos is not None and bool(qos.lossless),
        "marked": qos is not None and qos.marked,
        "trimmed": qos is not None and qos.trimmed is not None,
    }
    yield from (panel for panel in PANELS if panel.metric in known and has[panel.of])


def _titled(title: str, number: int, top: int) -> dict[str, Any]:
    place = {"h": 1, "w": _WIDTH * _ACROSS, "x": 0, "y": top}
    return {"id": number, "type": "row", "title": title, "gridPos": place, "panels": []}


def _graph(panel: Panel, names: list[str], number: int, place: int, top: int) -> dict[str, Any]:
    down, across = divmod(place, _ACROSS)
    on = '{source=~"' + "|".join(names) + '"}'
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "datasource": _SOURCE,
        "gridPos": {"h": _HEIGHT, "w": _WIDTH, "x": across * _WIDTH, "y": top + down * _HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "targets": [{"refId": "A", "datasource": _SOURCE, "expr": panel.query.replace("{on}", on)}],
    }
