"""The exception tree; each leaf has its error code on the wire.

    AcError
    ├── ProtocolError          a frame that is not JSON-RPC 2.0
    │   ├── ParseError             -32700
    │   └── InvalidRequest         -32600
    ├── CallError              a call that failed as a call
    │   ├── MethodNotFound         -32601
    │   ├── InvalidParams          -32602
    │   ├── RemoteError            the other side answered with an error
    │   ├── AccessDenied           access_denied
    │   ├── Cancelled              cancelled
    │   ├── TimedOut               timeout
    │   ├── InvalidState           invalid_state
    │   ├── StaleEpoch             stale_epoch
    │   ├── RateLimited            -32002, rate_limited
    │   ├── SignatureRefused       -32003, signature
    │   ├── RequestCancelled       -32800, cancelled
    │   └── ConnectionClosed       the connection ended before the answer
    ├── NotReady, Busy, NotFound, AlreadyExists, RefusedPath, BinaryFile, TooLarge,
    │   GitError, Conflict, Unsupported, PanelError
    └── ProviderError          the model's provider refused or failed
        ├── ProviderAuth, ProviderRateLimit, ProviderContext,
        └── ProviderUnavailable, ProviderBadRequest

A message names the subject and then the remedy. It never contains a secret or a path outside
the repository: it is shown to the user unchanged. `jupyter_ac.rpc.dispatch` is the only place
that turns an exception into a wire error.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self


class AcError(Exception):
    """Base of all errors that the project raises on purpose.

    Args:
        message: one or two sentences for the user: the problem and the remedy.
        details: further members of the wire error's `data`, in addition to `type`.

    Attributes:
        is_fault: the call itself is wrong, so that it fails even in a method that returns errors as
            refusals; set by `as_fault`.
    """

    code: ClassVar[int] = -32000
    """JSON-RPC error code."""

    type: ClassVar[str] = "internal"
    """Stable identifier of the error type for front ends."""

    def __init__(self, message: str = "", details: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details: Mapping[str, object] = dict(details or {})
        self.is_fault = False

    def as_fault(self) -> Self:
        """Mark it as a fault of the call, and return it to be raised."""
        self.is_fault = True
        return self


class ProtocolError(AcError):
    """The peer sent something that is not JSON-RPC 2.0."""

    code = -32600
    type = "invalid_request"


class ParseError(ProtocolError):
    """The frame is not JSON."""

    code = -32700
    type = "parse_error"


class InvalidRequest(ProtocolError):
    """The frame is JSON but not a request, a response or a batch of them."""


class CallError(AcError):
    """A remote call failed as a call, not in its work."""


class MethodNotFound(CallError):
    """No method of this name is on the wire."""

    code = -32601
    type = "method_not_found"


class InvalidParams(CallError):
    """The arguments do not fit the method."""

    code = -32602
    type = "invalid_params"


class RemoteError(CallError):
    """The other side answered with an error.

    Attributes:
        remote_code: the JSON-RPC code, or 0 if the answer had none; of seed 003's methods a string.
        remote_type: the identifier in `data.type`, or "".
    """

    def __init__(self, message: str, remote_code: int | str = 0, data: object = None) -> None:
        super().__init__(message)
        self.remote_code = remote_code
        self.data = data
        found = data.get("type") if isinstance(data, dict) else None
        self.remote_type = found if isinstance(found, str) else ""


class AccessDenied(CallError):
    """The caller may not use this method."""

    type = "access_denied"


class Cancelled(CallError):
    """The work was stopped on request."""

    type = "cancelled"


class TimedOut(CallError):
    """No answer within the time limit."""

    type = "timeout"


class InvalidState(CallError):
    """The target of the call is in a state in which the method is not allowed.

    Args:
        method: the name of the method.
        current_state: of the target.
        required_states: in which it is allowed.
    """

    type = "invalid_state"

    def __init__(self, method: str, current_state: str, required_states: Sequence[str]) -> None:
        required = list(required_states)
        super().__init__(
            f"Method {method} requires state {required}, current: {current_state}",
            {"current_state": current_state, "required_states": required},
        )


class ConsentRequired(InvalidState):
    """The method acts in a page of the user's, who hasn't allowed that.

    Args:
        method: its name.
        current_state: of the target.
        actions: what must be allowed, for `Browser.grant`.
    """

    def __init__(self, method: str, current_state: str, actions: Sequence[str]) -> None:
        super().__init__(method, current_state, [current_state])
        self.message = (
            f"{method} acts in the page, which needs your consent: allow {', '.join(actions)} for "
            "this target with Browser.grant."
        )
        self.args = (self.message,)
        self.details = {**self.details, "consent": list(actions)}


class IllegalTransition(InvalidState):
    """A plan, or one of its tasks, can't go from its state to the wanted one.

    Args:
        subject: what it is about.
        trigger: the name of the transition.
        current: its state.
        sources: the states in which the transition is possible.
        allowed: the transitions that are possible now.
    """

    def __init__(
        self,
        subject: str,
        trigger: str,
        current: str,
        sources: Sequence[str],
        allowed: Sequence[str],
    ) -> None:
        super().__init__(trigger, current, sources)
        able = f"it can: {', '.join(allowed)}" if allowed else "nothing changes it any more"
        self.message = f"{subject} is {current} and can't {trigger}; {able}."
        self.args = (self.message,)
        self.details = {**self.details, "current": current, "allowed": list(allowed)}


class StaleEpoch(CallError):
    """The caller refers to an earlier connection of the target.

    Args:
        request_epoch: the epoch that the caller knows.
        current_epoch: the present one.
    """

    type = "stale_epoch"

    def __init__(self, request_epoch: int, current_epoch: int) -> None:
        super().__init__(
            f"The call is for epoch {request_epoch}, the current one is {current_epoch}; "
            "read the state and call again.",
            {"request_epoch": request_epoch, "current_epoch": current_epoch},
        )


class RateLimited(CallError):
    """The caller has used a method more often than is allowed.

    Args:
        method: the name of the method.
        retry_after_ms: when the next call is allowed.
    """

    code = -32002
    type = "rate_limited"

    def __init__(self, method: str, retry_after_ms: int) -> None:
        super().__init__(
            f"{method} was called too often; try again in {retry_after_ms / 1000:.1f} s.",
            {"retry_after_ms": retry_after_ms},
        )


class SignatureRefused(CallError):
    """The `auth` member of a message is missing, wrong, too old or used before.

    Deliberately doesn't say which.
    """

    code = -32003
    type = "signature"

    def __init__(self) -> None:
        super().__init__("Authentication failed")


class RequestCancelled(Cancelled):
    """The caller cancelled its own call by `$/cancelRequest` (a code of LSP 3.17)."""

    code = -32800


class ConnectionClosed(CallError):
    """The connection ended.

    Attributes:
        close_code: the WebSocket close code, or its nearest equivalent.
    """

    type = "closed"

    def __init__(self, message: str = "the connection is closed", close_code: int = 1006) -> None:
        super().__init__(message)
        self.close_code = close_code


class NotReady(AcError):
    """Still starting, or not configured yet."""

    type = "not_ready"


class Busy(AcError):
    """Another operation holds a required resource."""

    type = "busy"


class NotFound(AcError):
    """The named file, session, reference or model does not exist."""

    type = "not_found"


class AlreadyExists(AcError):
    """Something with this name already exists."""

    type = "exists"


class RefusedPath(AcError):
    """The path leads outside the repository, into `.git`, or is not a path."""

    type = "refused_path"


class BinaryFile(AcError):
    """A binary file was requested as text."""

    type = "binary"


class TooLarge(AcError):
    """A documented limit is exceeded."""

    type = "too_large"


class GitError(AcError):
    """git failed, is missing, or took too long."""

    type = "git"


class Conflict(AcError):
    """The object has changed since it was read, or its state forbids the operation."""

    type = "conflict"


class Unsupported(AcError):
    """Not available on this platform, in this version or for this kind of file."""

    type = "unsupported"


class PanelError(AcError):
    """The code of a panel breaks a rule: of its tree, its props or its hooks."""

    type = "panel"


class ProviderError(AcError):
    """The model's provider refused or failed.

    Attributes:
        retry_after_s: seconds that the provider asks to wait, or None.
    """

    type = "provider_unavailable"

    def __init__(self, message: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(message, {} if retry_after_s is None else {"retry_after": retry_after_s})
        self.retry_after_s = retry_after_s


class ProviderAuth(ProviderError):
    """The key is missing, wrong, or may not use this model."""

    type = "provider_auth"


class ProviderRateLimit(ProviderError):
    """Too many requests or tokens; wait and try again."""

    type = "provider_rate_limit"


class ProviderContext(ProviderError):
    """The request is longer than the model's context window."""

    type = "provider_context"


class ProviderUnavailable(ProviderError):
    """The provider cannot be reached, is overloaded, or closed the connection."""

    type = "provider_unavailable"


class ProviderBadRequest(ProviderError):
    """The provider does not accept the request or does not know the model."""

    type = "provider_bad_request"


class UnreadableAnswer(ProviderBadRequest):
    """The model's answer isn't in the form that was asked for, also after a second request."""


class NotConnected(AcError):
    """There is no connection to a browser or to the page that was meant."""

    type = "not_connected"


class BrowserError(AcError):
    """The browser refused a command of the DevTools Protocol.

    Args:
        method: the command.
        code: the browser's number.
        reason: the browser's sentence.
    """

    type = "browser"

    def __init__(self, method: str, code: int, reason: str) -> None:
        super().__init__(f"{method}: {reason}", {"cdp_code": code})
