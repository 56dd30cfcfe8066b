"""The page in a real headless browser: tools as forms, the conversation, the result."""

import pytest

from vitagym.play import Role


def ready(page):
    page.wait_for_selector("html[data-turn=person]")


def test_a_form_is_made_from_the_schema_and_its_result_is_a_table(playing, tab):
    with playing() as client:
        page = tab().open(client.here)
        assert "You are the agent" in page.locator("#where").inner_text()
        page.fill("#tool-search", "product search")
        page.locator(".tool").first.click()
        field = page.locator(".tool-form textarea")
        assert field.get_attribute("required") is not None
        field.fill("dumplings\nfresh juice")
        page.click("#call")
        ready(page)
        (call,) = client.ask("/state")["state"]["messages"][1]["tool_calls"]
        assert call["function"]["arguments"] == '{"keywords":["dumplings","fresh juice"]}'
        assert page.locator("#messages .call table tbody tr").count() > 1


def test_an_id_of_a_result_goes_into_the_open_form(playing, tab):
    with playing() as client:
        page = tab().open(client.here)
        client_call = {"name": "delivery_product_search_recommand", "arguments": {"keywords": ["dumplings"]}}
        client.ask("/act", call=client_call)
        page.reload()
        page.wait_for_selector("html[data-ready]")
        page.fill("#tool-search", "create_delivery_order")
        page.locator(".tool").first.click()
        cells = page.locator('td[data-field="product_id"] .as-id')
        cells.nth(0).click()
        cells.nth(1).click()
        assert page.input_value("#field-product_ids").split("\n") == cells.all_inner_texts()[:2]
        page.locator('td[data-field="store_id"] .as-id').first.click()
        assert page.input_value("#field-store_id").startswith("S")


def test_enums_are_choices_and_left_out_fields_are_left_out(playing, tab):
    with playing() as client:
        page = tab().open(client.here)
        page.fill("#tool-search", "search_delivery_orders")
        page.locator(".tool").first.click()
        choices = page.locator(".tool-form select option").all_inner_texts()
        assert "paid" in choices
        page.fill("#field-user_id", "U1")
        page.locator(".tool-form select").select_option("paid")
        page.click("#call")
        ready(page)
        (call,) = client.ask("/state")["state"]["messages"][1]["tool_calls"]
        assert call["function"]["arguments"] == '{"user_id":"U1","status":"paid"}'


def test_words_the_end_and_the_next_task(playing, tab):
    with playing() as client:
        page = tab().open(client.here)
        page.fill("#words", "How many would you like?")
        page.keyboard.press("Enter")
        ready(page)
        assert page.locator("#messages .bubble").count() >= 3
        assert page.locator("text=rubric").count() == 0
        page.click("#end")
        page.click("#sure button[value=no]")
        assert client.ask("/state")["state"]["turn"] == "person"
        page.click("#end")
        page.click("#sure button[value=yes]")
        page.wait_for_selector("#result h2")
        assert page.locator(".result-rubrics li").count() > 3
        assert page.locator("#composer").is_hidden()
        page.click("#next")
        ready(page)
        assert page.locator("#messages .bubble").count() == 1
        assert page.locator("#result").is_hidden()


def test_a_person_plays_the_user(playing, tab):
    with playing(Role.USER, agent="reference") as client:
        page = tab().open(client.here)
        assert "Say this only when asked" in page.locator("#briefing").inner_text()
        assert page.locator("#tools").is_hidden()
        page.fill("#words", "Hello!")
        page.click("#send")
        ready(page)
        assert page.locator("#messages .message.agent").count() == 1


@pytest.mark.parametrize("role", list(Role))
def test_a_narrow_screen_needs_no_scrolling_sideways(playing, tab, role):
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    with playing(role) as client:
        page = tab(width=390, height=844).open(client.here)
        assert not page.evaluate(wide)
        if role is Role.AGENT:
            client.ask("/act", call={"name": "delivery_product_search_recommand", "arguments": {"keywords": ["rice"]}})
            page.reload()
            page.wait_for_selector("html[data-ready]")
            assert not page.evaluate(wide)
            page.click("#to-tools")
            assert page.locator("#tool-search").is_visible()
            assert not page.evaluate(wide)


def test_both_languages(playing, tab):
    with playing() as client:
        page = tab().open(client.here)
        page.click("#language")
        assert page.locator("#tools-title").inner_text() == "工具"
        assert page.locator("#send").inner_text() == "发送"
        assert page.locator("#messages .bubble").count() == 1
