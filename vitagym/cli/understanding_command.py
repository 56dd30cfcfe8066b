"""The command that learns, from labelled messages, what the user understands an agent by."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vitagym.cli.app import AsJson
from vitagym.cli.screen import print_json
from vitagym.cli.user_commands import users_app
from vitagym.language import Language
from vitagym.users.act_corpus import corpus
from vitagym.users.act_learning import Settings, example, learnt
from vitagym.users.act_weights import written


@users_app.command()
def learn(
    folder: Annotated[Path, typer.Argument(help="Labelled messages and patterns, such as tests/data/development.")],
    more: Annotated[Path, typer.Option(help="Folder of labelled messages besides; held halves are left out.")],
    out: Annotated[Path, typer.Option(help="Folder for the weights.")] = Path("assets/acts"),
    json: AsJson = False,
) -> None:
    """Learn the weights by which the user understands an agent's messages: the same messages give the same bytes."""
    counts = {}
    for language in Language:
        labelled, usual, dropped = corpus(folder, more, language)
        weights = learnt([example(text, kinds, language) for text, kinds in labelled], usual, Settings())
        file = out / f"{language.value}.txt"
        file.write_text(written(weights, Settings().doubt), encoding="utf-8", newline="\n")
        counts[language.value] = {
            "messages": len(labelled), "dropped": dropped, "features": len(weights), "bytes": file.stat().st_size,
        }  # fmt: skip
    if json:
        print_json(counts)
    else:
        for name, count in counts.items():
            typer.echo(f"{name}: " + ", ".join(f"{number} {what}" for what, number in count.items()))
