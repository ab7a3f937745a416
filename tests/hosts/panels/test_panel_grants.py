"""Which methods plugins may be granted."""

import pytest

from jupyter_ac.hosts.panels import panel_grants
from jupyter_ac.hosts.panels.panel_grants import installed_grants, no_grants
from jupyter_ac.rpc.methods import Access, Method

TABLE = {
    name: Method.of(name, lambda: None, access)
    for name, access in {
        "Repo.read": Access.READ,
        "Repo.write": Access.WRITE,
        "Tests.run": Access.EXECUTE,
        "Panels.list": Access.READ,
        "PanelsOther.read": Access.READ,
    }.items()
}


def test_plugins_of_packages_may_only_read() -> None:
    grants = installed_grants(TABLE, is_own=False)
    assert set(grants.methods) == {"Repo.read", "PanelsOther.read"}
    assert grants.why_not


def test_our_own_may_be_granted_what_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_grants, "BUILT_IN_METHODS", frozenset({"Tests.run"}))
    assert "Tests.run" in installed_grants(TABLE, is_own=True).methods
    assert "Tests.run" not in installed_grants(TABLE, is_own=False).methods


def test_all_others_are_granted_nothing() -> None:
    assert no_grants().methods == {}
