"""Frozen dataclasses that are made quickly are what they were."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from vitagym.frozen import quickly_made


@quickly_made
@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0
    names: list[str] = field(default_factory=list)


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    first: int
    second: str = "two"


def test_fields_come_by_place_and_name_with_their_defaults():
    assert (Point(1), Point(1, 2), Point(y=2, x=1)) == (Point(1, 0, []), Point(1, 2, []), Point(1, 2, []))
    assert Named(first=1) == Named(second="two", first=1)
    assert Point(1).names is not Point(1).names


def test_what_is_missing_or_unknown_is_an_error():
    for wrong in (lambda: Point(), lambda: Point(1, z=2), lambda: Named(1)):
        with pytest.raises(TypeError):
            wrong()


def test_they_stay_frozen_and_can_be_copied():
    point = Point(1, 2, ["a"])
    with pytest.raises(FrozenInstanceError):
        point.x = 3
    assert replace(point, y=5) == Point(1, 5, ["a"])
    assert pickle.loads(pickle.dumps(point)) == copy.deepcopy(point) == point


def test_a_class_that_checks_its_fields_is_refused():
    @dataclass(frozen=True, slots=True)
    class Checked:
        x: int

        def __post_init__(self):
            raise AssertionError

    with pytest.raises(TypeError, match="Checked has a __post_init__"):
        quickly_made(Checked)
