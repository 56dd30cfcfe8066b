"""What the parameters of delivery tools refer to, and what their results make known."""

from __future__ import annotations

from typing import Annotated, Any

from vitagym.envs.common.conditions import (
    ADDRESS,
    COORDINATES,
    DISTANCE,
    USER_ID,
    check_distance,
    order_fact,
    order_needs,
    product_fact,
    product_needs,
    provider_fact,
    provider_needs,
)
from vitagym.tools.conditions import Given, Needs, OneOf, gives
from vitagym.world.records import Status

KIND = "delivery"
STORE = "store"

ORDER_ID = order_fact(KIND)
STORE_ID = provider_fact(STORE)
PRODUCT_ID = product_fact(STORE)

UNPAID = frozenset({Status.UNPAID})
OPEN = frozenset({Status.UNPAID, Status.PAID, Status.PROCESSED, Status.IN_PROGRESS})
STATUSES = (
    Status.UNPAID,
    Status.PAID,
    Status.PROCESSED,
    Status.IN_PROGRESS,
    Status.DELIVERED,
    Status.CANCELLED,
)

StoreId = Annotated[str, provider_needs(STORE)]
ProductId = Annotated[str, product_needs(STORE)]
OrderId = Annotated[str, order_needs(KIND)]
UnpaidOrderId = Annotated[str, order_needs(KIND, UNPAID)]
OpenOrderId = Annotated[str, order_needs(KIND, OPEN)]
OrderStatus = Annotated[str, OneOf(STATUSES)]

Distance = Annotated[float, Needs(DISTANCE, check_distance)]

StoreResult = Annotated[dict[str, Any], gives(STORE_ID, PRODUCT_ID, ADDRESS)]
StoresResult = Annotated[dict[str, Any], gives(STORE_ID, ADDRESS, COORDINATES)]
ProductResult = Annotated[dict[str, Any], gives(STORE_ID, PRODUCT_ID)]
ProductsResult = Annotated[dict[str, Any], gives(STORE_ID, PRODUCT_ID)]
OrderResult = Annotated[dict[str, Any], gives(ORDER_ID, USER_ID, STORE_ID, PRODUCT_ID)]
OrdersResult = Annotated[dict[str, Any], gives(ORDER_ID)]
StatusResult = Annotated[dict[str, Any], gives()]
MinutesResult = Annotated[dict[str, Any], gives()]
NewOrderResult = Annotated[dict[str, Any], gives(Given(ORDER_ID, UNPAID), changes="order_created")]
PaidResult = Annotated[dict[str, Any], gives(changes="order_paid")]
CancelledResult = Annotated[dict[str, Any], gives(changes="order_cancelled")]
ChangedResult = Annotated[dict[str, Any], gives(changes="order_note_replaced")]
