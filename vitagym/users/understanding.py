"""What a simulated user understands of the agent's words: the dialogue acts in them, and a few signs besides.

Sentence by sentence: is it a request, and then for what (a slot, the need at large, a yes, a choice), or a statement,
and then does it claim something done, report it impossible, or offer something. Nothing here knows the task, the
world or what was said before.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from vitagym.dialogue.acts import AgentAct, AgentActKind, Slot
from vitagym.dialogue.thinking import without_thinking
from vitagym.language import Language
from vitagym.users.act_features import ITEM_MARK, Feature, around, clauses, own, own_of_clause
from vitagym.users.act_weights import ActWeights, Doubt, act_weights
from vitagym.users.ear import Sentence, Sign

SKIM_CHARACTERS = 3000
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
        puzzles: Whether it asks something of which the user does not know what it is about.
        recaps: Whether it sums up what was agreed.
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
    puzzles: bool = False
    recaps: bool = False
    whole_address: bool = False
    home: bool = False
    work: bool = False

    def has(self, *kinds: AgentActKind) -> bool:
        """Return whether one of its acts is of these kinds."""
        for act in self.acts:  # noqa: SIM110 - a generator would cost as much as all the rest
            if act.kind in kinds:
                return True
        return False

    @property
    def asked(self) -> list[Slot]:
        """The slots that it asks about, in order."""
        return [act.slot for act in self.acts if act.kind is AgentActKind.ASK and act.slot is not None]

    @property
    def goes_on(self) -> bool:
        """Whether the agent says that it is not finished."""
        return self.announces and not self.farewell and not self.has(AgentActKind.ASK_MORE)

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
    text = without_thinking(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = text.lower()
    if _MARKED.search(text):
        for mark, plain in _MARKS.items():
            text = text.replace(mark, plain)
    return _BLANKS.sub(" ", text)


def hear(text: str, language: Language) -> Heard:
    """Return what is understood of an agent's message. Short ones are remembered, so nobody may change the result."""
    return _remembered(text, language) if len(text) <= _REMEMBERED else _hear(text, language, act_weights(language))


@lru_cache(maxsize=4096)
def _remembered(text: str, language: Language) -> Heard:
    return _hear(text, language, act_weights(language))


def hear_with(weights: ActWeights, text: str, language: Language) -> Heard:
    """Return what is understood by other weights than those of the package: for measuring them."""
    _known.cache_clear()
    heard = _hear(text, language, weights)
    _known.cache_clear()
    return heard


def _hear(text: str, language: Language, weights: ActWeights) -> Heard:
    plain = normalised(text)
    heard = Heard(" ".join(plain.split()))
    heard.blank = not any(character.isalnum() for character in heard.words)
    if not heard.blank:
        doubtful: list[tuple[int, Sentence, Sequence[AgentAct], AgentActKind]] = []
        read = _read(plain, language, heard)
        surroundings = around([(sentence, taken.kinds) for sentence, taken in read])
        for (sentence, taken), of_sentence in zip(read, surroundings, strict=True):
            found = taken.acts
            opinion = weights.opinion(sentence, of_sentence)
            if taken.announces and AgentActKind.REPORT_DONE not in opinion.kinds:  # "it is now at nine" is no plan
                heard.announces = True
            _settle(sentence, found, opinion.kinds, heard)
            if not heard.acts:
                doubtful.append((opinion.score, sentence, found, opinion.likeliest))
        if not heard.acts and doubtful:
            _guess(doubtful, weights.doubt, heard)
    if heard.has(AgentActKind.ASK):
        heard.acts = [act for act in heard.acts if act.kind is not AgentActKind.ASK_OPEN]
    if heard.asked:
        heard.acts = [act for act in heard.acts if act.kind is not AgentActKind.ASK or act.slot is not None]
    if not heard.acts:
        heard.note(AgentActKind.CHAT)
    return heard


def _guess(doubtful: list[tuple[int, Sentence, Sequence[AgentAct], AgentActKind]], doubt: Doubt, heard: Heard) -> None:
    """Note the act that is likeliest in a message in which nothing is certain, if it is likely enough."""
    score, sentence, found, likeliest = max(doubtful, key=lambda sentence: sentence[0])
    asks = any(one.asks and not one.shows(Sign.RHETORICAL) for _, one, _, _ in doubtful)
    if score > (doubt.asked if asks else doubt.stated):
        _settle(sentence, found, [likeliest], heard)


