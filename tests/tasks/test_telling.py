"""What a user knows is told in one flowing text, the same way in both languages."""

from vitagym.generation.telling import instruction
from vitagym.generation.terms import Term

NEED = Term("You want a cake delivered.", "你想订个蛋糕。")
SWEET = Term("You want it with less sugar.", "你想要少糖的。")
PRICE = Term("The place should be rated 4.5 at least.", "店铺评分至少要4.5。")
LONG = Term("Your aunt sleeps early, so it must be there by 8 PM.", "你姑姑睡得早，晚上8点前要送到。")


def test_two_short_sentences_become_one_after_the_need_and_never_three():
    told = instruction([NEED, PRICE, SWEET, PRICE, LONG])
    assert told.en == (
        "You want a cake delivered. The place should be rated 4.5 at least, and you want it with less sugar. "
        "The place should be rated 4.5 at least. Your aunt sleeps early, so it must be there by 8 PM."
    )
    assert told.zh == (
        "你想订个蛋糕。店铺评分至少要4.5，你想要少糖的。店铺评分至少要4.5。你姑姑睡得早，晚上8点前要送到。"
    )


def test_nobody_is_named_twice_in_a_chinese_sentence():
    assert instruction([NEED, SWEET, SWEET]).zh == "你想订个蛋糕。你想要少糖的，想要少糖的。"


def test_what_both_sentences_are_about_is_named_once():
    near = Term("The hotel should be within 1 km.", "酒店要在1公里以内。")
    told = instruction([NEED, Term("The hotel must have a gym.", "酒店得有健身房。"), near])
    assert told.en.endswith("The hotel must have a gym, and it should be within 1 km.")
    assert told.zh.endswith("酒店得有健身房，要在1公里以内。")
    inside = Term("The hotel should have a pool.", "酒店里要有泳池。")
    assert instruction([NEED, near, inside]).zh.endswith("酒店要在1公里以内，酒店里要有泳池。")


def test_names_keep_their_capitals_because_such_sentences_stand_alone():
    where = Term("Beijing is where it goes.", "送到北京。")
    assert instruction([NEED, PRICE, where]).en.endswith("least. Beijing is where it goes.")
