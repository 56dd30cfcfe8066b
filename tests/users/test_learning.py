"""What the user understands an agent by is learnt from the development messages: the same bytes each time."""

import json
import math
from itertools import chain
from pathlib import Path

import pytest

from vitagym.dialogue.acts import AgentActKind
from vitagym.errors import CallerError
from vitagym.language import Language
from vitagym.users.act_corpus import corpus, made, messages, plain
from vitagym.users.act_features import ALWAYS, Around, clauses, own
from vitagym.users.act_learning import Settings, example, learnt
from vitagym.users.act_weights import KINDS, MOST, UNIT, ActWeights, Doubt, act_weights, lanes, packed, read, written
from vitagym.users.ear import Sentence

DATA = Path(__file__).parent.parent / "data"
SHIPPED = Path(__file__).parent.parent.parent / "assets" / "acts"


@pytest.mark.parametrize("language", list(Language))
def test_the_shipped_weights_are_what_is_learnt(language):
    labelled, usual, _ = corpus(DATA / "development", DATA, language)
    weights = learnt([example(text, kinds, language) for text, kinds in labelled], usual, Settings())
    assert written(weights, Settings().doubt) == (SHIPPED / f"{language.value}.txt").read_text(encoding="utf-8")


def test_the_shipped_weights_are_small():
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) <= 2_800_000


@pytest.mark.parametrize("language", list(Language))
def test_the_half_that_is_held_back_is_never_learnt_from(language, tmp_path):
    file = tmp_path / f"agent_utterances_{language.value}.jsonl"
    row = '{"half": "%s", "text": "%s", "acts": [{"kind": "chat"}]}\n'
    file.write_text(row % ("held", "no") + row % ("tune", "yes"), encoding="utf-8")
    assert messages(file) == [("yes", frozenset({AgentActKind.CHAT}))]


@pytest.mark.parametrize("language", list(Language))
def test_nothing_is_learnt_from_the_words_of_the_held_half(language):
    rows = (DATA / f"agent_utterances_{language.value}.jsonl").read_text(encoding="utf-8").splitlines()
    held = {plain(row["text"]) for row in map(json.loads, rows) if row["half"] == "held"}
    learning = corpus(DATA / "development", DATA, language)
    assert not held & {plain(text) for text, _ in learning.labelled}
    assert learning.dropped <= len(held) // 50


@pytest.mark.parametrize("name", ["messages", "variants", "writers"])
def test_messages_with_the_same_words_as_held_ones_are_dropped_and_counted(name, tmp_path):
    row = '{"half": "%s", "text": "%s", "acts": [{"kind": "chat"}]}\n'
    for file in ("messages_en.jsonl", "patterns_en.txt"):
        (tmp_path / file).write_text("", encoding="utf-8")
    (tmp_path / "agent_utterances_en.jsonl").write_text(row % ("held", "Is it so?"), encoding="utf-8")
    (tmp_path / f"{name}_en.jsonl").write_text(row % ("", "is  it so?") + row % ("", "It is."), encoding="utf-8")
    learning = corpus(tmp_path, tmp_path, Language.EN)
    assert [text for text, _ in learning.labelled] == ["It is."]
    assert learning.dropped == 1


def test_patterns_make_the_same_messages_each_time(tmp_path):
    file = tmp_path / "patterns.txt"
    file.write_text(
        "# a note\n@DAY = Monday|Friday\nask:date | [Is it|Would it be] <DAY>[ or not|]?\n", encoding="utf-8"
    )
    first = made(file)
    assert first == made(file)
    assert len({text for text, _ in first}) == 8
    assert all(kinds == {AgentActKind.ASK} for _, kinds in first)


def test_a_missing_file_is_named():
    with pytest.raises(CallerError, match="messages_en"):
        corpus(Path("nowhere"), DATA, Language.EN)


def test_a_kind_that_is_learnt_from_more_often_than_it_is_met_has_to_be_shown_more_clearly():
    rows = [("Don't.", {AgentActKind.DISSUADE}), ("Hm.", {AgentActKind.CHAT})]
    examples = [example(*row, Language.EN) for row in rows] * 10
    settings = Settings()._replace(most=1000)
    as_often, rarer = (
        learnt(examples, [{AgentActKind.DISSUADE}] * 10 + [{AgentActKind.CHAT}] * others, settings)
        for others in (10, 1000)
    )
    told = KINDS.index(AgentActKind.DISSUADE)
    assert as_often[ALWAYS][told] - rarer[ALWAYS][told] == pytest.approx(UNIT * math.log(1000.5 / 10.5), abs=1)
    assert {name: of for name, of in rarer.items() if name != ALWAYS} == {
        name: of for name, of in as_often.items() if name != ALWAYS
    }


@pytest.mark.parametrize("numbers", [[0] * len(KINDS), [5, -7, 0, MOST, -MOST, 1, -1, 3], [-1] * len(KINDS)])
def test_numbers_come_out_of_their_lanes(numbers):
    assert lanes(packed(numbers)) == numbers
    assert lanes(sum([packed(numbers)] * 3)) == [3 * number for number in numbers]


def test_weights_are_read_as_they_were_written():
    weights = {("a", "b"): [1, -1, 0, 0, 0, 0, 0, MOST], "你": [-MOST, 0, 0, 0, 0, 0, 0, -3]}
    found = read(written(weights, Doubt(-5, -9)))
    assert found.doubt == Doubt(stated=-5, asked=-9)
    for feature, of_feature in weights.items():
        assert lanes(found.total([feature, "not known"])) == of_feature


@pytest.mark.parametrize("language", list(Language))
def test_a_sentence_that_was_heard_before_is_judged_by_what_is_around_it(language):
    weights = act_weights(language)
    sentence = Sentence("which one?", True, language)
    nothing = Around((), [])
    alone = weights.opinion(sentence, nothing)
    item = Around(("R" + AgentActKind.ASK.value,), [(("H", "you"),), ("LAST",)])
    assert weights.opinion(sentence, item) == weights.opinion(Sentence("which one?", True, language), item)
    assert weights.opinion(sentence, nothing) == alone
    total = weights.total([*own(sentence), *item.rules, *chain(*item.place)])
    assert lanes(total)[KINDS.index(alone.likeliest)] != alone.score


@pytest.mark.parametrize(
    ("language", "text", "cut"),
    [
        (Language.EN, "that table is taken, but the bar is free", ["that table is taken", "but the bar is free"]),
        (Language.EN, "sorry, no", []),
        (Language.ZH, "那桌已经没了,吧台还空着吗", ["那桌已经没了", "吧台还空着吗"]),
        (Language.ZH, "没了,抱歉", []),
    ],
)
def test_clauses_of_a_sentence(language, text, cut):
    sentence = Sentence(text, False, language)
    found = clauses(sentence)
    assert [clause.text for clause in found] == cut
    assert clauses(sentence) is found


def test_a_clause_is_enough_to_understand_a_kind_by():
    weights = ActWeights(
        {"gone": packed([0, 0, 0, 0, 0, 0, 9, 0]), "bar": packed([0, 0, 0, 0, 0, 0, -9, 0])}, Doubt(0, 0)
    )
    kind = KINDS[6]
    nothing = Around((), [])
    assert weights.opinion(Sentence("the table is gone, the bar is free", False, Language.EN), nothing).kinds == (kind,)
    assert weights.opinion(Sentence("gone bar", False, Language.EN), nothing).kinds == ()
