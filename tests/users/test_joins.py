"""Whatever a persona puts around whatever points: the line that comes out is well formed."""

import re

import pytest
from support.talks import PERSONAS

from vitagym.language import Language, texts
from vitagym.randomness import Stream
from vitagym.tasks.sources import make_task
from vitagym.users.interviews import INTERVIEWS, interview, says
from vitagym.users.phrasing import phrase, together, unfinished
from vitagym.users.scripted import ScriptedUser
from vitagym.users.tracing import told

MEANINGS = tuple(texts("user_neutral"))
PROPER = r"(?!I\b|I'|[A-Z]\w*(?: \d|,))"
FAULTS = {
    Language.EN: {
        "a capital after a colon": rf": {PROPER}[A-Z][a-z]",
        "two colons": r": [^.!?]*: ",
        "a word before a colon that leads nowhere": r", (?:so|and|but):",
        "two marks": r"(?<!\.)[.,!?:;] ?[,.:;!?](?!\.)",
        "a blank before a mark": r" [,.!?;:]",
        "a small letter after a full stop": r"(?<!\.\.)[.!?] [a-z]",
        "two blanks": r"  ",
    },
    Language.ZH: {
        "a full stop after a question": r"[吗呢]。",
        "two colons": r"：[^。！？]*：",
        "a blank beside a mark": r"[。，！？：] | [。，！？：]",
        "two marks": r"[，。：；、][，。：；、！？]",
        "a mark of the other language": r"(?<=[\u4e00-\u9fff])[,;!?]",
    },
}
POINTS = {
    Language.EN: [
        "Has to be there by noon, please",
        "While I'm there, my dog could be groomed: see if there's a place within 800 metres",
        "No dairy: one of us can't have any",
        "Could it be Sichuan food?",
        "I'd like it at 6:30 PM",
        "And one dish without meat",
        "The rest is up to you. Nothing sweet",
        "Breakfast isn't needed",
    ],
    Language.ZH: [
        "中午之前要送到",
        "地方定好了，那蛋糕也订上：一个3到4人份的",
        "备注写：生日快乐",
        "能不能是川菜呢",
        "6点半到",
        "另外要一个素菜",
        "别的你定。别太甜",
        "有没有靠窗的位子吗",
    ],
}


def faulty(text, language):
    return [match[0] for pattern in FAULTS[language].values() for match in re.finditer(pattern, text)]


def faults(text, language):
    return [name for name, pattern in FAULTS[language].items() if re.search(pattern, text)]


@pytest.mark.parametrize("persona", PERSONAS)
@pytest.mark.parametrize("language", list(Language))
def test_wordings_and_points_join_without_a_fault(persona, language):
    for meaning in MEANINGS:
        for seed in range(48):
            points = POINTS[language]
            told = [unfinished(points[seed % len(points)], language)]
            if seed % 3 == 0:
                told.append(unfinished(points[(seed // 3) % len(points)], language))
            said = phrase(
                meaning, persona, language, Stream(seed, meaning), points=together(told, language), value="Q9"
            )
            assert not faults(said, language), said


@pytest.mark.parametrize("domain", ["delivery", "instore", "ota", "cross"])
@pytest.mark.parametrize("language", list(Language))
def test_what_is_said_in_talks_has_no_fault(domain, language):
    for seed, persona in enumerate(PERSONAS):
        task = make_task(domain, seed, language=language)
        talk = interview(ScriptedUser(task, Stream(seed, "user"), persona), task, tuple(INTERVIEWS)[seed % 4])
        own = told(task)
        for message, reply in talk:
            assert not [found for found in faulty(reply.text, language) if found not in own], reply.text
            assert language is Language.EN or "。 " not in message


@pytest.mark.parametrize(
    ("text", "language", "fault"),
    [
        ("One more thing: Please hurry.", Language.EN, "a capital after a colon"),
        ("Yes, so: no sugar.", Language.EN, "a word before a colon that leads nowhere"),
        ("Wait: no sugar: none.", Language.EN, "two colons"),
        ("你考虑到了吗。", Language.ZH, "a full stop after a question"),
        ("好的。 谢谢", Language.ZH, "a blank beside a mark"),
    ],
)
def test_faults_are_found(text, language, fault):
    assert fault in faults(text, language)


def test_agents_put_no_blank_between_chinese_sentences():
    task = make_task("delivery", 1, language="zh")
    assert " " not in next(INTERVIEWS["reporting"](task))
    assert says("done", task) in next(INTERVIEWS["reporting"](task))
