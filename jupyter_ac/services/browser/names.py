"""The methods on browsers under their names: `Browser.*`, and those of seed 003."""

from typing import Final

from jupyter_ac.rpc.methods import Handler, NamedMethods, Namespace
from jupyter_ac.services.browser.actions import InputMethods, PageMethods, ScriptMethods
from jupyter_ac.services.browser.connection import ConnectionMethods, TargetMethods
from jupyter_ac.services.browser.inspection import InspectMethods
from jupyter_ac.services.browser.interception import FetchMethods, FilterMethods
from jupyter_ac.services.browser.page_connection import PageConnection
from jupyter_ac.services.browser.recording import RecordingMethods
from jupyter_ac.services.browser.watched_targets import WatchedTargets

NAMESPACE: Final = "Browser"


def browser_methods(
    targets: WatchedTargets, page: PageConnection
) -> tuple[Namespace, NamedMethods]:
    """List the methods on a workspace's browsers.

    They are refused without a token: a page that is debugged has a loopback origin, as a front end
    has.
    """
    connection, inspect = ConnectionMethods(targets, page), InspectMethods(targets, page)
    fetch, filters, script = FetchMethods(targets), FilterMethods(targets), ScriptMethods(targets)
    recording, navigation = RecordingMethods(targets), PageMethods(targets)
    seed: dict[str, Handler] = {
        "connect": connection.connect,
        "disconnect": connection.disconnect,
        "pages": connection.pages,
        "status": connection.status,
        "errors.dismiss": connection.dismiss_errors,
        "clear": recording.clear,
        "network": recording.network,
        "request": recording.request,
        "console": recording.console,
        "browser.startInspect": inspect.start_inspect,
        "browser.stopInspect": inspect.stop_inspect,
        "browser.clear": inspect.clear_selections,
        "fetch.enable": fetch.fetch_enable,
        "fetch.disable": fetch.fetch_disable,
        "fetch.resume": fetch.fetch_resume,
        "fetch.fail": fetch.fetch_fail,
        "fetch.fulfill": fetch.fetch_fulfill,
        "filters.status": filters.filters_status,
        "filters.add": filters.filters_add,
        "filters.remove": filters.filters_remove,
        "filters.enable": filters.filters_enable,
        "filters.disable": filters.filters_disable,
        "filters.enableAll": filters.filters_enable_all,
        "filters.disableAll": filters.filters_disable_all,
        "navigate": navigation.navigate,
        "reload": navigation.reload,
        "back": navigation.back,
        "forward": navigation.forward,
        "history": navigation.history,
        "page": navigation.page,
        "js": script.js,
        "cdp": script.cdp,
    }
    parts = (
        connection,
        TargetMethods(targets),
        recording,
        inspect,
        fetch,
        filters,
        navigation,
        script,
        InputMethods(targets),
    )
    return (
        Namespace(NAMESPACE, *parts, needs_login=True),
        NamedMethods(seed, lambda name: f"{NAMESPACE}.{name}", needs_login=True),
    )
