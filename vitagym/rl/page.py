"""The tables of features in the documentation, made from the features themselves."""

from __future__ import annotations

from collections.abc import Mapping

from vitagym.rl.rows import candidate_meanings, context_meanings


def feature_tables() -> str:
    """Return the tables of the features of a candidate and of the context, in Markdown."""
    return f"### A candidate\n{_table(candidate_meanings())}\n\n### The context\n{_table(context_meanings())}\n"


def _table(meanings: Mapping[str, str]) -> str:
    """Return one row a meaning: features that follow one another and mean the same share a row."""
    rows: list[tuple[int, int, list[str], str]] = []
    for number, (name, meaning) in enumerate(meanings.items()):
        if rows and rows[-1][3] == meaning:
            first, _, names, _ = rows.pop()
            rows.append((first, number, [*names, name], meaning))
        else:
            rows.append((number, number, [name], meaning))
    lines = [
        f"| {first if first == last else f'{first}-{last}'} | {', '.join(f'`{name}`' for name in names)} | {meaning} |"
        for first, last, names, meaning in rows
    ]
    return "\n".join(["| columns | feature | meaning |", "|---|---|---|", *lines])
