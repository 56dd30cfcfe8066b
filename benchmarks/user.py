"""What the scripted user costs: a reply, understanding a message, a fork. Run: python benchmarks/user.py"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from itertools import count

from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tasks.sources import make_task
from vitagym.users.scripted import ScriptedUser
from vitagym.users.understanding import understand

MESSAGES = {
    Language.EN: (
        "Hello! How can I help you today?",
        "Of course. Could you tell me the delivery address and what time it should arrive?",
        "I found two places nearby that fit:\n\n1. **Golden Dragon** – rated 4.8, ¥68\n"
        "2. **Lotus Garden** – rated 4.5, ¥59\n\nWhich one would you prefer?",
        "Got it. Do you have any dietary restrictions, and is there a budget I should keep to?",
        "I'll place the order at Golden Dragon for 6:30 PM, to your home. Shall I go ahead?",
        "Unfortunately, that dish is sold out. Would you consider the beef noodles instead?",
        "Your order has been placed successfully ✅ The total is ¥68. Is there anything else I can do for you?",
    ),
    Language.ZH: (
        "您好！请问有什么可以帮您？",
        "好的，请问送到哪个地址？希望几点送到？",
        "为您找到附近两家符合要求的店：\n\n1. **金龙饭店**，评分4.8，68元\n"
        "2. **莲花餐厅**，评分4.5，59元\n\n请问您更喜欢哪一家？",
        "好的，请问您有什么忌口吗？预算大概是多少？",
        "我将在金龙饭店为您下单，晚上6点半送到家，可以下单吗？",
        "很抱歉，这道菜已售罄。要不换成牛肉面？",
        "已为您下单成功 ✅ 总价68元。还有其他需要吗？",
    ),
}
ROUNDS = 200


def median_microseconds(action: Callable[[], object], times: int) -> float:
    """Return the median time of an action."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken) * 1e6


def main() -> None:
    """Measure and print medians, in microseconds: of messages never heard before, and of the same heard again."""
    for language, messages in MESSAGES.items():
        users = [
            ScriptedUser(make_task("delivery", seed, language=language), Stream(seed, "user")) for seed in range(10)
        ]
        for user in users:
            user.open()
        new = [replies(users[n % len(users)].fork(), [f"{m} #{n}" for m in messages]) for n in range(ROUNDS)]
        again = [replies(users[n % len(users)].fork(), messages) for n in range(ROUNDS)]
        heard = [median_microseconds(iter_of(message, language), ROUNDS) for message in messages]
        print(
            f"{language.value}: reply {middle(new):.0f} µs, to a message heard before {middle(again):.0f} µs", end=", "
        )
        print(f"understanding {statistics.median(heard):.0f} µs (dearest {max(heard):.0f} µs)", end=", ")
        print(f"fork {median_microseconds(users[0].fork, ROUNDS):.1f} µs")
    task = make_task("delivery", 1)
    print(f"a new user {median_microseconds(lambda: ScriptedUser(task, Stream(1, 'user')), ROUNDS):.0f} µs")


def replies(user: ScriptedUser, messages: Sequence[str]) -> list[float]:
    """Return how long the replies to some messages take."""
    taken = []
    for message in messages:
        start = time.perf_counter()
        user.reply(message)
        taken.append((time.perf_counter() - start) * 1e6)
    return taken


def middle(taken: Sequence[Sequence[float]]) -> float:
    """Return the median of all."""
    return statistics.median(time for times in taken for time in times)


def iter_of(message: str, language: Language) -> Callable[[], object]:
    """Return what understands the message, each time with another number at its end."""
    numbers = count()
    return lambda: understand(f"{message} ({next(numbers)})", language)


if __name__ == "__main__":
    main()
