"""What is wrong with a request, told without HTTP: the command line shows the same faults."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Every kind of refusal a request's content can meet, gravest first: with faults of several
# kinds in one request the gravest names the whole.
KINDS = (
    "malformed-json",
    "invalid-request",
    "illegal-position",
    "unknown-level",
    "limit-exceeded",
    "illegal-move",
    "no-move-left-by-filters",
)


MOST_TOLD = 100  # faults of one request that are told; a small body can hold 100,000


@dataclass(frozen=True, slots=True)
class RequestFault:
    """One fault of a request.

    pointer: JSON pointer (RFC 6901) into the request, "" for the whole.
    code: a short stable word for programs. detail: one sentence for people.
    kind: the kind of refusal this fault asks for, out of `KINDS`.
    field: pointer inside the decoded position, when it came as one notation string.
    allowed: the values that would have been accepted. maximum: the largest accepted number.
    """

    pointer: str
    code: str
    detail: str
    kind: str = "invalid-request"
    field: str | None = None
    allowed: Sequence[str | int] | None = None
    maximum: float | None = None

    def below(self, prefix: str) -> "RequestFault":
        """The same fault seen from further up: `prefix` is put before the pointer."""
        return RequestFault(
            prefix + self.pointer,
            self.code,
            self.detail,
            self.kind,
            self.field,
            self.allowed,
            self.maximum,
        )

    def to_json(self) -> dict[str, Any]:
        """The fault as an element of a problem's `errors`; absent values are left out."""
        entry: dict[str, Any] = {"pointer": self.pointer, "code": self.code, "detail": self.detail}
        for name in ("field", "allowed", "maximum"):
            value = getattr(self, name)
            if value is not None:
                entry[name] = value
        return entry


class Refused(ValueError):
    """A request that gets no answer, with its faults sorted by pointer.

    faults: the first MOST_TOLD of them. total: how many were found. kind: the gravest of all.
    """

    def __init__(self, faults: Sequence[RequestFault]) -> None:
        found = sorted(faults, key=lambda f: (f.pointer, f.field or "", f.code, f.detail))
        self.faults = found[:MOST_TOLD]
        self.total = len(found)
        self.kind = min({f.kind for f in faults}, key=KINDS.index)
        super().__init__("; ".join(f"{f.pointer or '(request)'}: {f.detail}" for f in self.faults))

    @property
    def summary(self) -> str:
        """One sentence: the fault, or how many there are and how many of them are told."""
        if self.total == 1:
            return self.faults[0].detail
        told = len(self.faults)
        rest = "see errors" if told == self.total else f"the first {told} are in errors"
        return f"{self.total} faults; {rest}."


def refuse(pointer: str, code: str, detail: str, **more: Any) -> Refused:
    """A refusal with a single fault; `more` are further values of `RequestFault`."""
    return Refused([RequestFault(pointer, code, detail, **more)])
