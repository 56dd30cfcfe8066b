"""Instructions without points are cut into clauses in the first person, and nothing is lost or added."""

import gzip
import json
import re

import pytest

from vitagym.dialogue.acts import Slot
from vitagym.language import Language
from vitagym.tasks.task import Release
from vitagym.users.clauses import points_of
from vitagym.users.first_person import first_person


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("You're feeling exhausted and want a massage.", "I'm feeling exhausted and want a massage."),
        ("Your daughter needs her lunch, so that it suits you.", "My daughter needs her lunch, so that it suits me."),
        ("You and your wife plan to go out.", "My wife and I plan to go out."),
        ("A friend comes to visit you at your home.", "A friend comes to visit me at my home."),
        ("One for each of you, and you all like it.", "One for each of us, and we all like it."),
        ("After you leave work, buy yourself a cake.", "After I leave work, buy myself a cake."),
        ("You are allergic to nuts and are on a diet.", "I am allergic to nuts and am on a diet."),
        ("You decide to order noodles.", "I've decided to order noodles."),
        ("Add a note: thank you.", "Add a note: thank you."),
    ],
)
def test_the_second_person_becomes_the_first(told, said):
    assert first_person(told, Language.EN) == said


def test_so_in_chinese():
    assert first_person("你的女儿想和你们一起吃", Language.ZH) == "我的女儿想和我们一起吃"


def test_clauses_come_in_order_with_their_slots():
    points = points_of(
        "Your daughter turns six tomorrow. You want to order a cake, and you need it delivered to your home by 6 PM.",
        Language.EN,
    )
    assert [point.wordings[0] for point in points] == [
        "My daughter turns six tomorrow.",
        "I want to order a cake",
        "I need it delivered to my home by 6 PM.",
    ]
    assert points[1].slot is Slot.NEED
    assert {Slot.ADDRESS, Slot.TIME} <= {points[2].slot, *points[2].also}


def test_a_secret_waits_for_a_question_and_a_sudden_thought_for_a_report():
    points = points_of(
        "You want a drink. It should be small (not from the corner shop, but don't reveal this information). "
        "You want it at 3 PM. However, you suddenly remember a meeting, so you need to change it to 4 PM.",
        Language.EN,
    )
    releases = {point.wordings[0]: point.release for point in points}
    assert releases["Not from the corner shop"] is Release.ASKED
    assert not any("reveal" in words for words in releases)
    assert releases["However, I suddenly remember a meeting, so I need to change it to 4 PM."] is Release.EVENT


@pytest.mark.parametrize("domain", ["delivery", "instore"])
def test_every_number_and_every_rare_word_of_a_public_instruction_is_in_its_points(official, domain):
    with gzip.open(official / f"tasks_{domain}_en.json.gz") as file:
        tasks = json.load(file)
    for task in tasks:
        told = task["instructions"]
        said = " ".join(point.wordings[0] for point in points_of(told, Language.EN))
        assert re.findall(r"\d+", told) == re.findall(r"\d+", said) or "reveal" in told
        missing = {word.lower() for word in re.findall(r"[A-Za-z]{5,}", told)} - {
            word.lower() for word in re.findall(r"[A-Za-z]{5,}", said)
        }
        assert missing <= {"yours", "yourself", "yourselves", "decide", "information", "reveal", "please"}, task["id"]
        assert not re.search(r"\byou(?:rs?|'\w+)?\b", said.replace("thank you", ""), re.IGNORECASE), task["id"]
