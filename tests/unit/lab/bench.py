"""An example site, compiled once, and the plan of its lab: what the judges compare with."""

from functools import cache
from pathlib import Path

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site, load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.traffic.bench import Bench

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
