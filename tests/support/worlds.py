"""A small world made by hand, all domains in one town, with the traps that public faults fell into."""

from __future__ import annotations

from typing import Any

from vitagym.domains import toolset
from vitagym.language import Language
from vitagym.tasks.task import Persona, Profile, Task
from vitagym.tools.results import Feedback, Strictness
from vitagym.world.world import World

TIME = "2025-06-20 11:00:00"
LATER = "2025-06-20 12:00:00"
PAST = "2025-06-20 10:59:59"
USER = "U100"
OTHER_USER = "U200"
HOME = "8 Willow Lane, Heron District, Alder City"
NIGHTS = ("2025-06-21", "2025-06-22")
PRICES = (100, 140)


def place(address: str, north_m: float = 0.0) -> dict[str, Any]:
    """Return a location so many metres north of home."""
    return {"address": address, "longitude": 118.5, "latitude": round(31.5 + north_m / 111_195, 6)}


def store(store_id: str, name: str, products: dict[str, str], north_m: float) -> dict[str, Any]:
    """Return a store with products, id -> name, at 20 yuan each."""
    return {
        "store_id": store_id,
        "name": name,
        "score": 4.5,
        "location": place(f"{int(north_m)} Market Street, Heron District, Alder City", north_m),
        "tags": ["noodles", "quick"],
        "products": [
            {
                "product_id": product_id,
                "store_id": store_id,
                "store_name": name,
                "name": product,
                "price": 20,
                "tags": ["mild"],
                "attributes": ["hot", "cold"],
            }
            for product_id, product in products.items()
        ],
    }


def shop(shop_id: str, name: str, *, fee: float | None, reservation: bool, products: dict[str, int]) -> dict[str, Any]:
    """Return a shop; fee None: no bookings; products: id -> stock, at 50 yuan each."""
    return {
        "shop_id": shop_id,
        "shop_name": name,
        "score": 4.8,
        "location": place(f"{len(name)} Canal Street, Heron District, Alder City", 900),
        "tags": ["spa"],
        "enable_book": fee is not None,
        "book_price": fee or 0,
        "enable_reservation": reservation,
        "category": "in-store dining",
        "shop_type": "distraction",
        "products": [
            {
                "product_id": product_id,
                "shop_id": shop_id,
                "name": "Massage, one hour",
                "price": 50,
                "tags": ["relaxing"],
                "quantity": left,
                "product_type": "target",
            }
            for product_id, left in products.items()
        ],
    }


def dated(prefix: str, type_field: str) -> list[dict[str, Any]]:
    """Return products of one type, three left on each night."""
    return [
        {"product_id": f"{prefix}_{i}", "price": price, "quantity": 3, "date": night, type_field: "Standard"}
        for i, (night, price) in enumerate(zip(NIGHTS, PRICES, strict=True))
    ]


def journey(kind: str, number: str, ends: tuple[str, str]) -> dict[str, Any]:
    """Return a flight or train from one end to the other."""
    return {
        f"{kind}_id": number,
        f"{kind}_number": number,
        "departure_city": "Alder City",
        "arrival_city": "Birch City",
        ends[0]: place(f"{kind} terminal, 1 Station Square, Alder City", 4000),
        ends[1]: place(f"{kind} terminal, 9 Harbour Square, Birch City", 400_000),
        "departure_time": "08:00",
        "arrival_time": "10:00",
        "tags": [],
        "products": dated(number, "seat_type"),
    }


def order(order_id: str, kind: str, provider: str, product: str, status: str, *, user: str = USER) -> dict[str, Any]:
    """Return an order from history, of one product at 20 yuan."""
    line = {"product_id": product, "price": 20, "quantity": 1}
    if kind not in ("delivery", "instore"):
        line["date"] = NIGHTS[0]
    return {
        "order_id": order_id,
        "order_type": kind,
        "user_id": user,
        "store_id": provider,
        "total_price": 20,
        "create_time": "2025-06-01 10:00:00",
        "update_time": "2025-06-01 10:00:00",
        "status": status,
        "products": [line],
    }


def visit(kind: str, record_id: str, status: str, user: str = USER) -> dict[str, Any]:
    """Return a booking ("book") or a reservation from history."""
    return {
        f"{kind}_id": record_id,
        "shop_id": "SH1",
        f"{kind}_time": "2025-06-25 18:00:00",
        "customer_id": user,
        "customer_count": 2,
        "book_price": 30,
        "status": status,
        "update_time": "2025-06-01 10:00:00",
    }


