"""Checks of the API keys, of the selected model, and whether the model answers."""

import asyncio
from typing import Final

from jupyter_ac.errors import ProviderBadRequest, ProviderError
from jupyter_ac.hosts.cli.checks.context import (
    CheckContext,
    CheckResult,
    NotChecked,
    fail,
    ok,
    warn,
)
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.models import embedded
from jupyter_ac.models.choice import PROVIDER_KEYS
from jupyter_ac.models.client import CompletionRequest
from jupyter_ac.workers.redaction import plain_address

LIMIT_S: Final = 60.0

_REACH: Final = "Check key, network and proxy, or choose another model."
_QUESTION: Final = "Answer with one word: ready"
_TOO_SHORT: Final = ("max_tokens", "max_completion_tokens", "max_output_tokens", "output limit")


async def keys(here: CheckContext) -> CheckResult:
    """Report the providers' keys and where they are set, in the order of the selection."""
    where = await asyncio.to_thread(here.planner.where_keys_are, PROVIDER_KEYS)
    width = max(map(len, PROVIDER_KEYS))
    rows = [
        f"{name:{width}}  {'set: ' + where[name] if name in where else 'not set':19}  {model}"
        for name, model in PROVIDER_KEYS.items()
    ]
    order = (
        "The model is: --model, else JUPYTER_AC_MODEL, else `model` in llm.json, else that of the "
        "first key below that is set, else the demo model."
    )
    found = [f"{name} ({where[name]})" for name in PROVIDER_KEYS if name in where]
    return ok(", ".join(found) or "no provider's key is set", order, *rows)


async def chosen(here: CheckContext) -> CheckResult:
    """Report the selected model, and the reason for it."""
    plan = here.plan
    if plan.choice is None:
        return fail("none", plan.message)
    base = plain_address(plan.choice.api_base or "")
    at = f", at {base}" if base else ""
    about = f"{plan.choice.model}, because of {plan.choice.source}{at}"
    if plan.choice.demo:
        return warn(f"{about}; it is too small to be useful", "Set a provider's key.")
    return ok(about)


async def reachable(here: CheckContext) -> CheckResult:
    """Request one token from the model, through the process that requests answers."""
    choice = here.plan.choice
    if choice is None:
        raise NotChecked("no model is chosen")
    resources = HostResources()
    try:
        async with asyncio.timeout(LIMIT_S):
            base = await resources.embedded.api_base() if choice.demo else choice.api_base
            request = CompletionRequest(
                choice.model,
                [{"role": "user", "content": _QUESTION}],
                max_tokens=1,
                api_base=base,
                env=here.plan.environment,
                cache=False,
            )
            outcome = await resources.models.complete(request, lambda _text: None)
    except TimeoutError:
        return fail(f"{choice.model} did not answer within {LIMIT_S:g} s", _REACH)
    except ProviderBadRequest as error:
        if any(word in str(error) for word in _TOO_SHORT):
            return ok(f"{choice.model} is there; it refuses to answer in one token")
        address = " and the address" if choice.api_base else ""
        return fail(str(error), f"Check the model's name{address}.")
    except ProviderError as error:
        return fail(str(error), _REACH)
    finally:
        await resources.aclose()
    return ok(f"{choice.model} answered, {outcome.usage.input_tokens} tokens asked")


async def demo(_here: CheckContext) -> CheckResult:
    """Check that the model that needs no key is installed."""
    if embedded.available():
        return ok("installed")
    return ok("not installed; `jupyter ac install-demo-model` adds it")
