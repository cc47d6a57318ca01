"""Write the configurations of a site's collectors, gnmic and Prometheus.

Forms: openconfig/gnmic docs/user_guide (subscriptions.md, outputs/prometheus_output.md,
event_processors), karimra/gnmic pull 593 (event-tags) and the documentation of Prometheus 2.42. No
file contains a secret: gnmic reads GNMIC_USERNAME and GNMIC_PASSWORD from its environment,
snmp_exporter reads a separate file.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import yaml

from fabricgen.compile.compiler import File, slices
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import nos
from fabricgen.nos.telemetry import Metric, Telemetry
from fabricgen.operate.export.absent import left_out
from fabricgen.operate.export.alerts import alerts
from fabricgen.operate.export.dashboard import DASHBOARD, dashboard
from fabricgen.operate.export.exporters import linux_jobs, needed
from fabricgen.operate.export.site_links import Reached

GNMIC, PROMETHEUS, RULES = "gnmic.yaml", "prometheus.yaml", "rules.yaml"
OUTPUT, EXPORTER = "localhost:9804", "localhost:9116"
"""Default addresses of gnmic and snmp_exporter for Prometheus, on one machine."""
_INTERVAL = "10s"


@record(kw_only=True)
class Collected:
    """The files, and the numbers of switches by protocol. left: sentences about missing data."""

    files: tuple[File, ...]
    streamed: int
    polled: int
    left: tuple[str, ...]


class Polled(NamedTuple):
    """A switch with SNMP: its address and user. `site`: empty in a tree of one site."""

    address: str
    user: str
    site: str


def collected(site: Site) -> Collected:
    """Write the configurations of a site's collectors."""
    streamed: dict[str, dict[str, Any]] = {}
    spoken: dict[str, Telemetry] = {}
    polled: dict[str, Polled] = {}
    several = len({fabric.site for fabric in site.fabrics}) > 1
    lost: dict[str, list[str]] = defaultdict(list)
    empty: dict[tuple[str, str], list[str]] = defaultdict(list)
    platforms: dict[str, Telemetry] = {}
    for fabric, switch_slice in slices(site):
        switch, gnmi = switch_slice.switch, switch_slice.services.gnmi
        name, runs = switch.name, nos(switch.platform)
        if name in fabric.absent:
            continue
        if gnmi is not None and runs.telemetry is not None:
            telemetry = runs.telemetry.load()
            platforms[runs.name] = spoken[name] = telemetry
            streamed[name] = {
                "address": f"{switch_slice.management.host}:{gnmi.port}",
                "subscriptions": [each.name for each in telemetry.subscriptions],
                **({"event-tags": {"site": fabric.site}} if several else {}),
            }
            for metric in telemetry.uncounted.get(runs.branch(switch.release), ()):
                empty[runs.label(switch.release), metric].append(name)
        elif users := (switch_slice.services.snmp.users if switch_slice.services.snmp else ()):
            address = switch_slice.management.host
            polled[name] = Polled(address, users[0].name, fabric.site if several else "")
        else:
            lost[runs.name].append(name)
    reached = Reached(streamed=spoken, polled={name: each.address for name, each in polled.items()})
    texts = {
        GNMIC: _gnmic(platforms, streamed),
        PROMETHEUS: _prometheus(platforms, list(polled.values())),
        RULES: alerts(site, reached),
    }
    jobs = linux_jobs(site)
    texts[PROMETHEUS]["scrape_configs"] += jobs
    return Collected(
        files=_files(texts, dashboard(site, site.name, spoken)),
        streamed=len(streamed),
        polled=len(polled),
        left=(
            *left_out(site, servers=False),
            *needed(jobs),
            *_lacking(platforms),
            *_unseen(empty, lost),
        ),
    )


def _files(texts: dict[str, Any], picture: str) -> tuple[File, ...]:
    yaml_files = (File(name, _yaml(text), executable=False) for name, text in texts.items())
    return (*yaml_files, File(DASHBOARD, picture, executable=False))


def _unseen(empty: dict[tuple[str, str], list[str]], lost: dict[str, list[str]]) -> Iterator[str]:
    """Yield what no switch of a release counts, and the switches without a collector."""
    for (label, metric), names in empty.items():
        yield (
            f"{label} has no counter for {metric}: no data from {len(names)} switches, "
            f"first {names[0]}"
        )
    for name, names in lost.items():
        yield f"{name}: {len(names)} switches, first {names[0]}, support neither gNMI nor SNMP v3"


def _lacking(platforms: dict[str, Telemetry]) -> Iterator[str]:
    for name, each in platforms.items():
        if each.lacks:
            yield f"{name}: not collected: {each.lacks}"


def _gnmic(platforms: dict[str, Telemetry], targets: dict[str, Any]) -> dict[str, Any]:
    subscriptions = [each for one in platforms.values() for each in one.subscriptions]
    return {
        "targets": targets,
        "subscriptions": {
            each.name: {
                **({"target": each.target} if each.target else {}),
                "paths": list(each.paths),
                "mode": "stream",
                "stream-mode": "sample",
                "sample-interval": _INTERVAL,
                "encoding": "json_ietf" if each.target else "json",
            }
            for each in subscriptions
        },
        "processors": {"numbers": {"event-convert": {"value-names": [".*"], "type": "float"}}},
        "outputs": {
            "prometheus": {
                "type": "prometheus",
                "listen": ":9804",
                "path": "/metrics",
                "event-processors": ["numbers"],
            }
        },
    }


def _by_site(polled: Sequence[Polled]) -> list[dict[str, Any]]:
    """Return the targets, with their site as label if there are several."""
    sites: dict[str, list[str]] = defaultdict(list)
    for each in polled:
        sites[each.site].append(each.address)
    return [
        {"targets": targets, **({"labels": {"site": site}} if site else {})}
        for site, targets in sites.items()
    ]


def _prometheus(platforms: dict[str, Telemetry], polled: Sequence[Polled]) -> dict[str, Any]:
    metrics = [each for one in platforms.values() for each in one.metrics]
    jobs: list[dict[str, Any]] = [
        {
            "job_name": "gnmic",
            "static_configs": [{"targets": [OUTPUT]}],
            "metric_relabel_configs": [rule for each in metrics for rule in _renamed(each)],
        }
    ]
    if polled:
        jobs.append(
            {
                "job_name": "snmp",
                "metrics_path": "/snmp",
                "params": {
                    "module": ["if_mib"],
                    "auth": list(dict.fromkeys(each.user for each in polled)),
                },
                "static_configs": _by_site(polled),
                "relabel_configs": [
                    {"source_labels": ["__address__"], "target_label": "__param_target"},
                    {"source_labels": ["__param_target"], "target_label": "instance"},
                    {"target_label": "__address__", "replacement": EXPORTER},
                ],
            }
        )
    return {"rule_files": [RULES], "scrape_configs": jobs}


def _renamed(metric: Metric) -> list[dict[str, Any]]:
    """Return the rules that set the labels of a metric, and then its name for all platforms."""
    made = [(label, f"${{{place}}}") for place, label in enumerate(metric.labels, 1)]
    return [
        {
            "source_labels": ["__name__"],
            "regex": metric.pattern,
            "target_label": label,
            "replacement": value,
        }
        for label, value in (*made, ("__name__", metric.name))
    ]


def _yaml(content: Any) -> str:
    return yaml.safe_dump(content, sort_keys=False, width=100)
