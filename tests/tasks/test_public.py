"""Every public task loads; what is wrong in the data is right in the loaded task."""

import gzip
import json
from collections import Counter

import pytest

from vitagym.errors import CallerError
from vitagym.language import Language
from vitagym.tasks.paraphrase import paired
from vitagym.tasks.public import load_public
from vitagym.tasks.spellings import persona_of
from vitagym.tasks.task import Persona, Task
from vitagym.world.records import Status

PLACE = {"address": "9 Hill Road, Springfield", "longitude": 100.02, "latitude": 30.0}
TRIP = {"departure_city": "Springfield", "arrival_city": "Lakeside", "departure_time": "08:00", "arrival_time": "09:00"}
PROVIDERS = {
    "stores": {"store_id": "K1", "name": "Noodle House", "score": 4.5, "location": PLACE, "tags": []},
    "shops": {
        "shop_id": "K1",
        "shop_name": "Tea House",
        "score": 4.5,
        "location": PLACE,
        "tags": [],
        "enable_book": False,
        "book_price": 0,
        "enable_reservation": True,
    },
    "hotels": {"hotel_id": "K1", "hotel_name": "Hill Inn", "score": 4, "star_rating": 3, "location": PLACE, "tags": []},
    "flights": {
        "flight_id": "K1",
        "flight_number": "XX1",
        "departure_airport_location": PLACE,
        "arrival_airport_location": PLACE,
        "tags": [],
        **TRIP,
    },
    "trains": {
        "train_id": "K2",
        "train_number": "G1",
        "departure_station_location": PLACE,
        "arrival_station_location": PLACE,
        "tags": [],
        **TRIP,
    },
}


@pytest.fixture
def loaded(tmp_path, minimal):
    """Return a function that loads the minimal task after a change of its JSON."""

    def load(change=None, language=None):
        if change is not None:
            change(minimal)
        path = tmp_path / "task.json"
        path.write_text(json.dumps(minimal), encoding="utf-8")
        (task,) = load_public(path, language)
        return task

    return load


@pytest.fixture(scope="module")
def delivery(official):
    return load_public(official / "tasks_delivery_en.json.gz")


@pytest.fixture(scope="module")
def instore(official):
    return load_public(official / "tasks_instore_en.json.gz")


def test_no_public_task_is_lost(delivery, instore):
    assert len(delivery) == 100
    assert len(instore) == 50
    assert {t.domain for t in delivery} == {"delivery"}
    assert {t.domain for t in instore} == {"instore"}
    assert {t.language for t in (*delivery, *instore)} == {Language.EN}
    assert {t.split for t in (*delivery, *instore)} == {"public"}


def test_rubrics_are_counted_by_meaning(delivery, instore):
    assert sum(len(t.rubrics) for t in delivery) / len(delivery) == pytest.approx(7.35)
    assert sum(len(t.rubrics) for t in instore) / len(instore) == pytest.approx(12.6)
    for task in (*delivery, *instore):
        assert all(rubric.check is None for rubric in task.rubrics)
        assert len({rubric.sentence(task.language) for rubric in task.rubrics}) == len(task.rubrics)


def test_each_personality_type_has_as_many_tasks_as_published(delivery, instore):
    types = set(Persona) - {Persona.NEUTRAL}
    assert Counter(t.persona for t in delivery) == dict.fromkeys(types, 10)
    assert Counter(t.persona for t in instore) == dict.fromkeys(types, 5)


def test_profiles_have_one_spelling_and_hide_what_only_the_user_knows(delivery, instore):
    for task in (*delivery, *instore):
        assert set(task.profile.hidden) == {"dietary restrictions", "personality", "family status"}
        assert "home address" in task.profile.public
        assert task.profile.public["user id"] == task.profile.user_id


