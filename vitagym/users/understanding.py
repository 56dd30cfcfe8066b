"""What a simulated user understands of the agent's words: the dialogue acts in them, and a few signs besides.

Sentence by sentence: is it a request, and then for what (a slot, the need at large, a yes, a choice), or a statement,
and then does it claim something done, report it impossible, or offer something. Nothing here knows the task, the
world or what was said before.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from vitagym.dialogue.acts import AgentAct, AgentActKind, Slot
from vitagym.language import Language
from vitagym.users.ear import Ear, ear

SKIM_CHARACTERS = 8000
"""Of a longer message only this much of its start, and of its end, is read."""


@dataclass(slots=True)
class Heard:
    """What was understood of one message.

    Attributes:
        words: The message in lower case, without markdown, runs of blanks made one: for finding mentions.
        acts: Its acts, in order; the same act only once.
        claims: How many sentences claim that something has been done or cannot be.
        everything: Whether such a claim is about all there was to do.
        chooses: Whether it asks the user to choose among options.
        announces: Whether it says what it is going to do next.
        extra: Whether what it seeks a yes for is something besides.
        troubled: Whether it apologises or speaks of an error.
        farewell: Whether it says goodbye.
        agrees: Whether it begins with a yes.
        blank: Whether nothing in it can be read.
        whole_address: Whether it asks for an address in full.
        home: Whether it speaks of the user's home.
        work: Whether it speaks of the user's place of work.
    """

    words: str
    acts: list[AgentAct] = field(default_factory=list)
    claims: int = 0
    everything: bool = False
    chooses: bool = False
    announces: bool = False
    extra: bool = False
    troubled: bool = False
    farewell: bool = False
    agrees: bool = False
    blank: bool = False
    whole_address: bool = False
    home: bool = False
    work: bool = False

    def has(self, *kinds: AgentActKind) -> bool:
        """Return whether one of its acts is of these kinds."""
        return any(act.kind in kinds for act in self.acts)

    @property
    def asked(self) -> list[Slot]:
        """The slots that it asks about, in order."""
        return [act.slot for act in self.acts if act.kind is AgentActKind.ASK and act.slot is not None]

    def note(self, kind: AgentActKind, slot: Slot | None = None) -> None:
        """Add an act, once."""
        act = AgentAct(kind, slot)
        if act not in self.acts:
            self.acts.append(act)


def understand(text: str, language: Language) -> tuple[AgentAct, ...]:
    """Return the acts of an agent's message, in the order of its sentences; never empty."""
    return tuple(hear(text, language).acts)


def normalised(text: str) -> str:
    """Return a text in lower case, without thoughts, markdown and doubled blanks; its lines are kept."""
    if len(text) > 2 * SKIM_CHARACTERS:
        text = f"{text[:SKIM_CHARACTERS]}\n{text[-SKIM_CHARACTERS:]}"
    if "<think" in text:
        text = _THOUGHT.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _BLANKS.sub(" ", text.lower().translate(_MARKS))


def hear(text: str, language: Language) -> Heard:
    """Return what is understood of an agent's message."""
    plain = normalised(text)
    heard = Heard(" ".join(plain.split()))
    heard.blank = not any(character.isalnum() for character in heard.words)
    if not heard.blank:
        list_of_questions = False
        for sentence, asks in _sentences(plain):
            by = ear(_language_of(sentence, language))
            if list_of_questions and sentence.startswith(_ITEM_MARK) and not asks and _ask_slots(sentence, heard, by):
                continue
            asked = _take(sentence, asks, heard, by)
            if not sentence.startswith(_ITEM_MARK) or asked:
                list_of_questions = asked and sentence.endswith(":")
    if not heard.acts:
        heard.note(AgentActKind.CHAT)
    return heard


def _take(sentence: str, asks: bool, heard: Heard, by: Ear) -> bool:
    """Note what a sentence does; return whether it requests something."""
    if not heard.acts and by.agreed(sentence):
        heard.agrees = True
    if by.trouble(sentence):
        heard.troubled = True
    if by.farewell(sentence):
        heard.farewell = True
    if by.ask_more(sentence):
        _state(sentence, heard, by)
        heard.note(AgentActKind.ASK_MORE)
        return False
    if not asks and not by.request(sentence):
        _state(sentence, heard, by)
        return False
    if asks and by.rhetorical(sentence):
        return False
    before, comma, last = sentence.rpartition(",")
    if comma and last.strip():
        _state(before, heard, by)
    _request(sentence, asks, heard, by)
    return True


