"""Answers as text for people."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Answer = dict[str, Any]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; the first column to the right, the rest left."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join([line[0].rjust(widths[0]), *map(str.ljust, line[1:], widths[1:])]).rstrip()
        for line in lines
    )


def seats(values: Iterable[float], form: str = "{:.1f}") -> str:
    """One number per seat."""
    return " ".join(form.format(value) for value in values)


def percent(values: Iterable[float]) -> str:
    """Shares per seat in percent."""
    return seats((100 * value for value in values), "{:.1f}%")


def new(answer: Answer) -> str:
    return f"{answer['notation']}\nseed {answer['seed']}, {answer['node']} node"


def legal_moves(answer: Answer) -> str:
    head = f"{answer['moves_total']} moves, {answer['node']} node, seat {answer['to_move']}"
    return "\n".join([head, *answer["moves"]])


def apply(answer: Answer) -> str:
    lines = [f"{done['move']}: {shown_outcome(done['outcome'])}" for done in answer["outcomes"]]
    if answer["seed"] is not None:
        lines.append(f"drawn with seed {answer['seed']}")
    lines.append(f"{answer['node']} node, seat {answer['to_move']}")
    return "\n".join([answer["notation"], *lines])


def shown_outcome(outcome: str | list[str]) -> str:
    """Six dice, or the board rows joined by slashes, as `--outcome` takes them."""
    return outcome if isinstance(outcome, str) else "/".join(outcome)


def score(answer: Answer) -> str:
    names = list(answer["scores"][0])
    rows = [
        [str(seat), *(shown_points(points[name]) for name in names)]
        for seat, points in enumerate(answer["scores"])
    ]
    lines = [table(["seat", *names], rows)]
    if answer["over"]:
        lines.append(f"over; win shares {percent(answer['winners'])}")
    return "\n".join(lines)


def shown_points(points: int | list[int]) -> str:
    return str(points) if isinstance(points, int) else " ".join(map(str, points))


def analysis(answer: Answer) -> str:
    root, search = answer["root"], answer["search"]
    lines = [
        f"{answer['status']}: seat {answer['to_move']} to move, {answer['moves_total']} moves",
        f"win {percent(root['win_probability'])}, score {seats(root['expected_score'])}",
    ]
    if answer["moves"]:
        head = ["#", "move", "win", "score", "error", "loss", "then"]
        lines.append(table(head, map(analysis_row, answer["moves"])))
    if "chosen" in answer:
        lines.append(f"plays {answer['chosen']['move']}")
    lines.append(
        f"{search['method']}: {search['playouts']} playouts, {search['time_ms']} ms, stopped by "
        f"{search['stopped_by']}, seed {search['seed']}"
    )
    lines += [f"warning: {warning['detail']}" for warning in answer["warnings"]]
    return "\n".join(lines)


def analysis_row(move: Answer) -> list[str]:
    return [
        str(move["rank"]),
        move["move"],
        percent(move["win_probability"]),
        seats(move["expected_score"]),
        f"{move['standard_error']:.4f}",
        f"{move['loss']:.4f}",
        " ".join(move["pv"][1:4]),
    ]


TEXTS: dict[str, Callable[[Answer], str]] = {
    "new": new,
    "legal-moves": legal_moves,
    "apply": apply,
    "score": score,
    "analysis": analysis,
}
