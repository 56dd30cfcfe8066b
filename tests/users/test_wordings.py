"""How users put things: enough ways, in both languages, nothing told in them, and well formed."""

import re

import pytest

from vitagym.language import Language, texts
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona
from vitagym.users.phrasing import attach, finished, joined, pattern, patterns, phrase, together, unfinished

MEANINGS = tuple(texts("user_neutral"))
INFORM = ("open", "more", "answer", "again", "early")
ACTS = ("change", "confirm", "choose", "unknown", "leave", "insist", "refuse", "prompt", "go_on", "rest", "close")
POINTS = {Language.EN: "It should be there by noon", Language.ZH: "中午之前要送到"}


def wordings(meaning: str, persona: Persona, language: Language) -> int:
    """In how many ways a persona can put a meaning."""
    core = sum(p.wordings for p in patterns(meaning, Persona.NEUTRAL, language))
    return sum(p.wordings * (core if "core" in p.pieces else 1) for p in patterns(meaning, persona, language))


@pytest.mark.parametrize("persona", list(Persona))
@pytest.mark.parametrize("language", list(Language))
def test_every_act_has_at_least_thirty_wordings(persona, language):
    inform = sum(wordings(meaning, persona, language) for meaning in INFORM)
    few = {meaning: n for meaning in ACTS if (n := wordings(meaning, persona, language)) < 30}
    assert inform >= 30
    assert not few


@pytest.mark.parametrize("persona", list(Persona))
def test_a_persona_says_only_meanings_that_there_are_and_in_both_languages(persona):
    for meaning, entry in texts(f"user_{persona.value}").items():
        assert meaning in MEANINGS
        assert set(entry) == {"en", "zh"}
        for language, patterns_of in entry.items():
            for written in patterns_of:
                words = re.sub(r"\{\w+\}", "", written)
                assert not re.search(r"\d", words), "a pattern tells no number"
                assert bool(re.search(r"[\u4e00-\u9fff]", words)) == (language == "zh" and words.strip() != "")
                assert not (language == "zh" and re.search(r"[,!?]", words)), "Chinese has its own marks"


@pytest.mark.parametrize("persona", list(Persona))
@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("meaning", MEANINGS)
def test_what_is_said_is_one_well_formed_line(persona, language, meaning):
    for seed in range(25):
        said = phrase(meaning, persona, language, Stream(seed, meaning), points=POINTS[language], value="Q9")
        assert said == said.strip()
        assert "\n" not in said
        assert not re.search(r"[\[\]{}|]", said), said
        assert not re.search(r"[,，.。!！?？:：]{2,}", said.replace("...", "…")), said
        assert said[-1] in ".!?。！？…", said
        if language is Language.EN:
            assert "  " not in said
            assert not re.search(r"(?<!\.\.)[.!?] [a-z]", said), said
            assert not re.search(r"[a-z] I(?:t|n)? should", said), said


def test_personas_speak_differently():
    for language in Language:
        told = {
            persona: {phrase("confirm", persona, language, Stream(seed, "x")) for seed in range(60)}
            for persona in Persona
        }
        for persona, said in told.items():
            others = set().union(*(told[other] for other in Persona if other is not persona))
            assert len(said - others) > len(said) / 3, persona


def test_pieces_join_into_sentences():
    assert attach("Also, ", "It is late", Language.EN) == "Also, it is late"
    assert attach("Also, ", "I am late", Language.EN) == "Also, I am late"
    assert attach("Right. ", "it is late", Language.EN) == "Right. It is late"
    assert finished("it is late", Language.EN) == "It is late."
    assert finished("Really?", Language.EN) == "Really?"
    assert finished("好的", Language.ZH) == "好的。"
    assert unfinished("Hi, I need\n noodles.", Language.EN) == "I need noodles"
    assert unfinished("你好，我要点面。", Language.ZH) == "我要点面"
    assert together(["Is it late?", "it is"], Language.EN) == "Is it late? It is"
    assert together(["六个人", "6点到"], Language.ZH) == "六个人，6点到"
    assert joined(["A.", "B."], Language.EN) == "A. B."
    assert pattern("[a|b] {points}[|!]").wordings == 4


def test_nothing_is_put_before_words_that_lead_over_by_themselves():
    for seed in range(20):
        said = phrase("more", Persona.NEUTRAL, Language.EN, Stream(seed, "x"), points="And one dish without meat")
        assert said == "And one dish without meat."
