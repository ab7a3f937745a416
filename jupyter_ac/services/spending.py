"""Counts the tokens and the money that models take, for the metrics of a host."""

from jupyter_ac.chat.chat_events import TurnEnded
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.models.client import Usage
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.workers.redaction import redact


class Spending:
    """Listens to what answers have used.

    Args:
        metrics: of the host.
    """

    def __init__(self, metrics: CallMetrics) -> None:
        self._metrics = metrics

    def turn_ended(self, event: TurnEnded) -> None:
        """Count all answers of a turn, also of one that failed or was stopped."""
        if event.record.usage is not None:
            self._count(event.record.model, event.record.usage)

    def side_task(self, answer: SideTaskResult) -> None:
        """Count the answer of a side task, such as a commit message."""
        self._count(answer.model, answer.usage)

    def _count(self, model: str, usage: Usage) -> None:
        # The name may contain an address with a password.
        name, metrics = redact(model), self._metrics
        metrics.record_tokens(name, "input", usage.input_tokens)
        metrics.record_tokens(name, "output", usage.output_tokens)
        metrics.record_tokens(name, "cache_read", usage.cache_read_tokens)
        metrics.record_tokens(name, "cache_write", usage.cache_write_tokens)
        metrics.record_tokens(name, "reasoning", usage.reasoning_tokens)
        if usage.cost_usd is not None:
            metrics.record_cost(name, usage.cost_usd)
