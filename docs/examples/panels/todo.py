"""A to-do list: `use_reducer` has every change in one place; keys let each row keep its element."""

from jupyter_ac.panels import Plugin, component, html, use_reducer, use_state

ROW = {"display": "flex", "gap": 8, "alignItems": "center", "padding": "2px 0"}
DONE = {"textDecoration": "line-through", "opacity": 0.65}


def changed(tasks, action):
    match action:
        case "add", text:
            return {**tasks, max(tasks, default=0) + 1: (text, False)}
        case "check", number:
            text, is_done = tasks[number]
            return {**tasks, number: (text, not is_done)}
        case "clear", _:
            return {number: task for number, task in tasks.items() if not task[1]}


@component
def Task(number, task, dispatch):
    text, is_done = task
    box = html.input(
        type="checkbox", checked=is_done, on_change=lambda: dispatch(("check", number))
    )
    return html.li({"style": ROW | (DONE if is_done else {})}, html.label(box, f" {text}"))


@component
def Todo():
    tasks, dispatch = use_reducer(
        changed,
        {1: ("Label the figures", True), 2: ("Run the tests", False), 3: ("Send the draft", False)},
    )
    text, set_text = use_state("")

    def add():
        if text.strip():
            dispatch(("add", text.strip()))
            set_text("")

    left = sum(not is_done for _, is_done in tasks.values())
    return html.section(
        html.h3(f"{left} of {len(tasks)} to do"),
        html.ul(
            [Task(number, task, dispatch, key=number) for number, task in tasks.items()],
            style={"listStyle": "none", "padding": 0},
        ),
        html.form(
            html.input({"aria-label": "New task"}, value=text, on_change=set_text),
            html.button("Add", type="submit"),
            html.button("Remove done", type="button", on_click=lambda: dispatch(("clear", None))),
            on_submit=add,
            style=ROW | {"flexWrap": "wrap"},
        ),
    )


plugin = Plugin(Todo, title="To do")
