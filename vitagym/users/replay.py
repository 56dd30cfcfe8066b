"""A user that says again what a user said in a log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vitagym.dialogue.acts import Slot, UserAct, UserActKind
from vitagym.errors import CallerError
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona, Task
from vitagym.users.phrasing import phrase
from vitagym.users.user import Reply


class ReplayedUser:
    """Says the utterances of a log in their order, whatever the agent says.

    Args:
        replies: What it says; after the last it says goodbye.
        language: In which language it says goodbye.

    Attributes:
        done: Whether it has ended the conversation.
    """

    def __init__(self, replies: Sequence[Reply], language: Language) -> None:
        self._replies = tuple(replies)
        self._language = language
        self._at = 0
        self.done = False

    @classmethod
    def of_messages(
        cls,
        messages: Iterable[Mapping[str, Any]],
        language: Language,
        *,
        ended: bool,
        acts: Iterable[Mapping[str, Any]] = (),
    ) -> ReplayedUser:
        """Return the user of a conversation in OpenAI format.

        Args:
            messages: The conversation; only what the user said counts.
            language: In which language it says goodbye.
            ended: Whether the user ended it with its last words.
            acts: What it did with its words, where known: each with the ``turn``, counted from 0 without the system
                prompt, its ``kind``, ``point`` and ``slot``.
        """
        turns = [message for message in messages if message["role"] != "system"]
        done: dict[int, list[UserAct]] = {}
        for act in acts:
            done.setdefault(int(act["turn"]), []).append(_act(act))
        said = [(at, str(message["content"])) for at, message in enumerate(turns) if message["role"] == "user"]
        last = said[-1][0] if said else 0
        return cls([Reply(text, tuple(done.get(at, ())), ended and at == last) for at, text in said], language)

    def fork(self) -> ReplayedUser:
        """Return a user that goes on from here by itself."""
        other = ReplayedUser(self._replies, self._language)
        other._at, other.done = self._at, self.done
        return other

    def open(self) -> Reply:
        """Return the first utterance of the log."""
        return self._next()

    def reply(self, message: str) -> Reply:  # noqa: ARG002 - what the agent says changes nothing
        """Return the next utterance of the log."""
        return self._next()

    def _next(self) -> Reply:
        if self._at < len(self._replies):
            reply = self._replies[self._at]
            self._at += 1
        else:
            words = phrase("close", Persona.NEUTRAL, self._language, Stream(0, "goodbye"))
            reply = Reply(words, (UserAct(UserActKind.CLOSE),), done=True)
        self.done = reply.done
        return reply


def replayed(path: str | Path, task: Task, stream: Stream) -> ReplayedUser:
    """Return the user of an episode on this task, in its language, from a log.

    Args:
        path: A file with one episode as JSON, or one a line; or a folder of such files. An episode has ``task_id``,
            ``language``, ``messages`` and ``end_reason``, and ``acts`` where they are known.
        stream: Draws one where there are several.

    Raises:
        CallerError: There is no log, or no episode on this task in it.
    """
    found = [
        episode
        for episode in _episodes(Path(path))
        if episode.get("task_id") == task.id and episode.get("language", task.language.value) == task.language.value
    ]
    if not found:
        raise CallerError(f"no episode on task {task.id!r} ({task.language.value}) in the log {str(path)!r}")
    episode = stream.choice(found)
    return ReplayedUser.of_messages(
        episode["messages"],
        task.language,
        ended=episode.get("end_reason") == "user_done",
        acts=episode.get("acts") or (),
    )


def _act(logged: Mapping[str, Any]) -> UserAct:
    slot = logged.get("slot")
    return UserAct(UserActKind(logged["kind"]), logged.get("point"), Slot(slot) if slot else None)


def _episodes(path: Path) -> list[Mapping[str, Any]]:
    if not path.exists():
        raise CallerError(f"there is no log at {str(path)!r}")
    files = sorted(p for p in path.rglob("*.json*") if p.is_file()) if path.is_dir() else [path]
    return [episode for file in files for episode in _read(file)]


def _read(file: Path) -> list[Mapping[str, Any]]:
    """Return the episodes of a file: JSON lines, one object, or a list of them; others are left alone."""
    text = file.read_text(encoding="utf-8")
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        data = [json.loads(line) for line in text.splitlines() if line.strip()]
    rows = data if isinstance(data, list) else [data]
    return [row for row in rows if isinstance(row, dict) and "messages" in row and "task_id" in row]