def features_of(text: str, language: Language) -> list[list[Feature]]:
    """Return the features of the sentences of a message, and of their clauses: what ``act_weights`` judges by."""
    read = _read(normalised(text), language, Heard(""))
    out: list[list[Feature]] = []
    for (sentence, _), (rules, groups) in zip(read, around([(s, taken.kinds) for s, taken in read]), strict=True):
        place = list(chain(*groups))
        out.append([*own(sentence), *rules, *place])
        out += [[*own_of_clause(sentence, at), *place] for at in range(len(clauses(sentence)))]
    return out


class _Taken(NamedTuple):
    """What the rules make of a sentence.

    Attributes:
        acts: The acts that they find in it.
        kinds: The kinds of these.
        announces: Whether it says what comes next.
        requests: Whether it requests something.
        lists: Whether items after it belong to it.
        signs: The attributes of ``Heard``, other than these, that it makes true.
    """

    acts: tuple[AgentAct, ...]
    kinds: tuple[AgentActKind, ...]
    announces: bool
    requests: bool
    lists: bool
    signs: tuple[str, ...]


def _read(plain: str, language: Language, heard: Heard) -> list[tuple[Sentence, _Taken]]:
    """Return the sentences of a message, each with what the rules make of it.

    The signs besides acts are noted in ``heard``, but for what it announces; that and its acts are left to the caller.
    """
    out: list[tuple[Sentence, _Taken]] = []
    in_questions, first = False, True
    for sentence in _sentences(plain, language):
        item = sentence.text.startswith(ITEM_MARK)
        asked = in_questions and item and not sentence.asks
        taken = _taken(sentence, asked, first, heard.recaps)
        for sign in taken.signs:
            setattr(heard, sign, True)
        if not asked and (taken.requests or not item):
            in_questions = taken.requests and taken.lists and not heard.recaps
        first = first and not taken.acts
        out.append((sentence, taken))
    return out


@lru_cache(maxsize=4096)
def _taken(sentence: Sentence, asked: bool, first: bool, recaps: bool) -> _Taken:
    """Return what the rules make of a sentence.

    Args:
        sentence: Where the same one is heard again, nothing is looked for again.
        asked: Whether it is an item in a list of questions.
        first: Whether nothing before it does anything.
        recaps: Whether a sentence before it sums up what was agreed.
    """
    heard = Heard("", recaps=recaps)
    requests = False
    if asked:
        _ask_slots(sentence, heard)
    else:
        requests = _take(sentence, heard, item=sentence.text.startswith(ITEM_MARK), first=first)
    return _Taken(
        acts=tuple(heard.acts),
        kinds=tuple([act.kind for act in heard.acts]),
        announces=heard.announces,
        requests=requests,
        lists=sentence.text.endswith(":") or _LISTED.search(sentence.text) is not None,
        signs=tuple(sign for sign in _SIGNS_BESIDES if getattr(heard, sign)),
    )


_SIGNS_BESIDES = (
    "chooses", "extra", "troubled", "farewell", "agrees", "puzzles", "recaps", "whole_address", "home", "work",
)  # fmt: skip


def _settle(sentence: Sentence, found: Sequence[AgentAct], kinds: Sequence[AgentActKind], heard: Heard) -> None:
    """Note the acts of a sentence: of those that the rules found the ones of these kinds, and the others of them."""
    for act in found:
        if act.kind in kinds:
            heard.note(act.kind, act.slot)
    known = {act.kind for act in found}
    for kind in kinds:
        if kind in known:
            continue
        if kind is AgentActKind.ASK:
            slots = sentence.slots or ((sentence.cue,) if sentence.cue is not None else ())
            for slot in slots:
                heard.note(kind, slot)
            if not slots:
                heard.puzzles = heard.puzzles or not sentence.text.endswith(":")
                heard.note(kind)
        else:
            heard.note(kind, next(iter(sentence.slots), None) if kind is AgentActKind.DISSUADE else None)
    reports = [kind for kind in kinds if kind in _REPORTS]
    heard.claims += len(reports)
    heard.everything = heard.everything or (AgentActKind.REPORT_DONE in reports and sentence.shows(Sign.EVERYTHING))


