"""A small task in the public JSON shape, without faults."""

import pytest


@pytest.fixture
def minimal():
    order = {
        "order_id": "X1T01",
        "order_type": "delivery",
        "user_id": "U1",
        "store_id": "S1",
        "note": "",
        "location": {"address": "1 Lake Road, Springfield", "longitude": 100.0, "latitude": 30.0},
        "dispatch_time": "",
        "shipping_time": None,
        "delivery_time": "",
        "total_price": 24,
        "create_time": "2025-06-21 11:20:00",
        "update_time": "2025-06-21 11:20:00",
        "status": "paid",
        "products": [{"product_id": "P1", "price": 12, "quantity": 2, "attributes": ""}],
    }
    store = {
        "name": "Noodle House",
        "store_id": "S1",
        "score": 4.5,
        "location": {"address": "2 Lake Road, Springfield", "longitude": 100.01, "latitude": 30.0},
        "tags": ["Chain"],
        "products": [
            {
                "name": "Clear soup noodles",
                "store_id": "S1",
                "store_name": "Noodle House",
                "price": 12,
                "tags": ["Mild"],
                "product_id": "P1",
                "attributes": [],
            }
        ],
    }
    return {
        "id": "X1",
        "domain": "delivery",
        "message_history": [],
        "environment": {
            "time": "2025-06-21 11:20:00",
            "user_id": "U1",
            "orders": {},
            "weather": [],
            "location": [{"address": "1 Lake Road, Springfield", "longitude": 100.0, "latitude": 30.0}],
            "user_historical_behaviors": {"user id": "U1", "occupation": "Doctor"},
            "stores": {"S1": store},
        },
        "user_scenario": {
            "user_profile": {
                "user id": "U1",
                "occupation": "Doctor",
                "dietary restrictions": "No shellfish",
                "personality": "Impatient, rushes others",
            }
        },
        "instructions": "You want two bowls of noodles in clear soup, sent to your home.",
        "evaluation_criteria": {
            "expected_states": [
                {"required_orders": [order], "optional_orders": [], "state_rubrics": ["There are 2 bowls"]}
            ],
            "overall_rubrics": ["There are 2 bowls"],
        },
    }
