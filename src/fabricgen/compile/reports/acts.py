"""List the operations that a platform supports besides the features of the intent.

Examples are custom config, unmanaged sections, a drained leaf and a replaced box. No line marks
them in every file, so the platform itself is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.custom_config import keeping, whole
from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.model.fabric.own_lines import FILES
from fabricgen.nos.driver import Keeping
from fabricgen.nos.features import Feature, Supported

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.nos.nos import Nos

_COUNTED = "checked by grammar; unknown lines are counted as not checked (FG824)"
_UNREAD = "not checked: no grammar reads them, so no change of such a line is hitless"
_KEPT = "a candidate and a rollback take these sections from the running configuration"


@record(kw_only=True)
class Act:
    """Feature on one platform. said: how it works, or why not, in one sentence.

    word: yes, part, no, or `-` for features of other platforms. by: the file, line or driver
    function; empty where nothing is done.
    """

    name: str
    word: str
    said: str
    by: str = ""


def acts(runs: Nos, among: Iterable[Nos]) -> Iterator[Act]:
    """Yield the features of one platform; the same ones on each."""
    every = tuple(among)
    for kind in dict.fromkeys(kind for each in every for kind in whole.kinds(each)):
        yield _own(runs, kind)
    for kind in dict.fromkeys(kind for each in every for kind in keeping.kinds(each)):
        yield _kept(runs, kind)
    yield _hwsku(runs)
    yield _drained_leaf(runs)
    yield _serial(runs)
    yield _first_boot(runs)


def _own(runs: Nos, kind: str) -> Act:
    name = f"own-lines {kind}"
    if kind not in whole.kinds(runs):
        return _other(name, kind, f"a push writes no complete file on {runs.name}")
    if kind not in runs.own:
        return Act(name=name, word="part", said=_UNREAD, by="a file by its path")
    path = runs.own[kind].load().path
    if runs.grammar is None or path not in runs.grammar.load():
        return Act(name=name, word="part", said=_UNREAD, by=path)
    return Act(name=name, word="yes", said=_COUNTED, by=path)


def _kept(runs: Nos, kind: str) -> Act:
    name, driver = f"kept {kind}", runs.driver.load() if runs.driver is not None else None
    if kind not in keeping.kinds(runs):
        return _other(name, kind, "a push removes no files of others, so none must be retained")
    if not isinstance(driver, type) or not issubclass(driver, Keeping):
        return Act(name=name, word="no", said="its driver retains no sections")
    return Act(name=name, word="yes", said=_KEPT, by=f"{driver.__name__}.kept_sections")


def _other(name: str, kind: str, why: str) -> Act:
    """Return the act of a kind that a platform does not take: files, or the text of another."""
    if kind == FILES:
        return Act(name=name, word="no", said=why)
    return Act(name=name, word="-", said="for other platforms")


def _hwsku(runs: Nos) -> Act:
    models = (model for each in model_names() if (model := switch_model(each)) is not None)
    having = [model.name for model in models if model.skus.get(runs.name)]
    if not having:
        why = f"no model has hwskus on {runs.name}, so the pin is refused"
        return Act(name="pin hwsku", word="no", said=why)
    said = f"{counted(len(having), 'model')} of the catalog with hwskus, {having[0]} first"
    return Act(name="pin hwsku", word="yes", said=said, by=f"platforms > {runs.name} > skus")


def _drained_leaf(runs: Nos) -> Act:
    name, drain = "drained-leaf", runs.answer(Feature.DRAIN)
    bonds = [runs.answer(each) for each in (Feature.MULTIHOMING, Feature.MLAG)]
    shared = [it.section for it in bonds if isinstance(it, Supported)]
    if not isinstance(drain, Supported) or not shared:
        why = "no server has a bond with another leaf, so only `accept_loss` drains it"
        return Act(name=name, word="no", said=why)
    said = "like a spine; its ports to servers with a bond to another leaf are shut"
    return Act(name=name, word="yes", said=said, by=f"{drain.section}; {shared[0]}")


def _serial(runs: Nos) -> Act:
    driver = runs.driver.load() if runs.driver is not None else None
    if driver is None:
        return Act(name="replaced serial", word="no", said=f"{runs.name} has no driver")
    said = "a push refuses a switch with another serial number than the pinned one"
    by = f"{getattr(driver, '__name__', 'its driver')}.get_facts"
    return Act(name="replaced serial", word="yes", said=said, by=by)


def _first_boot(runs: Nos) -> Act:
    name = "replaced first-boot"
    if runs.first_boot is None:
        return Act(name=name, word="no", said=f"{runs.name} is installed by other means")
    said = "`export bootstrap` writes the files that a new switch needs until a push reaches it"
    return Act(name=name, word="yes", said=said, by=runs.first_boot.where)
