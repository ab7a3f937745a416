"""The user's application settings: `app.json` in the configuration directory."""

from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.settings.executors import ExecutorSettings, check_executors
from jupyter_ac.settings.panels import PanelSettings, check_panels
from jupyter_ac.settings.schema import SettingsText, build, described

_COUNT: Final = {"least": 0, "most": 1_000_000_000}
_MAP: Final = {"least": 0, "most": 200_000}


@dataclass(frozen=True, slots=True)
class EditSettings:
    """Settings for applying the model's edits."""

    review: bool = field(
        default=False,
        metadata=described("Review edits first", "Edits wait until you accept them."),
    )
    retries: int = field(
        default=1,
        metadata=described(
            "Retries of failed edits",
            "How often the model is asked again for edits that could not be applied.",
            least=0,
            most=2,
        ),
    )
    apply_shifted: bool = field(
        default=False,
        metadata=described(
            "Apply shifted edits",
            "Also applies an edit that matches one place except for its indentation.",
        ),
    )
    max_file_bytes: int = field(
        default=5 * 1024 * 1024,
        metadata=described(
            "Largest edited file", "In bytes; larger files are not edited.", **_COUNT
        ),
    )


@dataclass(frozen=True, slots=True)
class FileSettings:
    """Settings for the list of files."""

    show_jupyter_files: bool = field(
        default=False,
        metadata=described(
            "Show Jupyter's own files",
            "Shows untracked files that Jupyter writes beside documents, such as checkpoints.",
        ),
    )


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """Settings for shortening long conversations; budgets in tokens."""

    enabled: bool = field(
        default=True,
        metadata=described("Summarize long conversations", "Replaces the oldest messages."),
    )
    compaction_trigger_tokens: int = field(
        default=24000,
        metadata=described(
            "Length that is summarized",
            "In tokens, without files; a longer conversation is summarized.",
            **_COUNT,
        ),
    )
    log_trigger_tokens: int = field(
        default=60_000,
        metadata=described(
            "Length with copies of files",
            "In tokens; if messages and copies of files are longer together, old copies are "
            "removed. 0 for never. It also limits the length that is summarized.",
            **_COUNT,
        ),
    )
    verbatim_window_tokens: int = field(
        default=4000,
        metadata=described(
            "Newest part that is kept",
            "In tokens; the newest messages up to this length are not summarized.",
            **_COUNT,
        ),
    )
    summary_budget_tokens: int = field(
        default=500,
        metadata=described("Longest summary", "In tokens.", **_COUNT),
    )
    min_verbatim_exchanges: int = field(
        default=2,
        metadata=described(
            "Exchanges that are kept",
            "At least this many of the newest questions and answers are not summarized.",
            **_COUNT,
        ),
    )


@dataclass(frozen=True, slots=True)
class UrlSettings:
    """Settings for the web pages whose addresses are in questions."""

    fetch: str = field(
        default="ask",
        metadata=described(
            "Fetch web pages",
            "`ask` fetches a page when you ask for it, `auto` also the pages of a question when "
            "it is sent, `never` none.",
            words=("ask", "auto", "never"),
        ),
    )


@dataclass(frozen=True, slots=True)
class UrlCacheSettings:
    """Settings for the cache of fetched pages."""

    path: str = field(
        default="",
        metadata=described("Folder", "Where fetched pages are kept; empty: Jupyter's cache."),
    )
    ttl_hours: float = field(
        default=24.0,
        metadata=described(
            "Lifetime", "In hours; 0 fetches a page again for each question.", **_COUNT
        ),
    )


@dataclass(frozen=True, slots=True)
class DocIndexSettings:
    """Settings for extracting keywords from documents."""

    keyword_model: str = ""
    keywords_enabled: bool = True
    keywords_top_n: int = field(default=3, metadata=_COUNT)
    keywords_ngram_range: tuple[int, ...] = (1, 2)
    keywords_min_section_chars: int = field(default=50, metadata=_COUNT)
    keywords_min_score: float = 0.3
    keywords_diversity: float = 0.5
    keywords_tfidf_fallback_chars: int = field(default=150, metadata=_COUNT)
    keywords_max_doc_freq: float = 0.6


