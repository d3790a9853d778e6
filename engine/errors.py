"""What can be wrong with a position, a move or an outcome."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a position.

    pointer: JSON pointer (RFC 6901) into the position; "" is the position as a whole.
    code: a short stable word for programs, such as "unused-cell".
    detail: one sentence for people.
    """

    pointer: str
    code: str
    detail: str


class GameError(ValueError):
    """Base of everything the engine refuses."""


class InvalidPosition(GameError):
    """A position that cannot be read, or that the rules exclude; carries every fault.

    `malformed` is true when the form itself is wrong (a missing field, a bad letter) and
    false when the form is right and the rules make the position impossible.
    """

    def __init__(self, faults: list[Fault], *, malformed: bool) -> None:
        super().__init__("; ".join(f"{f.pointer or '(position)'}: {f.detail}" for f in faults))
        self.faults = faults
        self.malformed = malformed


class IllegalMove(GameError):
    """A move or an outcome that the rules do not allow here.

    field: "move" or "outcome", the one that is at fault.
    """

    def __init__(self, detail: str, *, field: str = "move") -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field


class InvalidOption(GameError):
    """An option of a new game that is unknown or out of range; carries every fault."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{f.pointer}: {f.detail}" for f in faults))
        self.faults = faults


def escape(token: object) -> str:
    """One token of a JSON pointer, escaped as RFC 6901 asks."""
    return str(token).replace("~", "~0").replace("/", "~1")