def test_expected_orders_are_ones_that_the_world_sells(delivery, instore):
    unsold = set()
    for task in (*delivery, *instore):
        for state in task.expected:
            for record in state.required:
                if record.kind == "order":
                    rows = task.environment.get("stores") or task.environment["shops"]
                    sold = {p["product_id"]: p for p in rows[record.provider_id]["products"]}
                    unsold |= {task.id for line in record.lines if line.product_id not in sold}
    assert unsold == {"80715001", "D0721001", "I0716002"}


def test_a_required_order_is_expected_once(delivery, instore):
    for task in (*delivery, *instore):
        records = [record for state in task.expected for record in state.required]
        assert records
        assert len(records) == len(set(records))


def test_every_rubric_of_a_state_is_a_rubric_of_the_task(delivery, instore):
    for task in (*delivery, *instore):
        named = {name for state in task.expected for name in state.rubrics}
        assert named <= {rubric.id for rubric in task.rubrics}
        assert named == {rubric.id for rubric in task.rubrics if rubric.goal is not None}


def test_a_task_survives_its_own_json(delivery):
    assert Task.model_validate_json(delivery[0].model_dump_json()) == delivery[0]


def test_plain_and_gzipped_files_one_task_or_a_list_give_the_same(tmp_path, minimal):
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(minimal), encoding="utf-8")
    packed = tmp_path / "packed.json.gz"
    packed.write_bytes(gzip.compress(json.dumps([minimal]).encode()))
    assert load_public(plain) == load_public(packed)


def test_the_language_is_seen_from_the_instruction(loaded):
    assert loaded().language is Language.EN
    assert loaded(lambda t: t.update(instructions="你想点两碗清汤米线，送到家里。")).language is Language.ZH
    assert loaded(language="en").language is Language.EN


def test_an_unknown_language_is_refused_with_the_nearest(loaded):
    with pytest.raises(CallerError, match="Did you mean 'en'"):
        loaded(language="eng")


@pytest.mark.parametrize(
    ("spelling", "tables", "domain"),
    [
        ("In-Store Consumption", {"shops"}, "instore"),
        ("instore", {"shops"}, "instore"),
        ("外卖", {"stores"}, "delivery"),
        ("OTA", {"hotels", "flights"}, "ota"),
        ("cross_domain", {"stores", "trains"}, "cross"),
        ("instore,ota", {"shops", "hotels"}, "cross"),
    ],
)
def test_a_domain_is_known_however_it_is_spelled(loaded, spelling, tables, domain):
    def change(task):
        del task["environment"]["stores"]
        task["evaluation_criteria"]["expected_states"] = []
        for table in tables:
            row = PROVIDERS[table]
            task["environment"][table] = {next(iter(row.values())): {**row, "products": []}}
        task["domain"] = spelling

    assert loaded(change).domain == domain


def test_chinese_profile_keys_are_known(loaded):
    def change(task):
        task["instructions"] = "你想点两碗清汤米线，送到家里。"
        task["user_scenario"]["user_profile"] = {
            "用户id": "U1",
            "职业": "医生",
            "家庭住址": "春城市湖滨路1号",
            "饮食禁忌": "不吃海鲜",
            "家庭情况": "已婚",
            "性格": "性子急躁，经常催促，没有耐心等待",
        }

    task = loaded(change)
    assert task.profile.public == {"user id": "U1", "occupation": "医生", "home address": "春城市湖滨路1号"}
    assert task.profile.hidden["dietary restrictions"] == "不吃海鲜"
    assert task.profile.hidden["family status"] == "已婚"
    assert task.persona is Persona.IMPATIENT


def test_hidden_fields_never_stay_in_what_the_platform_knows(loaded):
    def change(task):
        task["environment"]["user_historical_behaviors"].update(
            {"dietary_restrictions": "none", "性格": "温和", "family status": "single"}
        )

    assert set(loaded(change).environment["user_historical_behaviors"]) == {"user id", "occupation"}


def test_a_status_that_no_tool_can_set_is_not_expected(loaded):
    def change(task):
        task["evaluation_criteria"]["expected_states"][0]["required_orders"][0]["status"] = "processed"

    assert loaded().expected[0].required[0].status is Status.PAID
    assert loaded(change).expected[0].required[0].status is None