def _request(sentence: str, asks: bool, heard: Heard, by: Ear) -> None:
    wh = by.wh(sentence)
    confirms = by.confirm(sentence)
    alternative = by.alternative(sentence)
    if not wh and by.dissuade(sentence):
        heard.note(AgentActKind.DISSUADE, next(iter(by.asked(sentence)), None))
    elif confirms and not wh and not (alternative and asks and by.asked(sentence)):
        heard.extra = heard.extra or bool(by.extra(sentence))
        heard.note(AgentActKind.SEEK_CONFIRMATION)
    elif by.choice(sentence):
        heard.chooses = True
        if not _ask_slots(sentence, heard, by):
            heard.note(AgentActKind.OFFER)
    elif _ask_slots(sentence, heard, by):
        return
    elif by.ask_open(sentence):
        heard.note(AgentActKind.ASK_OPEN)
    elif confirms:
        heard.note(AgentActKind.SEEK_CONFIRMATION)
    elif by.offer(sentence):
        heard.note(AgentActKind.OFFER)
    elif asks and not by.announce(sentence):
        heard.note(AgentActKind.ASK, Slot.OTHER)


def _ask_slots(sentence: str, heard: Heard, by: Ear) -> bool:
    slots = by.asked(sentence)
    for slot in slots:
        heard.note(AgentActKind.ASK, slot)
    if Slot.ADDRESS in slots:
        heard.whole_address = heard.whole_address or bool(by.whole_address(sentence))
        heard.home = heard.home or bool(by.home(sentence))
        heard.work = heard.work or bool(by.work(sentence))
    return bool(slots)


def _state(sentence: str, heard: Heard, by: Ear) -> None:
    """Note what a statement does."""
    if by.impossible(sentence) and not by.impossible_not(sentence):
        heard.note(AgentActKind.REPORT_IMPOSSIBLE)
        heard.claims += 1
    claim = by.claim(sentence)
    if claim:
        clause = sentence[max(sentence.rfind(mark, 0, claim.start()) for mark in _CLAUSE_MARKS) + 1 : claim.end()]
        if not by.claim_not(clause):
            heard.note(AgentActKind.REPORT_DONE)
            heard.claims += 1
            heard.everything = heard.everything or bool(by.everything(sentence))
            return
    if by.announce(sentence):
        heard.announces = True
    elif by.dissuade(sentence) and by.offer(sentence):
        heard.note(AgentActKind.DISSUADE, next(iter(by.asked(sentence)), None))
    elif by.offer(sentence):
        heard.note(AgentActKind.OFFER)


_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_BLANKS = re.compile(r"[ \t\u00a0\u3000]+")
_MARKS = str.maketrans({"’": "'", "‘": "'", "`": "", "*": "", "#": " ", "~": "", "|": " ", "_": " ", "\r": "\n"})
_ITEM = re.compile(r"(?m)^ ?(?:[-•·>–—○●▪➤✓✔☑]+|\(?\d{1,2}[.)、](?!\d)|[①-⑳])\s*")
_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|『[^』\n]{1,200}』|《[^》\n]{1,200}》")
_SPLIT = re.compile(r"([!?;。…]+|\.(?=[\s\"')\]]|$)|\n+)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z]")
_ITEM_MARK = "•"
_CLAUSE_MARKS = (",", ":", " - ", " but ", " and ")


def _sentences(plain: str) -> list[tuple[str, bool]]:
    """Return the sentences and whether each ends in a question mark; items of a list begin with a bullet."""
    plain = plain.replace("p.m.", "pm").replace("a.m.", "am").replace("e.g.", "eg").replace("no. ", "no ")
    if '"' in plain or not plain.isascii():
        plain = _QUOTED.sub('"', plain)
    pieces = _SPLIT.split(_ITEM.sub(_ITEM_MARK, plain))
    pieces.append("")
    pairs = ((pieces[index].strip(), "?" in pieces[index + 1]) for index in range(0, len(pieces) - 1, 2))
    return [(sentence, asks) for sentence, asks in pairs if sentence]


def _language_of(sentence: str, language: Language) -> Language:
    if sentence.isascii():
        return Language.EN
    han = len(_HAN.findall(sentence))
    if language is Language.ZH:
        return Language.ZH if han else Language.EN
    return Language.ZH if han > len(_LATIN.findall(sentence)) else Language.EN