@dataclass(frozen=True, slots=True)
class PromptSettings:
    """Settings for prompts."""

    profile: str = field(
        default="auto",
        metadata=described(
            "Prompt profile",
            "`auto` selects it by the model; `embedded` suits models with a small context window.",
            words=("auto", "standard", "embedded"),
        ),
    )
    warn_usd: float = field(
        default=0.5,
        metadata=described(
            "Warn about expensive questions",
            "In US dollars; announces a question whose prompt probably costs more. 0 for never.",
            **_COUNT,
        ),
    )
    map_tokens: int = field(
        default=5000,
        metadata=described(
            "Map of the repository",
            "In tokens; the map at the start of a conversation. 0 sends none.",
            **_MAP,
        ),
    )
    ranked_tokens: int = field(
        default=1024,
        metadata=described(
            "Context for each question",
            "In tokens; the part of the map that a question is likely to need. 0 sends none.",
            **_MAP,
        ),
    )


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """Settings for the kernels of notebooks."""

    run_cells: bool = field(
        default=False,
        metadata=described(
            "Offer to run cells",
            "Lets the program ask to run cells; each one still needs your approval.",
        ),
    )


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Settings for agents, which call tools; each limit is for one run."""

    max_steps: int = field(
        default=25,
        metadata=described("Steps", "Requests to the model in one run.", least=1, most=1000),
    )
    max_tokens: int = field(
        default=400_000,
        metadata=described(
            "Tokens", "Sent and received in one run.", least=1000, most=1_000_000_000
        ),
    )
    max_usd: float = field(
        default=1.0,
        metadata=described(
            "Cost",
            "In US dollars for one run; counts only where the model's price is known.",
            least=0.01,
            most=10_000,
        ),
    )
    max_minutes: int = field(
        default=15,
        metadata=described("Minutes", "Of one run, without waits for you.", least=1, most=1440),
    )
    read_instructions: bool = field(
        default=True,
        metadata=described(
            "Read the repository's instructions",
            "Sends `AGENTS.md` or `CLAUDE.md` of the repository.",
        ),
    )


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """Settings for plans, whose tasks work in copies of the repository."""

    worktree_links: tuple[str, ...] = field(
        default=(),
        metadata=described(
            "Links in copies",
            "Files and folders that git ignores, such as `.venv`, to which each copy of the "
            "repository gets links.",
            most=100,
        ),
    )
    worktree_setup: str = field(
        default="",
        metadata=described(
            "Setup command",
            "Runs in each copy before the task, once you have allowed it for the plan.",
            most=2000,
        ),
    )


@dataclass(frozen=True, slots=True)
class ExampleSettings:
    """Settings for the recorded example of the tour."""

    offered: bool = field(
        default=True,
        metadata=described(
            "Offered", "The recorded example is offered in the sample repository of the tour."
        ),
    )


@dataclass(frozen=True, slots=True)
class InlineCompletionSettings:
    """Settings for the completion of code at the cursor."""

    enabled: bool = field(
        default=False,
        metadata=described(
            "Complete code at the cursor",
            "In JupyterLab, what you type in cells and files is sent to the model, which suggests "
            "what comes next.",
        ),
    )
    model: str = field(
        default="",
        metadata=described(
            "Model",
            "Empty: the smaller model, else the model itself. Names that begin with "
            "`text-completion-` are of models that fill gaps.",
            most=200,
        ),
    )
    max_tokens: int = field(
        default=128,
        metadata=described("Longest completion", "In tokens.", least=8, most=1024),
    )
    delay_ms: int = field(
        default=350,
        metadata=described(
            "Delay", "Milliseconds without a key before the model is asked.", least=100, most=10_000
        ),
    )
    per_minute: int = field(
        default=30,
        metadata=described("Requests a minute", "At most so many.", least=1, most=600),
    )


@dataclass(frozen=True, slots=True)
class AppSettings:
    """The settings in `app.json`, with defaults."""

    edits: EditSettings = field(default_factory=EditSettings, metadata=described("Edits"))
    files: FileSettings = field(default_factory=FileSettings, metadata=described("Files"))
    history_compaction: CompactionSettings = field(
        default_factory=CompactionSettings, metadata=described("Long conversations")
    )
    urls: UrlSettings = field(default_factory=UrlSettings, metadata=described("Web pages"))
    url_cache: UrlCacheSettings = field(
        default_factory=UrlCacheSettings, metadata=described("Cache of web pages")
    )
    doc_index: DocIndexSettings = field(
        default_factory=DocIndexSettings, metadata={"is_shown": False}
    )
    prompt: PromptSettings = field(default_factory=PromptSettings, metadata=described("Prompts"))
    kernel: KernelSettings = field(default_factory=KernelSettings, metadata=described("Cells"))
    agent: AgentSettings = field(default_factory=AgentSettings, metadata=described("Agents"))
    plans: PlanSettings = field(default_factory=PlanSettings, metadata=described("Plans"))
    executors: tuple[ExecutorSettings, ...] = field(
        default=(),
        metadata=described(
            "Executors of tasks",
            "What carries out tasks of plans, beside this program's own agent.",
            most=20,
        ),
    )
    panels: PanelSettings = field(default_factory=PanelSettings, metadata=described("Panels"))
    inline_completion: InlineCompletionSettings = field(
        default_factory=InlineCompletionSettings, metadata=described("Completion of code")
    )
    example: ExampleSettings = field(
        default_factory=ExampleSettings, metadata=described("Recorded example")
    )


def read_app(source: SettingsText) -> AppSettings:
    """Read `app.json`; an empty one gives the defaults.

    Raises:
        BrokenSettings: it is invalid; the message names the line and the key.
    """
    settings = build(AppSettings, source)
    check_executors(settings.executors, source)
    check_panels(settings.panels, source)
    return settings
