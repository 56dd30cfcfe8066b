"""What the user knows of itself: the facts of the profile, told only when asked."""

from __future__ import annotations

from vitagym.dialogue.acts import Slot
from vitagym.tasks.task import Profile
from vitagym.users.understanding import Heard

_PUBLIC = {
    Slot.OCCUPATION: ("fact_occupation", "occupation"),
    Slot.AGE: ("fact_age", "age group"),
    Slot.GENDER: ("fact_gender", "gender"),
    Slot.RESIDENCE: ("fact_residence", "residence"),
}
_NOTHING = frozenset({"", "none", "no", "nothing", "unknown", "n/a", "无", "没有", "未知", "无忌口"})

Fact = tuple[str, str]
"""The meaning under which it is phrased, and its value."""


class Facts:
    """The facts of one profile."""

    __slots__ = ("_hidden", "_public", "_user_id")

    def __init__(self, profile: Profile) -> None:
        self._user_id = profile.user_id
        self._public = {key.replace("_", " "): value for key, value in profile.public.items()}
        self._hidden = {key.replace("_", " "): value for key, value in profile.hidden.items()}

    def about(self, slot: Slot, heard: Heard, told: str) -> list[Fact]:
        """Return the facts that answer a question about a slot; none where the user does not know.

        Args:
            heard: The question, for which address it is about.
            told: What the points say about the address, in lower case.
        """
        if slot is Slot.IDENTITY:
            return [("fact_identity", self._user_id)]
        if slot is Slot.ADDRESS:
            return self._addresses(heard, told)
        if slot is Slot.DIET:
            return self._one("fact_diet", self._hidden.get("dietary restrictions", ""), "fact_no_diet")
        if slot is Slot.FAMILY:
            return self._one("fact_family", self._hidden.get("family status", ""))
        if slot in _PUBLIC:
            meaning, key = _PUBLIC[slot]
            return self._one(meaning, self._public.get(key, ""))
        return []

    def all(self) -> list[Fact]:
        """Return all facts."""
        diet = self._one("fact_diet", self._hidden.get("dietary restrictions", ""))
        family = self._one("fact_family", self._hidden.get("family status", ""))
        home = self._one("fact_home", self._public.get("home address", ""))
        work = self._one("fact_work", self._public.get("work address", ""))
        others = [fact for meaning, key in _PUBLIC.values() for fact in self._one(meaning, self._public.get(key, ""))]
        return [("fact_identity", self._user_id), *home, *work, *others, *diet, *family]

    def _addresses(self, heard: Heard, told: str) -> list[Fact]:
        """Return the address asked about, else the one that the points speak of, else those there are."""
        home = self._one("fact_home", self._public.get("home address", ""))
        work = self._one("fact_work", self._public.get("work address", ""))
        if heard.home != heard.work:
            return home if heard.home else work
        at_home, at_work = _speaks_of(told, _HOME), _speaks_of(told, _WORK)
        if at_home != at_work:
            return home if at_home else work
        if told and not (at_home or at_work):
            return []
        return home + [fact for fact in work if fact[1] not in {value for _, value in home}]

    @staticmethod
    def _one(meaning: str, value: str, nothing: str | None = None) -> list[Fact]:
        value = " ".join(value.split()).rstrip(".。")
        if value.lower() in _NOTHING:
            return [(nothing, "")] if nothing else []
        return [(meaning, _within(value) if meaning in _TOLD_WITHIN else value)]


_TOLD_WITHIN = frozenset({"fact_occupation", "fact_diet", "fact_family"})
"""What is told inside a sentence, after a colon, so without the capitals of a form."""
_PROPER = frozenset({"Chinese", "English", "Western", "Cantonese", "Sichuan"})


def _within(value: str) -> str:
    """Return a value of a form as it stands inside a sentence: "Sales Manager" is "sales manager", "IT" stays."""
    return " ".join(word if word in _PROPER or not word.istitle() else word.lower() for word in value.split(" "))


_HOME = ("home", "my house", "my place", "家")
_WORK = ("work", "office", "company", "公司", "单位", "办公")


def _speaks_of(told: str, words: tuple[str, ...]) -> bool:
    return any(word in told for word in words)
