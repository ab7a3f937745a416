from jupyter_ac.browser_rows import BrowserState, disconnected


def test_without_a_browser_each_field_of_seed_003_is_there() -> None:
    state = disconnected()
    assert set(state) == set(BrowserState.__annotations__)
    assert (state["connectionState"], state["epoch"], state["connected"]) == (
        "disconnected",
        0,
        False,
    )
    assert state["page"] is None
    assert state["error"] is None


def test_nobody_shares_a_list_with_somebody_else() -> None:
    disconnected()["filters"]["enabled"].append("x")
    assert disconnected()["filters"]["enabled"] == []
