"""Random tool calls: most make sense in the world they are drawn for, some do not."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from support.worlds import HOME, LATER, NIGHTS, PAST, USER

from vitagym.randomness import Stream
from vitagym.tools.tool import Parameter, Tool
from vitagym.world.world import World

ODD: dict[type, list[Any]] = {
    str: ["", "?", "U200", "OD3", "ZZZ", "2025/06/20", "9999-12-31 23:59:59", "x" * 5000, "饭", "\ud800"],
    int: [0, -1, 10**6, 2**53, 10**400],
    float: [-1.0, 0, 1e308, 10**400, -(10**20)],
    bool: [True],
}
PLAIN: dict[str, list[Any]] = {
    "user_id": [USER],
    "address": [HOME, "500 Market Street, Heron District, Alder City", "Alder City"],
    "city_name": ["Alder City"],
    "departure": ["Alder City"],
    "destination": ["Birch City"],
    "dispatch_time": [LATER],
    "time": [LATER, PAST],
    "date": list(NIGHTS),
    "new_date": list(NIGHTS),
    "date_start": [NIGHTS[0]],
    "date_end": [NIGHTS[1]],
    "year": ["2025"],
    "holiday_name": ["National Day", "七夕"],
    "status": ["unpaid", "paid", "cancelled"],
    "note": ["leave at the door", '"order_id":"OD3"'],
    "longitude": [118.5],
    "latitude": [31.5],
    "longitude1": [118.5],
    "latitude1": [31.5],
    "longitude2": [118.6],
    "latitude2": [31.4],
    "range": [1000, 5000.5, 10**6],
    "distance": [0, 1234.5],
}


def random_call(world: World, draw: Stream) -> tuple[str, dict[str, Any]]:
    """Return the name and arguments of a random call."""
    tools = list(world.tools)
    tool = tools[draw.below(len(tools))]
    return tool.name, random_arguments(world, tool, draw)


def random_arguments(world: World, tool: Tool, draw: Stream, odd: float = 0.04) -> dict[str, Any]:
    """Return arguments for a tool; each is odd with that probability, and an optional one may be missing."""
    pools = _pools(world)
    arguments: dict[str, Any] = {}
    for parameter in tool.parameters:
        if not parameter.required and draw.random() < 0.5:
            continue
        arguments[parameter.name] = _value(parameter, pools, draw, odd)
    if draw.random() < odd / 2:
        arguments["no_such_parameter"] = 1
    if arguments and draw.random() < odd / 2:
        arguments.pop(draw.choice(sorted(arguments)))
    return arguments


def _value(parameter: Parameter, pools: dict[str, list[Any]], draw: Stream, odd: float) -> Any:
    kind = parameter.type
    if draw.random() < odd:
        return draw.choice([None, "text", 3, 2.5, [], {}, ["a"], True])
    if get_origin(kind) is list or any(get_origin(x) is list for x in get_args(kind)):
        return ["\ud800"] if draw.random() < odd else _list(parameter, pools, draw)
    plain = next((x for x in (kind, *get_args(kind)) if x in ODD), str)
    if draw.random() < odd:
        return draw.choice(ODD[plain])
    pool = pools.get(parameter.name)
    if parameter.needs is not None and parameter.needs.fact.identity:
        pool = pools.get(parameter.needs.fact.name, pool)
    if pool:
        return draw.choice(pool)
    return draw.choice([1, 1, 2, 3]) if plain is int else "Standard"


def _list(parameter: Parameter, pools: dict[str, list[Any]], draw: Stream) -> list[Any]:
    if parameter.name == "product_ids":
        return [draw.choice(pools["store_product_id"])]
    if parameter.name == "product_cnts":
        return [draw.choice([1, 2, 3])]
    return [draw.choice(["noodles", "spa", "Beef", "view", "gym", "cold", ""])]


def _pools(world: World) -> dict[str, list[Any]]:
    pools: dict[str, list[Any]] = {name: list(values) for name, values in PLAIN.items()}
    for provider in world.catalogue.providers.values():
        pools.setdefault(f"{provider.kind}_id", []).append(provider.id)
        for product in provider.products:
            pools.setdefault(f"{provider.kind}_product_id", []).append(product.id)
    for name, kind in (("room_id", "hotel"), ("ticket_id", "attraction"), ("seat_id", "train")):
        pools[name] = pools.get(f"{kind}_product_id", [])
    ledger, old = world.ledger, world.catalogue
    for order in ledger.orders.values():
        pools.setdefault(f"{order.kind}_order_id", []).extend([order.id] * (1 if order.id in old.orders else 3))
    pools["book_id"] = [one for one in ledger.bookings for _ in range(1 if one in old.bookings else 3)]
    pools["reservation_id"] = [one for one in ledger.reservations for _ in range(1 if one in old.reservations else 3)]
    return pools


def accepted_call(world: World, tool: Tool) -> tuple[World, dict[str, Any]]:
    """Return a world and arguments that a tool accepts there, found by walking at random from the given world."""
    for seed in range(200):
        here, draw = world.fork(), Stream(seed, f"accepted {tool.name}")
        for _ in range(60):
            arguments = random_arguments(here, tool, draw, odd=0)
            if here.fork().call(tool.name, arguments).ok:
                return here, arguments
            here.call(*random_call(here, draw))
    raise AssertionError(f"no random call of {tool.name} was accepted")
