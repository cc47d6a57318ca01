"""Find the `Nos` object of a platform by its name, built in or from an entry point."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import cast

from fabricgen.core.diagnostics import Failure
from fabricgen.core.extensions import PLATFORMS, Extension, extensions, spoken
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.containerlab import Kind
from fabricgen.nos.features import Feature, Supported
from fabricgen.nos.nos import Nos
from fabricgen.nos.show import Reader

OURS = ("eos", "sonic", "linux")
"""Names of the built-in platforms: NOS of fabricgen/nos/<name>/nos.py."""


@cache
def platforms() -> tuple[str, ...]:
    """Return the names of all platforms, built-in ones first. An extension cannot reuse these."""
    theirs = (each.name for each in extensions(PLATFORMS))
    return tuple(dict.fromkeys((*OURS, *theirs)))


def releases() -> dict[str, tuple[str, ...]]:
    """Return the names of all platforms with their releases, oldest first."""
    return {name: tuple(nos(name).releases) for name in platforms()}


def targets() -> dict[str, tuple[str, ...]]:
    """Return the names of all platforms with their releases, also with the word of an image."""
    return {name: nos(name).targets() for name in platforms()}


@cache
def nos(name: str) -> Nos:
    """Return a platform, imported at its first use. LookupError if the name is unknown."""
    if name in OURS:
        return cast("Nos", import_module(f"fabricgen.nos.{name}.nos").NOS)
    for each in extensions(PLATFORMS):
        if each.name == name:
            return _checked(each)
    raise LookupError(f"unknown platform {name!r}: use one of {', '.join(platforms())}")


def _checked(extension: Extension) -> Nos:
    loaded = extension.load()
    if not isinstance(loaded, Nos):
        raise extension.failure(f"{extension.entry.value} is no fabricgen.nos.nos.Nos")
    if loaded.name != extension.name:
        raise extension.failure(f"its name is {loaded.name!r}")
    return loaded


def bootable() -> tuple[str, ...]:
    """Return the platforms whose files a lab on this machine boots."""
    return tuple(name for name in platforms() if nos(name).boots_here)


@contextmanager
def blamed(platform: str) -> Iterator[None]:
    """Attribute errors inside the block to the package of the platform."""
    try:
        yield
    except Failure:
        raise
    except Exception as error:
        for each in extensions(PLATFORMS) if platform not in OURS else ():
            if each.name == platform:
                raise each.failure(spoken(error)) from error
        raise


def nos_of(switch: Switch) -> Nos:
    return nos(switch.platform)


def supports(switch: Switch, feature: str) -> bool:
    """Return whether the release of a switch supports a feature."""
    return isinstance(nos_of(switch).answer(Feature(feature), switch.release), Supported)


def usual(switch: Switch, feature: str) -> str:
    """Return the default value of a switch, for which its files have no line."""
    answer = nos_of(switch).answer(Feature(feature), switch.release)
    return answer.usual if isinstance(answer, Supported) else ""


def runs_on(switch: Switch) -> str:
    """Return the platform and release of a switch, for people."""
    return nos_of(switch).label(switch.release)


def kind_of(platform: str) -> Kind:
    """Return the containerlab settings of a platform. LookupError if it has none."""
    kind = nos(platform).containerlab
    if kind is None:
        raise LookupError(f"{platform} does not run in containerlab")
    return kind.load()


def reader_of(platform: str) -> Reader | None:
    """Return the state reader of a platform, or None."""
    show = nos(platform).show
    return show.load() if show is not None else None


def required_reader(platform: str) -> Reader:
    """Return the state reader of a platform that has one, as of any switch with expected state."""
    reader = reader_of(platform)
    assert reader is not None, platform
    return reader
