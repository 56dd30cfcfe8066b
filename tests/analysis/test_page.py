"""The page on metrics: its tables are made from the registries. ``python tests/analysis/test_page.py`` writes them."""

import inspect
import re
from pathlib import Path

import pytest

from vitagym.analysis.failures import FailureType, title
from vitagym.analysis.metrics import METRICS
from vitagym.analysis.rows import GROUPINGS
from vitagym.cli.metrics_sections import SECTIONS

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"
_TABLE = re.compile(r"(<!-- made from the (\w+): [^>]*-->\n\|.*\n\|[-|]+\n)((?:\|.*\n)*)(<!-- end -->)")


def metric_lines():
    return [f"| `{m.name}` | {m.unit} | {m.section} | {m.definition} |" for m in METRICS.values()]


def type_lines():
    source = inspect.getsource(FailureType)
    said = dict(re.findall(r'^    ([A-Z_]+) = .*\n    """(.*)"""', source, re.MULTILINE))
    return [
        f"| {title(what.category) if what.category else ''} | `{what.value}` | {said[what.name]} |"
        for what in FailureType
    ]


MADE = {"registry": metric_lines, "types": type_lines}


@pytest.mark.parametrize("name", MADE)
def test_a_table_is_what_the_code_says(name):
    tables = {kind: lines for _, kind, lines, _ in _TABLE.findall(PAGE.read_text(encoding="utf-8"))}
    assert tables[name].splitlines() == MADE[name]()


def test_every_group_and_every_part_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in GROUPINGS if f"`{name}`" not in page] == []
    assert [name for name in SECTIONS if f"`--show {name}`" not in page] == []


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    made = _TABLE.sub(lambda m: m[1] + "".join(f"{line}\n" for line in MADE[m[2]]()) + m[4], text)
    PAGE.write_text(made, encoding="utf-8")
