"""What counts as told: wordings, and numbers, dates, times and money in their usual written forms."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitagym.rewards.numerals import in_digits
from vitagym.rewards.phrases import Said, normalised

FRIDAY = date(2025, 7, 25)


def says(text, wording):
    return Said(text, today=FRIDAY).says(wording)


@pytest.mark.parametrize(
    ("wording", "told", "not_told"),
    [
        (
            "12:30",
            ["at 12:30 PM", "中午12点半", "十二点三十分", "half past twelve", "12:30:00", "12.30 p.m.", "１２：３０"],
            ["2:30", "12:31", "12.30 yuan", "12点", "30 minutes", "112:30"],
        ),
        (
            "18:30",
            ["6:30 pm", "6:30", "下午六点半", "晚上6点30分", "half past six in the evening", "6:30-7:00 pm"],
            ["6:30 am", "06:30", "早上6点半", "18.30 yuan"],
        ),
        ("00:00", ["midnight", "晚上12点", "12 am", "24:00", "0点"], ["12 pm", "noon", "中午12点"]),
        ("19:00", ["7pm", "seven o'clock in the evening", "晚上七点", "6-7 pm", "7点整"], ["7 people", "7 yuan"]),
        (
            "1200 yuan",
            ["¥1200", "1,200 yuan", "1200元", "￥1,200.00", "RMB 1200", "一千二百元", "Total: 1200", "0.12万元"],
            ["12000 yuan", "1200 m", "11200", "1200 minutes", "1200.5", "order 1200N01", "O1200"],
        ),
        ("12.5 yuan", ["12块5", "¥12.50", "十二点五元"], ["12元", "125元", "12:50"]),
        (
            "2025-07-27",
            ["July 27", "7月27日", "27 July 2025", "the 27th", "2025/7/27", "Jul. 27th", "27号", "后天", "周日"],
            ["July 28", "2024-07-27", "17月27日", "July 2", "27 yuan", "next Sunday", "tomorrow"],
        ),
        ("2025-07-26", ["tomorrow", "明天", "Saturday", "本周六"], ["the day after tomorrow", "下周六", "today"]),
        ("90 minutes", ["1.5 hours", "an hour and a half", "一个半小时", "1小时30分钟", "1h30m"], ["90 m", "9:30"]),
        ("30 minutes", ["half an hour", "半小时", "三十分钟", "0.5 hours"], ["30 metres", "30 yuan", "8:30"]),
        ("1234 m", ["1.2 km", "1234米", "1.23公里", "1,234 metres"], ["1.3 km", "1 km", "1234 yuan", "12 km"]),
        ("-5°C", ["-5 °C", "零下5度", "minus 5 degrees"], ["5°C", "15°C", "-5 yuan"]),
        ("80%", ["80 percent", "百分之八十 (80%)"], ["80 yuan", "8%"]),
        ("3", ["3 people", "three guests", "三位", "3.0"], ["13", "3.5", "3:00", "一起三思"]),
        ("Sunny Noodles", ["SUNNY  noodles!", "at Ｓｕｎｎｙ Noodles’"], ["Sunnynoodles", "Sunny noodle"]),
        ("noodle", ["two noodles", "noodle"], ["noodled", "snoodle"]),
        ("2 nights", ["for 2 nights."], ["12 nights", "1.2 nights"]),
        ("晴天面馆", ["在晴天面馆下单"], ["晴天"]),
    ],
)  # fmt: skip
def test_the_usual_written_forms(wording, told, not_told):
    assert [text for text in told if not says(text, wording)] == []
    assert [text for text in not_told if says(text, wording)] == []


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_of_day_is_found_in_every_form(hour, minute):
    wording = f"{hour:02}:{minute:02}"
    twelve, half = hour % 12 or 12, "am" if hour < 12 else "pm"
    part = "凌晨" if hour < 6 else "上午" if hour < 12 else "中午" if hour == 12 else "下午" if hour < 18 else "晚上"
    for form in (
        wording,
        f"{wording}:00",
        f"{twelve}:{minute:02} {half}",
        f"{part}{twelve}点{minute:02}分",
        f"{hour}时{minute}分",
    ):
        assert says(f"It is {form}.", wording), form
    for other in ((hour + 1) % 24, (hour + 12) % 24):
        assert not says(f"It is {other % 12 or 12}:{minute:02} {'am' if other < 12 else 'pm'}.", wording)


@given(st.dates(date(2020, 1, 1), date(2030, 12, 31)))
def test_every_date_is_found_in_every_form(day):
    wording = day.isoformat()
    for form in (
        wording,
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b}",
        f"{day.month}月{day.day}日",
        f"{day:%Y/%m/%d}",
        f"{day.year}年{day.month}月{day.day}号",
    ):
        assert says(f"On {form}, then", wording), form
    for other in (day + timedelta(1), day + timedelta(30)):
        assert not says(f"On {other.isoformat()}, then", wording)


@given(st.integers(1, 99_999), st.sampled_from(["{} yuan", "¥{}", "{}元", "cost {} in all", "￥{}.00"]))
def test_every_sum_is_found_with_and_without_separators(yuan, form):
    assert says(form.format(yuan), f"{yuan} yuan")
    assert says(form.format(f"{yuan:,}"), f"¥{yuan}")
    assert not says(form.format(yuan + 1), f"{yuan} yuan")


@given(st.integers(1, 9_999))
def test_chinese_numerals_become_digits(number):
    assert in_digits(f"{_chinese(number)}元") == f"{number}元"


SMALL = {1: "one", 2: "two", 3: "three", 7: "seven", 11: "eleven", 12: "twelve", 15: "fifteen", 18: "eighteen"}
TENS = {20: "twenty", 40: "forty", 50: "fifty", 90: "ninety"}


@given(
    st.sampled_from(list(SMALL)), st.sampled_from([0, *TENS]), st.sampled_from([1, 2, 3]), st.sampled_from([1, 3, 7])
)
def test_english_number_words_become_digits(small, tens, hundreds, thousands):
    below = SMALL[small] if not tens or small > 9 else f"{TENS[tens]}-{SMALL[small]}"
    value = small if not tens or small > 9 else tens + small
    assert in_digits(f"{SMALL[hundreds]} hundred and {below} rooms") == f"{hundreds * 100 + value} rooms"
    words = f"{SMALL[thousands]} thousand {SMALL[hundreds]} hundred {below} rooms"
    assert in_digits(words) == f"{thousands * 1000 + hundreds * 100 + value} rooms"


def _chinese(n):
    out, zero = "", False
    for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // place % 10
        if digit:
            out += ("零" if zero and out else "") + "零一二三四五六七八九"[digit] + name
            zero = False
        else:
            zero = True
    return out


@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    said = Said(text, today=FRIDAY)
    assert [said.says(w) for w in ("12:30", "2025-07-27", "3", "¥3", "30 minutes")] == [
        Said(normalised(text), today=FRIDAY).says(w) for w in ("12:30", "2025-07-27", "3", "¥3", "30 minutes")
    ]


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("There is no spicy set.", True),
        ("I'm afraid they don't offer it.", True),
        ("抱歉，没有找到这样的套餐。", True),
        ("They have a spicy set.", False),
        ("I have noted it.", False),
        ("有这个套餐。", False),
        ("No problem, I will book the spicy set.", False),
        ("It arrives no later than noon; don't worry.", False),
        ("有没有辣的套餐？", False),
        ("没问题，我来下单，不超过一百元。", False),
        ("没有问题中的套餐。", True),
    ],
)
def test_denials(text, denies):
    assert Said(text).denies is denies


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Are you allergic?", True),
        ("请问您过敏吗", True),
        ("Please tell me your budget.", True),
        ("It is 3 yuan.", False),
    ],
)
def test_questions(text, asks):
    assert Said(text).asks is asks
