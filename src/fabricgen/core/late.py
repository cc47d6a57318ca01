"""Imports a value at its first use, for what few sites or few commands need."""

from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from fabricgen.core.record import record

T = TypeVar("T")


@record()
class Late(Generic[T]):
    """A value that is imported at its first use from `where`: `module:attribute`."""

    where: str

    def load(self) -> T:
        """Import the value. Python keeps the module, so a second call costs a look-up."""
        module, _, attribute = self.where.partition(":")
        return cast("T", getattr(import_module(module), attribute))

    def __call__(self, *values: Any) -> Any:
        """Import a function and call it."""
        return self.load()(*values)  # type: ignore[operator]
