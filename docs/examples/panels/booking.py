"""A form with validation: fields are one dict, and what is wrong follows from it."""

from datetime import date

from jupyter_ac.panels import Plugin, component, html, use_state

EMPTY = {"name": "", "mail": "", "day": "", "instrument": "", "agreed": False}
INSTRUMENTS = ["Microscope", "Spectrometer", "X-ray source"]
BAD = {"color": "var(--ac-danger, #b3261e)", "fontSize": 12}
LABEL = {"display": "inline-block", "width": 150}


def problems(values):
    checks = {
        "name": (len(values["name"].strip()) > 1, "Who will come?"),
        "mail": ("@" in values["mail"][1:-1], "Such as ada@example.org"),
        "day": (values["day"] > date.today().isoformat(), "A day from tomorrow on"),
        "instrument": (values["instrument"] in INSTRUMENTS, "Choose one"),
        "agreed": (values["agreed"], "Please read the rules first"),
    }
    return {name: words for name, (is_right, words) in checks.items() if not is_right}


@component
def Field(label, control, problem):
    words = html.div(problem, role="alert", style=BAD) if problem else None
    label = html.label(html.span(label, style=LABEL), control)
    return html.div(label, words, style={"margin": "8px 0"})


@component
def Booking():
    values, set_values = use_state(EMPTY)
    was_sent, set_was_sent = use_state(False)
    wrong = problems(values) if was_sent else {}

    def field(label, tag, name, *children, **props):
        def change(value):
            set_values(lambda now: now | {name: value})

        key = "checked" if props.get("type") == "checkbox" else "value"
        props |= {key: values[name], "on_change": change}
        return Field(label, tag(*children, **props), wrong.get(name), key=name)

    if was_sent and not wrong:
        booked = f"Booked: {values['instrument']} on {values['day']} for {values['name']}"
        return html.p(booked, " ", html.button("Change", on_click=lambda: set_was_sent(False)))
    return html.form(
        field("Name", html.input, "name", autocomplete="name"),
        field("E-mail", html.input, "mail", type="email"),
        field("Day", html.input, "day", type="date"),
        field("Instrument", html.select, "instrument", *map(html.option, ["", *INSTRUMENTS])),
        field("I have read the rules", html.input, "agreed", type="checkbox"),
        html.button("Book", type="submit"),
        novalidate=True,
        on_submit=lambda: set_was_sent(True),
    )


plugin = Plugin(Booking, title="Book an instrument")
