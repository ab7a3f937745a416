"""The Jupyter server extension: creates the host and registers the routes."""

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from jupyter_server.auth.decorator import allow_unauthenticated, authorized
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.extension.application import ExtensionApp
from jupyter_server.serverapp import ServerApp
from tornado.web import authenticated

from jupyter_ac.hosts.assembly import build_planner, build_registry
from jupyter_ac.hosts.assets import STATIC_DIR
from jupyter_ac.hosts.call_guards import call_guards
from jupyter_ac.hosts.call_lines import write_call_lines
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.edge.event_stream import EVENTS_PATH
from jupyter_ac.hosts.edge.metrics import answer_metrics
from jupyter_ac.hosts.gc_tuning import spare_what_is_there
from jupyter_ac.hosts.health import health
from jupyter_ac.hosts.model_plan import ModelPlan, ModelPlanner
from jupyter_ac.hosts.panels.server_address import DOOR as PANEL_DOOR
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.server.access import AUTH_RESOURCE, AllowedFolders
from jupyter_ac.hosts.server.kernels import RunningKernels, ServerKernels
from jupyter_ac.hosts.server.panel_handler import JupyterPanelHandler
from jupyter_ac.hosts.server.repository import RepositoryHandler
from jupyter_ac.hosts.server.server_events import JupyterEventsHandler
from jupyter_ac.hosts.server.socket import JupyterSocketHandler
from jupyter_ac.hosts.sockets.connection_limits import MAX_EACH, connection_limits
from jupyter_ac.hosts.sockets.files import NAME, PublicFiles
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.settings.admin import JupyterAC, load_admin


class ServerHealthHandler(APIHandler):
    """Answers without a login: a page must be able to tell "not installed" from "not allowed"."""

    # A page that only asks whether we are there is no reason to keep the server alive.
    _track_activity = False

    @allow_unauthenticated
    def get(self) -> None:
        """Answer `{status, version, protocol, pid}`."""
        self.set_header("Cache-Control", "no-store")
        self.finish(dict(health()))


class SettingsHandler(APIHandler):
    """Says something of the user's settings, for who may read.

    It belongs to no repository, so that a page can ask without opening one.
    """

    auth_resource = AUTH_RESOURCE
    _track_activity = False

    def initialize(self, planner: ModelPlanner) -> None:
        """Take what the extension passes to each request."""
        self._planner = planner


class InlineStateHandler(SettingsHandler):
    """`GET {base_url}jupyter-ac/inline-completion`: whether code is completed."""

    @authenticated
    @authorized
    async def get(self) -> None:
        """Answer `{enabled, delay_ms}`, as the user's settings are on disk."""
        await asyncio.to_thread(self._planner.settings.refresh)
        settings = self._planner.settings.app.inline_completion
        self.set_header("Cache-Control", "no-store")
        await self.finish({"enabled": settings.enabled, "delay_ms": settings.delay_ms})


class ModelHandler(SettingsHandler):
    """`GET {base_url}jupyter-ac/model`: the model of new questions."""

    @authenticated
    @authorized
    async def get(self) -> None:
        """Answer `{model, demo, message}` by the files and the environment, as they are now.

        `model` is "" where there is none (`message` says why), or where a list of models decides
        that only an open repository asks for (`message` is "").
        """
        plan = await asyncio.to_thread(self._planner.plan)
        summary = ModelPlan(None).summary() if plan.lacks_list else plan.summary()
        self.set_header("Cache-Control", "no-store")
        await self.finish(
            {"model": summary.model, "demo": summary.demo, "message": summary.message}
        )


class ServerMetricsHandler(APIHandler):
    """`GET {base_url}jupyter-ac/metrics`, for who may read."""

    auth_resource = AUTH_RESOURCE
    _track_activity = False

    def initialize(self, metrics: CallMetrics) -> None:
        """Take the counts of the host."""
        self._metrics = metrics

    def set_cors_headers(self) -> None:
        """Let no other site's page read it; Jupyter would, for a request that shows the token."""

    @authenticated
    @authorized
    async def get(self) -> None:
        """Answer in Prometheus' text format."""
        await answer_metrics(self, self._metrics)


STATIC_ROUTE: Final = rf"jupyter-ac/static/{NAME}"


