"""The rows of a training run: kept in a CSV file that always is whole, and in TensorBoard's format beside it."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

PROGRESS_FILE = "progress.csv"
Row = Mapping[str, float]


class Progress:
    """Appends rows; what an earlier run of the same folder wrote stays.

    Args:
        folder: The folder of the run.

    Attributes:
        rows: All rows so far.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / PROGRESS_FILE
        self._board = SummaryWriter(str(folder / "tensorboard"))
        self.rows: list[Row] = read_progress(folder)

    @property
    def last(self) -> Row:
        """The last row; empty before there is one."""
        return self.rows[-1] if self.rows else {}

    def add(self, row: Row) -> None:
        """Keep a row. A figure that is new, such as the success of a family met late, gets a column of its own."""
        self.rows.append(dict(row))
        columns = list(dict.fromkeys(name for known in self.rows for name in known))
        draft = self._path.with_suffix(".tmp")
        with draft.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(self.rows)
        os.replace(draft, self._path)
        for name, value in row.items():
            if name != "steps":
                self._board.add_scalar(name, value, int(row["steps"]))

    def close(self) -> None:
        """Write what is left."""
        self._board.close()


def read_progress(folder: Path) -> list[Row]:
    """Return the rows of a run; none where nothing was written yet. What a row does not have is left out."""
    path = folder / PROGRESS_FILE
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: float(value) for name, value in row.items() if value != ""} for row in csv.DictReader(file)]
