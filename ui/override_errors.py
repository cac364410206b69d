"""Errors in methods that Qt calls, where Python is older than 3.12.

PySide 6.11 takes such an error while it is no more than a class and a text, adds its own text as if it were an exception,
and the process ends with a segmentation fault. That is so for most errors that Python itself and PySide raise: a wrong
index, a text that is no number, a Qt object that is deleted already. An `except` clause makes exceptions of them before.
"""

from __future__ import annotations

import functools
import inspect
import sys
from types import FunctionType

from shiboken6 import Shiboken

TYPE_CHECKING = False  # and not that of `typing`, a long file
if TYPE_CHECKING:
    from collections.abc import Callable

FIXED_IN = (3, 12)
"""The Python in which each error is an exception from the beginning."""

BINDINGS = ("PySide6.", "Shiboken")
"""How the names of the modules begin in which the classes of Qt are."""


def keep_override_errors() -> None:
    """Let errors in overrides of methods of Qt reach their caller, in all classes that are made from now on."""
    if sys.version_info < FIXED_IN:
        setattr(Shiboken.Object, "__init_subclass__", classmethod(_on_subclass))  # noqa: B010 - no stub has it


def _on_subclass(made: type[Shiboken.Object], **options: object) -> None:
    super(Shiboken.Object, made).__init_subclass__(**options)
    bases = [base for base in made.__mro__ if base.__module__.startswith(BINDINGS)]
    for name, value in list(vars(made).items()):
        if not isinstance(value, FunctionType) or name.startswith("__"):
            continue
        if any(name in vars(base) for base in bases):
            setattr(made, name, _with_whole_errors(value))


def _with_whole_errors(method: FunctionType) -> Callable[..., object]:
    code = method.__code__
    if code.co_argcount == 1 and not code.co_flags & inspect.CO_VARARGS:
        # As many parameters as before: PySide counts those of a slot, and a button would tell it that it is not checked.
        @functools.wraps(method)
        def call_alone(self: object) -> object:
            try:
                return method(self)
            except BaseException:
                raise

        return call_alone

    @functools.wraps(method)
    def call(*arguments: object, **options: object) -> object:
        try:
            return method(*arguments, **options)
        except BaseException:
            raise

    return call
