"""Scripts for the model of the scenario `scripted-tools`: what it answers, step by step."""

import json

MODEL = "openai/gpt-4o"
"""A model whose provider takes tools; the address then names the scenario."""


def address(api_base: str) -> str:
    """Return the address at which any model plays a script with tools."""
    return api_base.replace("/v1", "/as/scripted-tools/v1")


def call(name: str, /, **arguments: object) -> str:
    """Return a line that is a tool call."""
    return f"@call {name} {json.dumps(arguments)}\n"


def script(*answers: str) -> str:
    """Return a question whose answers, one a step, are these."""
    return "\n=====\n".join(["Please do it.", *answers])
