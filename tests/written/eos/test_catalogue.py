"""Every EOS switch of a site passes the catalogue, and no value of it is unread."""

from tests.cli.calling import ROOT
from tests.written.checking import BAD, checked, passed, sentences
from tests.written.eos.eapi import output
from tests.written.eos.switches import written

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.nos.registry import reader_of
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.prove.catalogue.model import Outcome
from fabricgen.prove.verifier import expectations


def test_every_eos_switch_of_a_site_passes() -> None:
    site = compile_site(load_site(ROOT / "intent/full")).site
    assert site is not None
    shown, wanted = written(site), expectations(site, frozenset(targets_of(site)))
    assert shown
    every: set[str] = set()
    for name, answers in shown.items():
        reader = reader_of("eos")
        assert reader is not None
        look = reader.read(output(answers, reader.request(wanted[name].facts)))
        results = checked(wanted[name], look)
        assert sentences(results, *BAD, Outcome.UNREAD) == []
        every |= passed(results)
    assert every > {"Ecmp", "EvpnPrefixes", "HardwareFib", "OpticsLight", "Environment", "Identity"}