def _take(sentence: Sentence, heard: Heard, *, item: bool, first: bool) -> bool:
    """Note what a sentence does; return whether it requests something."""
    if first and sentence.shows(Sign.AGREED):
        heard.agrees = True
    heard.troubled = heard.troubled or sentence.shows(Sign.TROUBLE)
    heard.farewell = heard.farewell or sentence.shows(Sign.FAREWELL)
    heard.recaps = heard.recaps or sentence.shows(Sign.RECAP)
    if sentence.asks and sentence.shows(Sign.RHETORICAL):
        return False
    more = sentence.place(Sign.ASK_MORE)
    if more:
        before = sentence.part(0, more.start())
        _state(before, heard, item=item)
        if sentence.asks:
            _ask_slots(before, heard)
        heard.note(AgentActKind.ASK_MORE)
        return False
    if not sentence.asks and not sentence.shows(Sign.REQUEST):
        _state(sentence, heard, item=item)
        return False
    comma = sentence.text.rfind(",")
    if comma > 0:
        before = sentence.part(0, comma)
        if not _report(before, heard) and before.shows(Sign.PRICED) and not before.shows(Sign.UNPRICED):
            heard.note(AgentActKind.OFFER)
    _request(sentence, heard)
    return True


def _request(sentence: Sentence, heard: Heard) -> None:
    """Note what a question, or a request, is for."""
    slots = sentence.slots
    wh = sentence.shows(Sign.WH)
    confirms = sentence.shows(Sign.CONFIRM)
    between = bool(slots) and sentence.shows(Sign.ALTERNATIVE)
    if sentence.shows(Sign.DISSUADE) and not between:
        heard.note(AgentActKind.DISSUADE, next(iter(slots), None))
    elif confirms and not wh and not between:
        heard.extra = heard.extra or sentence.shows(Sign.EXTRA)
        heard.note(AgentActKind.SEEK_CONFIRMATION)
    elif sentence.shows(Sign.ASK_OPEN) and set(slots) <= _LARGE:
        heard.note(AgentActKind.ASK_OPEN)
    elif _ask_slots(sentence, heard):
        heard.chooses = heard.chooses or sentence.shows(Sign.CHOICE)
    elif sentence.shows(Sign.CHOICE):
        heard.chooses = True
        heard.note(AgentActKind.OFFER)
    elif confirms:
        heard.note(AgentActKind.SEEK_CONFIRMATION)
    elif sentence.shows(Sign.OFFER):
        heard.note(AgentActKind.OFFER)
    elif sentence.asks and not sentence.shows(Sign.ANNOUNCE):
        _wonder(sentence, heard)


def _wonder(sentence: Sentence, heard: Heard) -> None:
    """Note a question that no expression fits: by a single word in it, else as an open one, else as puzzling."""
    cue = sentence.cue
    if cue is not None:
        heard.note(AgentActKind.ASK, cue)
    elif sentence.shows(Sign.WH):
        heard.note(AgentActKind.ASK_OPEN)
    else:
        heard.puzzles = True


def _ask_slots(sentence: Sentence, heard: Heard) -> bool:
    """Note the slots that a sentence asks about; return whether there are any."""
    slots = sentence.slots
    for slot in slots:
        heard.note(AgentActKind.ASK, slot)
    if Slot.ADDRESS in slots:
        heard.whole_address = heard.whole_address or sentence.shows(Sign.WHOLE_ADDRESS)
        heard.home = heard.home or sentence.shows(Sign.HOME)
        heard.work = heard.work or sentence.shows(Sign.WORK)
    return bool(slots)


def _state(sentence: Sentence, heard: Heard, *, item: bool) -> None:
    """Note what a statement does."""
    if _report(sentence, heard):
        return
    told_off = sentence.shows(Sign.DISSUADE)
    if told_off:
        heard.note(AgentActKind.DISSUADE, next(iter(sentence.slots), None))
    if sentence.shows(Sign.ASSENT) and not told_off:
        heard.note(AgentActKind.SEEK_CONFIRMATION)
    elif sentence.shows(Sign.ANNOUNCE) and not sentence.shows(Sign.PRICED):
        heard.announces = True
    elif _offers(sentence, heard, item=item, told_off=bool(told_off)):
        heard.note(AgentActKind.OFFER)


def _offers(sentence: Sentence, heard: Heard, *, item: bool, told_off: bool) -> bool:
    """Return whether a statement names or describes an option, rather than sums up what is agreed or done."""
    if item and heard.recaps:
        return False
    if sentence.shows(Sign.OFFER):
        return sentence.shows(Sign.PRICED) or not told_off
    return sentence.shows(Sign.PRICED) and not sentence.shows(Sign.UNPRICED) and not heard.recaps