class StaticHandler(JupyterHandler, PublicFiles):
    """The built files.

    No login is asked for: it is the code that the package publishes, and a module import cannot
    send a token the way a page's own requests do.
    """

    @allow_unauthenticated
    async def get(self, path: str, include_body: bool = True) -> None:  # noqa: FBT001, FBT002 - tornado's signature
        """Answer with the file."""
        await PublicFiles.get(self, path, include_body)

    @allow_unauthenticated
    async def head(self, path: str) -> None:
        """Answer with the file's headers."""
        await PublicFiles.get(self, path, include_body=False)


DEFAULT_MESSAGE_MB: Final = 16
ACTIVITY_SETTING: Final = "jupyter_ac_last_activity"
"""The server takes every setting that ends like this into account before it culls or stops."""


class JupyterAcExtension(ExtensionApp):
    """jupyter_ac in a Jupyter server; its settings are `c.JupyterAC.…`."""

    name = "jupyter_ac"
    load_other_extensions = True
    classes = [JupyterAC]  # noqa: RUF012 - traitlets' own way

    # Both stay None when the administrator's settings are broken: then the server runs without us.
    _resources: HostResources | None = None
    _connections: Connections | None = None

    def initialize_settings(self) -> None:
        """Read the administrator's settings and build the host; nothing is started yet.

        Raises:
            NotReady: the settings are broken; the server logs it and goes on without jupyter_ac,
                rather than with limits that nobody set.
        """
        admin = load_admin(self._server.config)
        write_call_lines(os.environ)
        # Its type is that of the manager for threads.
        kernels = ServerKernels(cast("RunningKernels", self._server.kernel_manager))
        self._resources = resources = HostResources(
            kernels, Path(self._server.root_dir), call_guards(os.environ, admin)
        )
        self._metrics = resources.guards.metrics or CallMetrics()
        self.planner = build_planner(os.environ, admin)
        registry = build_registry(resources, self.planner, admin)
        self._territory = AllowedFolders(
            Path(self._server.root_dir),
            tuple(Path(root).expanduser() for root in admin.allowed_roots),
        )
        megabytes = admin.max_message_mb or DEFAULT_MESSAGE_MB
        limits = connection_limits(MAX_EACH)
        self._connections = Connections(registry, megabytes << 20, self._report_activity, limits)

    def initialize_handlers(self) -> None:
        """Register the routes; the server adds its base URL."""
        at_territory = {"territory": self._territory}
        served = {"connections": self._connections}
        self.handlers.extend(
            [
                (r"jupyter-ac/rpc", JupyterSocketHandler, at_territory | served),
                (PANEL_DOOR, JupyterPanelHandler, at_territory | served),
                (f"jupyter-ac/{EVENTS_PATH}", JupyterEventsHandler, at_territory | served),
                (r"jupyter-ac/health", ServerHealthHandler),
                (r"jupyter-ac/metrics", ServerMetricsHandler, {"metrics": self._metrics}),
                (r"jupyter-ac/inline-completion", InlineStateHandler, {"planner": self.planner}),
                (r"jupyter-ac/model", ModelHandler, {"planner": self.planner}),
                (r"jupyter-ac/repository", RepositoryHandler, at_territory),
                (STATIC_ROUTE, StaticHandler, {"path": str(STATIC_DIR)}),
            ]
        )

    def current_activity(self) -> list[str] | None:
        """Tell the server that it is not idle, as long as a turn runs."""
        connections = self._connections
        return ["a chat turn"] if connections is not None and connections.is_busy else None

    async def _start_jupyter_server_extension(self, _serverapp: ServerApp) -> None:
        """All extensions are loaded, and the server's loop begins."""
        spare_what_is_there()

    async def stop_extension(self) -> None:
        """Close all workspaces and end all workers."""
        if self._connections is not None:
            await self._connections.aclose()
        if self._resources is not None:
            await self._resources.aclose()

    @property
    def _server(self) -> ServerApp:
        if self.serverapp is None:
            raise RuntimeError("the extension is not linked to a server")
        return self.serverapp

    def _report_activity(self) -> None:
        self._server.web_app.settings[ACTIVITY_SETTING] = datetime.now(UTC)
