"""How well the user understands writers it never learnt from: each one's messages are judged by weights learnt from all
other messages. Run: python benchmarks/understanding.py (some minutes)
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from vitagym.dialogue.acts import AgentActKind
from vitagym.language import Language
from vitagym.users.act_corpus import Labelled, corpus
from vitagym.users.act_learning import Settings, example, learnt
from vitagym.users.act_weights import ActWeights, read, written
from vitagym.users.understanding import hear_with

DATA = Path(__file__).parent.parent / "tests" / "data"
KNOWING = {"w9", "w11", "w12"}
"""These writers had read what was misunderstood of the others, so they are learnt from here by nobody, nor measured."""
TUNED = {"w6", "w7", "w8", "w10", "w13"}
"""These had read ``tune``: they are learnt from, but not measured."""


def main() -> None:
    """Print F1 of each kind of act, over the messages of all writers, and macro-F1 of each writer."""
    for language in Language:
        rows: list[tuple[frozenset[AgentActKind], frozenset[AgentActKind]]] = []
        by_writer = writers(language)
        knowing = {text for writer in KNOWING for text in by_writer.get(writer, ())}
        labelled, usual, _ = corpus(DATA / "development", DATA, language)
        for writer, texts in by_writer.items():
            if writer in KNOWING | TUNED:
                continue
            weights = weights_of([row for row in labelled if row[0] not in texts | knowing], usual, language)
            of_writer = [
                (kinds, frozenset(act.kind for act in hear_with(weights, text, language).acts))
                for text, kinds in labelled
                if text in texts
            ]
            print(f"{language.value}: writer {writer}, {len(of_writer)} messages, macro-F1 {macro(of_writer):.3f}")
            rows += of_writer
        kinds = ", ".join(f"{kind.value} {f1(rows, kind):.2f}" for kind in AgentActKind)
        print(f"{language.value}: all writers, {len(rows)} messages, macro-F1 {macro(rows):.3f} ({kinds})")


def writers(language: Language) -> dict[str, set[str]]:
    """Return the texts of each writer."""
    out: dict[str, set[str]] = {}
    file = DATA / "development" / f"writers_{language.value}.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        out.setdefault(row["id"].split("-")[1], set()).add(row["text"])
    return out


def weights_of(
    labelled: Sequence[Labelled], usual: Sequence[frozenset[AgentActKind]], language: Language
) -> ActWeights:
    """Return the weights learnt from messages."""
    settings = Settings()
    return read(written(learnt([example(*row, language) for row in labelled], usual, settings), settings.doubt))


def macro(rows: Sequence[tuple[frozenset[AgentActKind], frozenset[AgentActKind]]]) -> float:
    """Return the mean over kinds of the F1 of pairs: the kinds labelled, the kinds understood."""
    return sum(f1(rows, kind) for kind in AgentActKind) / len(AgentActKind)


def f1(rows: Sequence[tuple[frozenset[AgentActKind], frozenset[AgentActKind]]], kind: AgentActKind) -> float:
    """Return the F1 of a kind."""
    count = Counter((kind in labelled) + (kind in understood) for labelled, understood in rows)
    return 2 * count[2] / (2 * count[2] + count[1]) if count[1] + count[2] else 1.0


if __name__ == "__main__":
    main()
