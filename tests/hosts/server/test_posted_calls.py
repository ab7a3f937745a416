"""`POST {base_url}jupyter-ac/rpc` of a real Jupyter server."""

import json
from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie

import pytest
from jupyter_server.auth.authorizer import Authorizer
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError, HTTPResponse

from tests.support.repositories import RepositoryFolder

Post = Callable[..., Awaitable[HTTPResponse]]
BRANCH = {"jsonrpc": "2.0", "id": 1, "method": "Repo.get_current_branch"}


@pytest.fixture
def post(
    http_server_client: AsyncHTTPServerClient,
    jp_base_url: str,
    jp_serverapp: ServerApp,
    repository: RepositoryFolder,
) -> Post:
    """Send a body, with the server's token unless other headers are given."""

    async def send(
        content: object, query: str = "", headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        token = jp_serverapp.identity_provider.token
        shown = {"Authorization": f"token {token}"} if headers is None else headers
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        path = f"{jp_base_url}jupyter-ac/rpc?repo={repository.root.name}{query}"
        answered: HTTPResponse = await http_server_client.fetch(
            path,
            method="POST",
            body=body,
            headers={"Content-Type": "application/json", **shown},
            request_timeout=60,
            raise_error=False,
        )
        return answered

    return send


def content(answered: HTTPResponse) -> dict[str, dict[str, object]]:
    made: object = json.loads(answered.body)
    assert isinstance(made, dict)
    return made


async def test_a_call_and_a_batch_are_answered(post: Post) -> None:
    answered = await post(BRANCH)
    assert answered.code == 200
    assert answered.headers["Content-Type"] == "application/json"
    assert content(answered)["result"]["branch"] == "main"
    batch = json.loads((await post([BRANCH, {**BRANCH, "id": 2, "method": "browser.x"}, 5])).body)
    assert len(batch) == 3
    assert (await post({**BRANCH, "id": None, "method": "x"})).code == 200
    silent = {"jsonrpc": "2.0", "method": "Repo.get_current_branch"}
    answered = await post(silent)
    assert (answered.code, answered.body) == (204, b"")


async def test_who_has_no_login_is_refused(post: Post) -> None:
    for headers in ({}, {"Authorization": "token wrong"}):
        answered = await post(BRANCH, headers=headers)
        assert answered.code == 403
        assert "message" in content(answered)


async def test_a_cookie_needs_jupyters_xsrf_token(
    post: Post,
    jp_serverapp: ServerApp,
    jp_base_url: str,
    http_server_client: AsyncHTTPServerClient,
) -> None:
    token = jp_serverapp.identity_provider.token
    jar: SimpleCookie = SimpleCookie()
    for page in (f"api/status?token={token}", "login"):
        answer = await http_server_client.fetch(f"{jp_base_url}{page}")
        for header in answer.headers.get_list("Set-Cookie"):
            jar.load(header)
    cookie = "; ".join(f"{name}={morsel.coded_value}" for name, morsel in jar.items())
    assert (await post(BRANCH, headers={"Cookie": cookie})).code == 403
    shown = {"Cookie": cookie, "X-XSRFToken": jar["_xsrf"].value}
    assert content(await post(BRANCH, headers=shown))["result"]["branch"] == "main"
    foreign = {**shown, "Origin": "https://evil.example"}
    assert (await post(BRANCH, headers=foreign)).code in {403, 404}


async def test_what_http_has_a_word_for_is_a_status(post: Post, jp_serverapp: ServerApp) -> None:
    token = {"Authorization": f"token {jp_serverapp.identity_provider.token}"}
    plain = {**token, "Content-Type": "text/plain"}
    assert (await post(BRANCH, headers=plain)).code == 415
    assert (await post(b"x", headers={**token, "Content-Encoding": "gzip"})).code == 400
    cross = {**token, "Sec-Fetch-Site": "cross-site"}
    assert (await post(BRANCH, headers=cross)).code == 403
    assert (await post(BRANCH, "&profile=x")).code == 400
    assert (await post(BRANCH, "&client=a%20b")).code == 400
    answered = await post(BRANCH, "&nonce=0123456789abcdef")
    assert answered.code == 409
    assert "different files" in str(content(answered)["message"])
    answered = await post(BRANCH, "&repo=..")
    assert answered.code == 403


async def test_a_repository_that_is_none_is_404(post: Post, repository: RepositoryFolder) -> None:
    (repository.root.parent / "empty").mkdir()
    assert (await post(BRANCH, "&repo=empty")).code == 404


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_other_methods_are_told_which_there_are(
    method: str,
    http_server_client: AsyncHTTPServerClient,
    jp_base_url: str,
    jp_serverapp: ServerApp,
) -> None:
    answered = await http_server_client.fetch(
        f"{jp_base_url}jupyter-ac/rpc",
        method=method,
        headers={"Authorization": f"token {jp_serverapp.identity_provider.token}"},
        body=b"" if method == "PUT" else None,
        raise_error=False,
    )
    assert (answered.code, answered.headers["Allow"]) == (405, "GET, POST")
    assert "message" in content(answered)


class Nobody(Authorizer):
    """Lets nobody do anything with us."""

    def is_authorized(self, handler: object, user: object, action: str, resource: str) -> bool:
        del handler, user, action
        return resource != "jupyter-ac"


class ReadersOnly(Authorizer):
    """Lets everybody read and nobody write."""

    def is_authorized(self, handler: object, user: object, action: str, resource: str) -> bool:
        del handler, user
        return resource != "jupyter-ac" or action == "read"


async def test_readers_read_and_are_told_what_they_may_not(
    post: Post, jp_serverapp: ServerApp
) -> None:
    jp_serverapp.web_app.settings["authorizer"] = ReadersOnly()
    assert "result" in content(await post(BRANCH))
    chosen = {**BRANCH, "method": "LLMService.set_selected_files", "params": [["a.py"]]}
    refused = content(await post(chosen))
    assert refused["error"]["data"] == {"type": "access_denied"}


async def test_metrics_need_a_login(
    post: Post,
    http_server_client: AsyncHTTPServerClient,
    jp_base_url: str,
    jp_serverapp: ServerApp,
) -> None:
    await post(BRANCH)
    path = f"{jp_base_url}jupyter-ac/metrics"
    with pytest.raises(HTTPClientError) as refused:
        await http_server_client.fetch(path)
    assert refused.value.code == 403
    token = jp_serverapp.identity_provider.token
    answered = await http_server_client.fetch(path, headers={"Authorization": f"token {token}"})
    assert b'method="Repo.get_current_branch"' in answered.body
    assert answered.headers["Content-Type"].startswith("text/plain")


async def test_an_authorizer_that_refuses_everything_is_403(
    post: Post, jp_serverapp: ServerApp
) -> None:
    jp_serverapp.web_app.settings["authorizer"] = Nobody()
    answered = await post(BRANCH)
    assert answered.code == 403
    assert "does not let you" in str(content(answered)["message"])


async def test_no_page_of_another_origin_can_read_an_answer(
    post: Post, jp_serverapp: ServerApp
) -> None:
    token = {"Authorization": f"token {jp_serverapp.identity_provider.token}"}
    answered = await post(BRANCH, headers={**token, "Origin": "https://other.example"})
    assert "Access-Control-Allow-Origin" not in answered.headers
