"""An example site, compiled once, and the plan of its lab: what the judges compare with."""

from functools import cache
from pathlib import Path

from fabricgen.compiler import compile_site
from fabricgen.fabric.switch import Site
from fabricgen.intent.load import load_site, load_texts
from fabricgen.lab.client import LabClient
from fabricgen.lab.layout import lay_out
from fabricgen.lab.traffic.bench import Bench

ROOT = Path(__file__).resolve().parents[3]


@cache
def site_of(name: str) -> Site:
    made = compile_site(load_site(ROOT / "intent" / name), "linux")
    assert made.site is not None
    return made.site


def bench_of_text(text: str) -> Bench:
    """Return the bench of a small site of Linux switches."""
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None, made.findings
    plan = lay_out(made.site, name="text", lifted=None, files=(), limit=())
    return Bench(LabClient(ROOT / "no-lab"), made.site, plan)


@cache
def bench_of(name: str = "lab", *limit: str) -> Bench:
    """Return the bench of an example site; no lab is behind it, so nothing can be measured."""
    site = site_of(name)
    plan = lay_out(
        site, name=name, lifted="linux" if name != "lab" else None, files=(), limit=limit
    )
    return Bench(LabClient(ROOT / "no-lab"), site, plan)
