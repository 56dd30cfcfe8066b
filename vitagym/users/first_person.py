"""Instructions put into the first person: "you" becomes "I", "me" or "we"."""

from __future__ import annotations

import re

from vitagym.language import Language


def first_person(clause: str, language: Language) -> str:
    """Return a clause of an instruction as the user would say it of itself."""
    if language is Language.ZH:
        return clause.replace("您", "我").replace("你", "我")
    for pattern, said in _ENGLISH:
        clause = pattern.sub(lambda match, said=said: _as_before(match, said), clause)  # type: ignore[misc]
    clause = _ARE.sub(r"\1 am", _YOU.sub(_subject_or_object, clause))
    return clause[:1].upper() + clause[1:]


def _as_before(match: re.Match[str], said: str) -> str:
    said = match.expand(said)
    return said[:1].upper() + said[1:] if match[0][:1].isupper() else said


_PLURAL_VERBS = (
    "are|were|will|plan|want|have|had|would|need|can|just|decide|both|go|walk|agreed|often|usually|also|like"
)
_COUNTS = "each|both|all|none|most|some|one|two|three|four|five|six|seven|eight|any"
_ENGLISH = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (rf"\byou and your ((?:[\w'-]+ ){{0,2}}?[\w'-]+) (?=(?:{_PLURAL_VERBS})\b)", r"my \1 and I "),
        (r"\b(for|with|between|to|of) you and\b", r"\1 me and"),
        (rf"\b({_COUNTS}) of you\b", r"\1 of us"),
        (r"\byou (all|both)\b", r"we \1"),
        (r"\byourselves\b", "ourselves"),
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\byou (?:are not|aren't)\b", "I'm not"),
        (r"\byou (?:were not|weren't)\b", "I wasn't"),
        (r"\byou are\b", "I am"),
        (r"\byou were\b", "I was"),
        (r"\byou're\b", "I'm"),
        (r"\byou've\b", "I've"),
        (r"\byou'll\b", "I'll"),
        (r"\byou'd\b", "I'd"),
        (r"\byou decide to\b", "I've decided to"),
    )
)
_ARE = re.compile(r"\b(I(?: am|'m|'ve| want| have| need)\b[^.,;]*? (?:and|but)) are\b")
_YOU = re.compile(r"(?:(?P<before>[\w'-]+) )?\b(?P<you>you)\b(?P<after>(?: [\w'-]+)?)", re.IGNORECASE)
_TAKE_OBJECTS = """for to with of from at on about by near around than like help helps helping see seeing visit visiting
visits join joining accompany give gives giving take takes taking tell tells told make makes making let lets keep keeps
ask asked invite invited remind reminded meet meeting suit suits suitable bother treat pick wake allow allows cause
causes gave bring brings brought upset"""
_FOLLOW_SUBJECTS = """am are have had want need plan would will can could should might may must do did don't didn't
can't also just still really usually often normally originally suddenly previously recently prefer like love hope decide
decided think feel get got go ate ordered booked buy bought visited live work remember realize realized promised haven't
hadn't won't wouldn't couldn't cannot frequently always never already definitely absolutely quite tried intend expect"""
_FOLLOW_OBJECTS = "at on in to for with from tonight today tomorrow this by near during"
_AFTER = dict.fromkeys(_TAKE_OBJECTS.split(), "object")
_BEFORE = dict.fromkeys(_FOLLOW_OBJECTS.split(), "object") | dict.fromkeys(_FOLLOW_SUBJECTS.split(), "subject")


def _subject_or_object(match: re.Match[str]) -> str:
    """Return "I" or "me", by the word after it, else by the word before it."""
    before, after = match["before"] or "", match["after"].strip().lower()
    if before.lower() == "thank":
        return match[0]
    role = _BEFORE.get(after, "object" if not after else _AFTER.get(before.lower(), "subject"))
    lead = f"{before} " if before else ""
    return f"{lead}{'me' if role == 'object' and before else 'I'}{match['after']}"
