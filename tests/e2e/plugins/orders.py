"""A form with each kind of control, and the list of what was sent."""

from jupyter_ac.panels import Plugin, component, html, log, use_state

File = dict[str, str]
NO_FILES: list[File] = []
NOTHING: tuple[str, ...] = ()
TOPPINGS = ("cheese", "olives", "mushrooms", "basil")


@component
def orders() -> object:
    name, set_name = use_state("")
    is_hot, set_hot = use_state(False)
    toppings, set_toppings = use_state(["cheese"])
    files, set_files = use_state(NO_FILES)
    sent, set_sent = use_state(NOTHING)

    def submit() -> None:
        if not name.strip():
            log("An order without a name", level="warn")
            return
        words = [name, "hot" if is_hot else "mild", "+".join(toppings) or "plain"]
        words += [f"{each['name']}: {each.get('content', '')}" for each in files]
        set_sent(lambda before: (*before, ", ".join(words)))
        set_name("")
        set_hot(False)
        set_toppings(["cheese"])
        log(f"Sent {name}", level="info")

    return html.section(
        html.h2("Orders"),
        html.form(
            {"on_submit": submit, "style": {"display": "grid", "gap": 8, "maxWidth": 360}},
            html.label(
                "Name ",
                html.input({"value": name, "on_change": set_name, "placeholder": "Who eats it"}),
            ),
            html.label(
                html.input({"type": "checkbox", "checked": is_hot, "on_change": set_hot}), " Hot"
            ),
            html.label(
                "Toppings ",
                html.select(
                    {"multiple": True, "value": toppings, "on_change": set_toppings, "size": 4},
                    [html.option({"value": each}, each, key=each) for each in TOPPINGS],
                ),
            ),
            html.label(
                "Recipe ",
                html.input({"type": "file", "contents": "text", "on_change": set_files}),
            ),
            html.button({"type": "submit"}, "Order"),
        ),
        html.ul(
            {"aria-label": "Sent"}, [html.li(each, key=number) for number, each in enumerate(sent)]
        ),
    )


plugin = Plugin(orders, title="Orders", calls=["Repo.get_file_tree"])