def _report(sentence: Sentence, heard: Heard) -> bool:
    """Note what a statement reports; return whether it reports something."""
    before = len(heard.acts)
    if sentence.shows(Sign.IMPOSSIBLE) and not sentence.shows(Sign.IMPOSSIBLE_NOT):
        heard.note(AgentActKind.REPORT_IMPOSSIBLE)
    if _claims(sentence):
        heard.note(AgentActKind.REPORT_DONE)
    return len(heard.acts) > before


_REPORTS = (AgentActKind.REPORT_DONE, AgentActKind.REPORT_IMPOSSIBLE)
_REMEMBERED = 500
"""Messages, and sentences, of at most so many characters are remembered."""
_BEYOND = 3
"""So many characters after a claim may still take it back: "once it is booked" comes before, "订好了我会…" after."""
_LARGE = frozenset({Slot.NEED, Slot.PRODUCT, Slot.PROVIDER})
"""What a question about these asks, one about the whole need may ask in the same words."""


def _claims(sentence: Sentence) -> bool:
    """Return whether a statement claims that something has been done, and not only once, if or after something."""
    text = sentence.text
    claim = sentence.place(Sign.CLAIM)
    if claim is None:
        return sentence.shows(Sign.TICK)
    start = max(text.rfind(mark, 0, claim.start()) for mark in _CLAUSE_MARKS) + 1
    return not sentence.part(start, claim.end() + _BEYOND).shows(Sign.CLAIM_NOT)


_BLANKS = re.compile(r"[ \t\u00a0\u3000]{2,}|[\t\u00a0\u3000]")
_MARKS = {"’": "'", "‘": "'", "`": "", "*": "", "#": " ", "~": "", "|": " ", "_": " ", "\r": "\n"}
_MARKED = re.compile("[" + "".join(map(re.escape, _MARKS)) + "]")
_ITEM = re.compile(r"(?m)^ ?(?:[-•·>–—○●▪➤]+|\(?\d{1,2}[.)、](?!\d)|[①-⑳]|[一二三四五六七八九十]、)\s*")
_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|『[^』\n]{1,200}』|《[^》\n]{1,200}》")
_SPLIT = re.compile(
    r"([!?;。….\n](?:(?<=[!?;。…])[!?;。…]*|(?<=\n)\n*|(?<=\.)(?=[\s\"')\]]|$)|(?<=[a-z]{3}\.)(?=[a-z]{2,} )))"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z]")
_LISTED = re.compile(r"\b(?:following|these|details|information|points)\b|以下|如下|信息|几点|几项")
_CLAUSE_MARKS = (",", ":", " - ", " but ", " and ")


def _sentences(plain: str, language: Language) -> Iterator[Sentence]:
    """Yield the sentences; an item of a list begins with a bullet."""
    if ".m." in plain or ".g." in plain or "no. " in plain:
        plain = plain.replace("p.m.", "pm").replace("a.m.", "am").replace("e.g.", "eg").replace("no. ", "no ")
    if '"' in plain or not plain.isascii():
        plain = _QUOTED.sub('"', plain)
    if "\n" in plain:
        plain = _ITEM.sub(ITEM_MARK, plain)
    elif first := _ITEM.match(plain):
        plain = ITEM_MARK + plain[first.end() :]
    pieces = _SPLIT.split(plain)
    pieces.append("")
    for index in range(0, len(pieces) - 1, 2):
        text = pieces[index].strip()
        if text:
            asks = "?" in pieces[index + 1]
            yield _known(text, asks, language) if len(text) <= _REMEMBERED else _sentence(text, asks, language)


def _sentence(text: str, asks: bool, language: Language) -> Sentence:
    return Sentence(text, asks, _language_of(text, language))


@lru_cache(maxsize=4096)
def _known(text: str, asks: bool, language: Language) -> Sentence:
    return _sentence(text, asks, language)


def _language_of(sentence: str, language: Language) -> Language:
    """Return the language of a sentence: a name in the other one does not change it."""
    if sentence.isascii() or _HAN.search(sentence) is None:
        return Language.EN
    if language is Language.ZH:
        return Language.ZH
    return Language.ZH if len(_HAN.findall(sentence)) > len(_LATIN.findall(sentence)) else Language.EN
