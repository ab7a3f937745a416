import pytest

from jupyter_ac.settings.addresses import (
    address_in_model,
    address_paths,
    is_address_variable,
    shown_address,
)

ADDRESSES = {
    "oobabooga/http://evil.example:5000": "http://evil.example:5000",
    "huggingface/https://evil.example/v1": "https://evil.example/v1",
    "HUGGINGFACE/HTTPS://x": "HTTPS://x",
    "huggingface/https:%2F%2Fevil": "https://evil",
    "huggingface/https%253A%252F%252Fevil": "https://evil",
    "huggingface/http\uff1a//evil": "http://evil",
    "custom/http:\\\\evil": "http://evil",
    "custom//evil.example/v1": "//evil.example/v1",
    "ollama/evil.example:11434": "evil.example:11434",
    "openai_like/localhost:8000": "localhost:8000",
    "openai_like/[::1]:8000": "[::1]:8000",
    "custom/10.0.0.1/v1": "10.0.0.1/v1",
    "bedrock/arn:aws:bedrock:us-east-1:1:inference-profile/x": (
        "arn:aws:bedrock:us-east-1:1:inference-profile/x"
    ),
}
PLAIN = [
    "anthropic/claude-sonnet-4-6",
    "ollama/llama3:8b",
    "ollama/qwen2.5:14b",
    "bedrock/us.anthropic.claude-3-5-sonnet-20241022-v2:0",
    "bedrock/us-east-1/amazon.nova-pro-v1:0:24k",
    "fireworks_ai/accounts/fireworks/models/glm-5p3",
    "openai/ft:gpt-3.5-turbo:my-org:custom:id",
    "replicate/meta/llama-2-70b-chat:02e509c789964a7ea8736978a43525956ef40397be9033abf9fd2badfe68c9e3",
    "vertex_ai/claude-3-5-sonnet@20240620",
    "gpt-5.4",
    "",
]


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_is_found_in_a_name_however_it_is_written(name: str) -> None:
    assert address_in_model(name) == ADDRESSES[name]


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_name_holds_none(name: str) -> None:
    assert address_in_model(name) == ""


def test_what_is_shown_of_an_address_holds_no_key() -> None:
    assert shown_address("http://user:pass@x.example/v1?key=1") == "http://x.example/v1"
    assert shown_address("x.example:80?key=1") == "x.example:80"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("OPENAI_API_BASE", "x", True),
        ("OPENAI_BASE_URL", "x", True),
        ("HTTPS_PROXY", "x:1", True),
        ("AWS_REGION_NAME", "eu", True),
        ("AWS_BEDROCK_RUNTIME_ENDPOINT", "x", True),
        ("OLLAMA_HOST", "x", True),
        ("ANYTHING", "https://x", True),
        ("OPENAI_API_KEY", "sk-1", False),
        ("AWS_ACCESS_KEY_ID", "AKIA", False),
        ("AWS_SECRET_ACCESS_KEY", "s", False),
        ("AWS_SESSION_TOKEN", "t", False),
        ("AWS_BEARER_TOKEN_BEDROCK", "t", False),
        ("WATSONX_APIKEY", "k", False),
        ("OPENAI_API_KEY", "https://evil.example", True),
        ("AZURE_API_VERSION", "2024-10-21", False),
        ("OPENAI_ORGANIZATION", "org-1", False),
        # litellm asks https://{account}.snowflakecomputing.com.
        ("SNOWFLAKE_ACCOUNT_ID", "evil.example/#", True),
        ("AZURE_TENANT_ID", "x", True),
        # Files in which an address or a program may stand, and where such files are looked for.
        ("AWS_CONFIG_FILE", "aws.ini", True),
        ("AWS_PROFILE", "other", True),
        ("GOOGLE_APPLICATION_CREDENTIALS", "key.json", True),
        ("VERTEXAI_CREDENTIALS", "key.json", True),
        ("AWS_WEB_IDENTITY_TOKEN_FILE", "t", True),
        ("HOME", "elsewhere", True),
        ("SSL_CERT_FILE", "ours.pem", True),
        ("SSLKEYLOGFILE", "keys", True),
        ("https_proxy", "x:1", True),
        ("OPENAI_API_KEY\n", "k", True),
        ("DATABASE_NAME", "x", True),
    ],
)
def test_variables_that_may_say_where_requests_go(name: str, value: str, *, expected: bool) -> None:
    assert is_address_variable(name, value) is expected


def test_the_places_in_llm_json() -> None:
    said: dict[str, object] = {
        "model": "oobabooga/http://x",
        "smallerModel": "huggingface/https://x",
        "smaller_model": 3,
        "env": {"OPENAI_API_BASE": "http://x", "OPENAI_API_KEY": "k"},
    }
    assert list(address_paths(said)) == [("model",), ("smallerModel",), ("env", "OPENAI_API_BASE")]
    assert list(address_paths({"env": "broken"})) == []
