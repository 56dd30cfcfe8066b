# ruff: noqa: ARG001 - Gymnasium fixes the signatures of what is registered with it
"""Batches of text in Gymnasium's vector environments, within a process and between processes.

Gymnasium's shared memory is of fixed size and drops characters of text. Here the observations of worker processes
travel through files, one a sub-environment: texts of any length survive to the letter, lone surrogates too, and
nothing is taken up before something is written.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any, overload

import numpy as np
from gymnasium import spaces
from gymnasium.spaces.utils import flatten, flatten_space, is_space_dtype_shape_equiv, unflatten
from gymnasium.vector.utils import (
    batch_differing_spaces,
    concatenate,
    create_empty_array,
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)

Space = spaces.Space[Any]


def register_text_space(kind: type[Space]) -> None:
    """Tell Gymnasium how a space of text is batched, concatenated, shared and flattened (it stays as it is)."""
    concatenate.register(kind, _concatenate)
    create_empty_array.register(kind, _create_empty)
    batch_differing_spaces.register(kind, _batch_differing)
    is_space_dtype_shape_equiv.register(kind, _equal)
    flatten_space.register(kind, _itself)
    flatten.register(kind, _unchanged)
    unflatten.register(kind, _unchanged)
    create_shared_memory.register(kind, _create_shared)
    read_from_shared_memory.register(kind, _read_shared)
    write_to_shared_memory.register(kind, _write_shared)


class SharedTexts(Sequence[str]):
    """The latest text of each sub-environment, as other processes wrote them: a live view, whose copy stands still.

    The creating process removes the files when the view is gone.

    Args:
        number: How many sub-environments there are.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._folder = tempfile.mkdtemp(prefix="vitagym-")
        weakref.finalize(self, _remove, self._folder, os.getpid())

    def __getstate__(self) -> tuple[int, str]:
        return self._number, self._folder

    def __setstate__(self, state: tuple[int, str]) -> None:
        self._number, self._folder = state

    def write(self, index: int, text: str) -> None:
        """Make it the text of one sub-environment."""
        self._file(index).write_bytes(text.encode("utf-8", "surrogatepass"))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(self._number)))
        place = range(self._number)[index]
        try:
            return self._file(place).read_bytes().decode("utf-8", "surrogatepass")
        except FileNotFoundError:
            return ""

    def __len__(self) -> int:
        return self._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _file(self, index: int) -> Path:
        return Path(self._folder, str(index))


def _remove(folder: str, creator: int) -> None:
    if os.getpid() == creator:
        shutil.rmtree(folder, ignore_errors=True)


def _create_shared(space: Space, n: int = 1, ctx: ModuleType | None = None) -> Any:
    return SharedTexts(n)


def _read_shared(space: Space, shared_memory: SharedTexts, n: int = 1) -> Any:
    return shared_memory


def _write_shared(space: Space, index: int, value: str, shared_memory: SharedTexts) -> None:
    shared_memory.write(index, value)


def _concatenate(space: Space, items: Iterable[Any], out: object) -> tuple[Any, ...]:
    return tuple(items)


def _create_empty(space: Space, n: int = 1, fn: Callable[..., Any] = np.zeros) -> tuple[str, ...]:
    return ("",) * n


def _batch_differing(differing: Sequence[Space]) -> spaces.Tuple[Any]:
    return spaces.Tuple([deepcopy(space) for space in differing], seed=deepcopy(differing[0].np_random))


def _equal(space_1: Space, space_2: Space) -> bool:
    return space_1 == space_2


def _itself(space: Space) -> Any:
    return space


def _unchanged(space: Space, x: Any) -> Any:
    return x