def environment() -> dict[str, Any]:
    """Return the world in the public JSON shape, made anew."""
    orders = [
        order("OD1", "delivery", "ST1", "P1", "delivered"),
        order("OD2", "delivery", "ST1", "P1", "paid"),
        order("OD3", "delivery", "ST1", "P1", "unpaid", user=OTHER_USER),
        order("OI1", "instore", "SH1", "V1", "consumed"),
        order("OI2", "instore", "SH1", "V1", "paid"),
        order("OI3", "instore", "SH1", "V1", "unpaid", user=OTHER_USER),
        *(order(f"O{kind}", kind, f"{kind}_P", f"{kind}_P_0", "paid") for kind in ("hotel", "attraction")),
        *(order(f"O{kind}", kind, f"{kind}_P", f"{kind}_P_0", "unpaid") for kind in ("flight", "train")),
        *(
            order(f"X{kind}", kind, f"{kind}_P", f"{kind}_P_0", "unpaid", user=OTHER_USER)
            for kind in ("hotel", "attraction", "flight", "train")
        ),
    ]
    books = [visit("book", "BK1", "unpaid", OTHER_USER), visit("book", "BK2", "cancelled")]
    reservations = [visit("reservation", "RS1", "unconsumed", OTHER_USER), visit("reservation", "RS2", "consumed")]
    return {
        "orders": {row["order_id"]: row for row in orders},
        "books": {row["book_id"]: row for row in books},
        "reservations": {row["reservation_id"]: row for row in reservations},
        "weather": [
            {"city": "Alder City", "category": "rain", "datetime": night, "temperature": [18, 25.5], "humidity": 80}
            for night in reversed(NIGHTS)
        ],
        "location": [place(HOME)],
        "user_historical_behaviors": {
            "user id": USER,
            "occupation": "Baker",
            "home address": HOME,
            "dietary restrictions": "no peanuts",
            "personality": "impatient",
            "family status": "has children",
            "breakfast": {"cost per order": "15~35 yuan", "recent orders": [{"store": "Reed", "product": "Tea"}]},
        },
        "stores": {
            "ST1": store("ST1", "Reed Noodles", {"P1": "Beef noodles", "P2": "Tomato noodles"}, 500),
            "ST2": store("ST2", "Reed Noodles", {"P3": "Beef noodles"}, 2500),
            "ST3": store("ST3", "Fern Bakery", {"P4": "Rye bread"}, 90_000),
        },
        "shops": {
            "SH1": shop("SH1", "Quiet Pond Spa", fee=30, reservation=True, products={"V1": 5, "V2": 0}),
            "SH2": shop("SH2", "Old Mill Restaurant", fee=0, reservation=False, products={"V3": 3}),
            "SH3": shop("SH3", "Lantern Baths", fee=None, reservation=True, products={}),
        },
        "hotels": {
            "hotel_P": {
                "hotel_id": "hotel_P",
                "hotel_name": "Heron Inn",
                "score": 4.4,
                "star_rating": 3,
                "location": place("3 Lakeside Road, Alder City", 3000),
                "tags": ["gym"],
                "products": dated("hotel_P", "room_type"),
            }
        },
        "attractions": {
            "attraction_P": {
                "attraction_id": "attraction_P",
                "attraction_name": "Glass Tower",
                "location": place("5 Lakeside Road, Alder City", 3500),
                "description": "a view of the lake",
                "score": 4.6,
                "opening_hours": "09:00-18:00",
                "ticket_price": 100,
                "products": dated("attraction_P", "ticket_type"),
            }
        },
        "flights": {
            "flight_P": journey("flight", "flight_P", ("departure_airport_location", "arrival_airport_location"))
        },
        "trains": {"train_P": journey("train", "train_P", ("departure_station_location", "arrival_station_location"))},
    }


def make_task(
    world: dict[str, Any] | None = None, *, task_id: str = "T1", language: Language = Language.EN, time: str = TIME
) -> Task:
    """Return a task whose world is the given one, by default the one made by hand."""
    return Task(
        id=task_id,
        split="test",
        domains=("delivery", "instore", "ota"),
        language=language,
        time=time,
        profile=Profile(user_id=USER, public={}, hidden={}),
        persona=Persona.NEUTRAL,
        instruction="-",
        environment=environment() if world is None else world,
    )


def make_world(
    task: Task | None = None,
    *domains: str,
    strictness: Strictness = Strictness.STATE,
    feedback: Feedback = Feedback.PLAIN,
) -> World:
    """Return a fresh world of a task with the tools of some domains; by default of all."""
    chosen = make_task() if task is None else task
    return World(chosen.catalogue, toolset(domains or ("cross",)), strictness=strictness, feedback=feedback)


def noodle_order(**changes: Any) -> dict[str, Any]:
    """Return the arguments of a delivery order that is in order, with some of them changed."""
    return {
        "user_id": USER,
        "store_id": "ST1",
        "product_ids": ["P1"],
        "product_cnts": [2],
        "address": HOME,
        "dispatch_time": LATER,
    } | changes
