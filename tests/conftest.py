"""Fixtures that every test may use."""

from tests.support.model_process import background, model_server, models, models_worker

__all__ = ["background", "model_server", "models", "models_worker"]

pytest_plugins = ["pytest_jupyter.jupyter_server"]
