import json
from pathlib import Path

import pytest

from jupyter_ac.chat.images import image_of, with_images
from jupyter_ac.errors import ProviderBadRequest
from jupyter_ac.models.client import CompletionRequest, ModelsClient
from tests.support.model_process import BackgroundLoop, RunningModelServer
from tests.support.pictures import GIF, png, uri

ASKED = [{"role": "user", "content": [{"type": "text", "text": "What is it?"}]}]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = []
    for data in (png(), GIF):
        file = tmp_path / image_of(data, "").name
        file.write_bytes(data)
        made.append(file)
    return made


def test_images_reach_an_openai_server_behind_the_text(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    files: list[Path],
) -> None:
    request = CompletionRequest(
        "openai/scripted", with_images(ASKED, files), api_base=model_server.openai
    )
    background.run(models.complete(request, lambda _text: None))
    (body,) = model_server.bodies()
    assert body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is it?"},
                {"type": "image_url", "image_url": {"url": uri(png(), "image/png")}},
                {"type": "image_url", "image_url": {"url": uri(GIF, "image/gif")}},
            ],
        }
    ]


def test_images_reach_anthropic_as_sources_and_the_mark_stays_on_the_text(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    files: list[Path],
) -> None:
    asked = [{"role": "user", "content": [{"type": "text", "text": "word " * 2000}]}]
    request = CompletionRequest(
        "anthropic/claude-sonnet-4-5", with_images(asked, files), api_base=model_server.anthropic
    )
    background.run(models.complete(request, lambda _text: None))
    (body,) = model_server.bodies()
    content = json.loads(json.dumps(body["messages"]))[0]["content"]
    assert [part["type"] for part in content] == ["text", "image", "image"]
    assert ["cache_control" in part for part in content] == [True, False, False]
    assert [part["source"]["media_type"] for part in content[1:]] == ["image/png", "image/gif"]
    assert content[1]["source"]["data"] == uri(png()).partition(",")[2]


def test_an_image_that_has_gone_meanwhile_is_a_sentence(
    background: BackgroundLoop, models: ModelsClient, files: list[Path]
) -> None:
    files[0].unlink()
    request = CompletionRequest("openai/scripted", with_images(ASKED, files))
    with pytest.raises(ProviderBadRequest, match="An image of the question can't be read"):
        background.run(models.complete(request, lambda _text: None))


@pytest.mark.parametrize(
    ("model", "takes"),
    [
        ("anthropic/claude-sonnet-4-5", True),
        ("gpt-5.4", True),
        ("gpt-3.5-turbo", False),
        ("groq/openai/gpt-oss-120b", False),
        ("openai/SmolLM2-135M-Instruct", False),
        ("openai/never-heard-of", True),
    ],
)
def test_which_models_take_images_is_known_as_far_as_it_is(
    background: BackgroundLoop, models: ModelsClient, model: str, takes: bool
) -> None:
    assert background.run(models.describe(model)).takes_images is takes


def test_neither_images_nor_a_reminder_are_written_to_the_cache(
    background: BackgroundLoop,
    models: ModelsClient,
    model_server: RunningModelServer,
    files: list[Path],
) -> None:
    texts = [{"type": "text", "text": text} for text in ("word " * 2000, "a reminder")]
    asked = [{"role": "user", "content": texts}]
    request = CompletionRequest(
        "anthropic/claude-sonnet-4-5",
        with_images(asked, files),
        api_base=model_server.anthropic,
        passing_parts=1 + len(files),
    )
    background.run(models.complete(request, lambda _text: None))
    (body,) = model_server.bodies()
    content = json.loads(json.dumps(body["messages"]))[0]["content"]
    assert ["cache_control" in part for part in content] == [True, False, False, False]
