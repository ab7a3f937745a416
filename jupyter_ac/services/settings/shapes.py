"""Response types of `Settings`."""

from typing import Literal, NotRequired, TypedDict

from jupyter_ac.rpc.methods import Refusal

Where = Literal["environment", "keyring", "llm.json", ""]


class ConfigInfo(TypedDict):
    """What a front end may know of the configuration.

    Attributes:
        model: "" when none is chosen.
        smaller_model: the model for side tasks; "" when none is chosen.
        source: where the choice of the model comes from, in words.
        api_base: the provider's address without secrets, when it isn't the usual one.
        config_dir: the folder of the user's settings, absolute.
        repo_root: the repository's top folder, absolute.
        types: of settings that can be read and saved.
        unwritten: types that no file says anything of, so that the defaults hold.
        locked: what the administrator keeps, as `type` or `type.key`.
        keyring: keys go to the system's keyring.
        notices: what of the files on disk is not in force, and why, in sentences.
    """

    model: str
    smaller_model: str
    source: str
    api_base: str | None
    config_dir: str
    repo_root: str
    types: list[str]
    unwritten: list[str]
    locked: list[str]
    keyring: bool
    notices: list[str]


class SettingsRefusal(Refusal):
    """Nothing was done.

    Attributes:
        line: of the text, from 1, when the error is about one.
    """

    line: NotRequired[int]


class SettingsToConfirm(TypedDict):
    """Nothing was done yet: call again with `confirm` once the user agrees.

    Attributes:
        changes: what would happen, in sentences.
    """

    status: Literal["confirm"]
    changes: list[str]


class SettingsSaved(TypedDict):
    """A file was saved and is in force.

    Attributes:
        notices: what the user should know, in sentences.
    """

    status: Literal["ok"]
    type: str
    notices: list[str]


class SettingsReloaded(TypedDict):
    """The files were read anew.

    Attributes:
        model: which one answers now; "" when there is none.
        source: where the choice comes from, in words.
        smaller_model: the model for side tasks; "" when none is chosen.
        notices: what the user should know, in sentences.
    """

    status: Literal["ok"]
    model: str
    source: str
    smaller_model: str
    notices: list[str]


class ModelInUse(TypedDict):
    """Which model answers.

    Attributes:
        model: "" when there is none.
        source: where the choice comes from, in words.
        demo: it is the embedded demo model.
    """

    model: str
    source: str
    demo: bool


class ModelRow(TypedDict):
    """A model that can be chosen; costs in USD for one token.

    Attributes:
        name: as `choose_model` takes it.
        provider: litellm's word for who serves it.
        has_key: it can be used at once.
        input_cost: null when it isn't known.
        output_cost: null when it isn't known.
    """

    name: str
    provider: str
    has_key: bool
    max_input_tokens: int
    input_cost: float | None
    output_cost: float | None


class ProviderRow(TypedDict):
    """Who serves models.

    Attributes:
        name: litellm's word.
        key_variable: as `set_key` takes it; "" when there is no single one.
        has_key: there is a key.
        where: the strongest place that has one; "" when none has.
    """

    name: str
    key_variable: str
    has_key: bool
    where: Where


class ModelList(TypedDict):
    """Models that can be chosen, those of providers with a key first."""

    current: ModelInUse
    models: list[ModelRow]
    providers: list[ProviderRow]


class ModelChosen(TypedDict):
    """The choice was kept.

    Attributes:
        model: which one answers now, which is another one where something is stronger.
        source: where the choice comes from, in words.
        message: what the user should know; "" when there is nothing.
    """

    status: Literal["ok"]
    model: str
    source: str
    message: str


class KeyKept(TypedDict):
    """A key was kept or removed.

    Attributes:
        where: it is, or was.
        message: what the user should know; "" when there is nothing.
    """

    status: Literal["ok"]
    where: Literal["keyring", "llm.json"]
    message: str


class EndpointKindRow(TypedDict):
    """A kind of model server that people run themselves.

    Attributes:
        kind: as `find_models` takes it.
        title: its name for people.
        provider: litellm's word; goes before the names of its models.
        api_base: where it usually is; "" if that differs.
        key_variable: as `set_key` takes it; "" when it takes no key.
    """

    kind: str
    title: str
    provider: str
    api_base: str
    key_variable: str


class FoundModels(TypedDict):
    """The models of a server.

    Attributes:
        api_base: the address to keep; `/v1` may be added to the one that was asked.
        models: names as `try_model` takes them.
    """

    status: Literal["ok"]
    api_base: str
    models: list[str]


class ModelTried(TypedDict):
    """A model has answered.

    Attributes:
        milliseconds: from the request to the end of the answer.
        text: the beginning of the answer; may be "".
    """

    status: Literal["ok"]
    milliseconds: int
    text: str


class SettingsSchemas(TypedDict):
    """What can be set in a form.

    Attributes:
        schemas: a JSON schema for each type of settings that has one; titles, descriptions,
            defaults and limits are those of the host.
    """

    schemas: dict[str, dict[str, object]]


class SnippetRow(TypedDict):
    """A text that a click puts into the input.

    Attributes:
        icon: a sign or two.
        tooltip: what it is for.
    """

    icon: str
    tooltip: str
    message: str