def test_labels_are_not_in_the_loaded_world(loaded):
    def change(task):
        store = task["environment"]["stores"]["S1"]
        store["shop_type"], store["target_reason"] = "target", "the nearest"
        store["products"][0]["product_type"] = "distraction"
        store["products"][0]["role"] = "target"

    words = json.dumps(loaded(change).environment)
    assert "target" not in words
    assert "distraction" not in words


@pytest.mark.parametrize(
    ("description", "persona"),
    [
        ("Cold and concise in expression, lacking emotional communication and patience", Persona.COLD),
        ("Impatient, often hurries people, lacks patience", Persona.IMPATIENT),
        ("Experiences mood swings, strong emotional tone", Persona.EMOTIONAL),
        ("表达冷淡简洁，缺乏情感交流和耐心", Persona.COLD),
        ("思维分散跳跃，容易分心，经常改变主意", Persona.SCATTERED),
        ("控制欲强，不易接受不同意见", Persona.CONTROLLING),
        ("likes blue", Persona.NEUTRAL),
        ("", Persona.NEUTRAL),
    ],
)
def test_a_description_gives_its_personality_type(description, persona):
    assert persona_of(description) is persona


def test_sentences_that_differ_in_one_word_of_weight_are_not_taken_for_each_other():
    stated = ["The nail salon visit is for 1 person", "The barber visit is for 1 person", "The barber is Hair Story"]
    overall = ["1 person goes to the barber", "The barber should be Hair Story", "1 person goes to the nail salon"]
    assert paired(stated, overall) == {0: 1, 1: 2, 2: 0}


def test_a_sentence_with_no_partner_is_kept():
    assert paired(["The dish is mild"], ["Arrival before 18:00 on 2025-05-20"]) == {}
    assert paired([], ["The dish is mild"]) == {}


def test_an_order_of_a_dated_product_has_the_price_of_its_date(loaded):
    def change(task):
        room = {"product_id": "R1", "quantity": 2, "room_type": "King Room"}
        rooms = [{**room, "price": 300 + day, "date": f"2025-07-0{day}"} for day in (1, 2)]
        del task["environment"]["stores"]
        task["environment"]["hotels"] = {"K1": {**PROVIDERS["hotels"], "products": rooms}}
        order = task["evaluation_criteria"]["expected_states"][0]["required_orders"][0]
        line = {"product_id": "R1", "price": 302, "quantity": 1, "date": "2025-07-02"}
        order.update(store_id="K1", order_type="hotel", products=[line], total_price=301)

    order = loaded(change).expected[0].required[0]
    assert (order.provider_id, order.total_price, order.lines[0].date) == ("K1", 302, "2025-07-02")


@pytest.mark.parametrize(
    "key",
    [
        "order_id",
        "order_type",
        "user_id",
        "store_id",
        "note",
        "location",
        "total_price",
        "status",
        "products",
        "dispatch_time",
    ],
)
def test_an_order_that_leaves_something_out_does_not_lose_its_task(loaded, key):
    def change(task):
        del task["evaluation_criteria"]["expected_states"][0]["required_orders"][0][key]

    assert loaded(change).expected[0].required[0].kind == "order"


@pytest.mark.parametrize("part", ["required_orders", "optional_orders", "state_rubrics"])
def test_a_state_that_leaves_something_out_does_not_lose_its_task(loaded, part):
    def change(task):
        del task["evaluation_criteria"]["expected_states"][0][part]

    assert len(loaded(change).expected) == 1


@pytest.mark.parametrize("part", ["user_scenario", "evaluation_criteria", "domain", "message_history"])
def test_a_task_that_leaves_something_out_is_not_lost(loaded, part):
    def change(task):
        del task[part]

    task = loaded(change)
    assert task.id == "X1"
    assert task.catalogue.providers
