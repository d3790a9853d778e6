"""The JSON Schema of every answer, for the OpenAPI document. Answers may grow new fields."""

from typing import Any

from shelfie.api import position_schemas, vocabulary
from shelfie.api.operations import OPERATIONS
from shelfie.engine import GAMES
from shelfie.search.review import FORCED, GRADES

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
NODE = vocabulary.closed(vocabulary.NODES)
STATUS = vocabulary.closed(vocabulary.STATUSES)


def per_seat(items: Schema) -> Schema:
    """An array with one element a seat."""
    return {"type": "array", "items": items, "minItems": 2, "maxItems": 4}


def many(items: Schema) -> Schema:
    """An array of any length."""
    return {"type": "array", "items": items}


def record(optional: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    """An object; fields not named in `optional` are always there."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def or_null(schema: Schema) -> Schema:
    """A value that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": f"#/components/schemas/{name}"}


ROOT = record(
    ("score_percentiles",),
    win_probability=per_seat(SHARE),
    expected_score=per_seat(NUMBER),
    score_percentiles=record(p10=per_seat(NUMBER), p50=per_seat(NUMBER), p90=per_seat(NUMBER)),
)
STOPPED_BY = vocabulary.closed(vocabulary.STOPPED_BY)
SEARCH = record(
    ("depth",),
    method=TEXT,
    playouts=COUNT,
    depth=COUNT,
    time_ms=COUNT,
    stopped_by=STOPPED_BY,
    reproducible=FLAG,
    seed=TEXT,
)
TRAILER: dict[str, Schema] = {
    "search": ref("Search"),
    "engine": record(version=TEXT, model=TEXT, fingerprint=TEXT),
    "warnings": many(record(code=TEXT, detail=TEXT)),
}
LUCK = record(win_probability=per_seat(NUMBER), expected_score=per_seat(NUMBER))
GRADE = vocabulary.closed(vocabulary.GRADE_MEANINGS)


def best_and_played(items: Schema) -> Schema:
    """A value of the best move and of the one that was played."""
    return record(best=items, played=items)


TILE_SCORE = record(tokens=COUNT, personal=COUNT, adjacency=COUNT, end=COUNT, total=COUNT)
DICE_SCORE = record(shelves=many(COUNT), columns=many(COUNT), total=COUNT)


def ranked_move(game: str) -> Schema:
    """A move in the list of an analysis."""
    kinds, reasons = vocabulary.MOVE_KINDS[game], vocabulary.REASONS[game]
    return record(
        ("pv", "reasons", "targets"),
        rank={"type": "integer", "minimum": 1},
        move=vocabulary.move(game),
        detail=record(type=vocabulary.growing(kinds)),
        win_probability=per_seat(SHARE),
        expected_score=per_seat(NUMBER),
        standard_error={"type": "number", "minimum": 0},
        loss=NUMBER,
        playouts=COUNT,
        policy=SHARE,
        pv=many(TEXT),
        reasons=many(record(type=vocabulary.growing(reasons))),
        targets=many(record(item=TEXT, probability=SHARE)),
    )


def answers(game: str) -> dict[str, Schema]:
    """Operation -> schema of its answer."""
    position = ref(position_schemas.component(game))
    outcomes = many(record(move=TEXT, outcome=position_schemas.outcome(game)))
    score = TILE_SCORE if game == "tile" else DICE_SCORE
    name: Schema = {"type": "string", "const": game}
    chosen = record(rank={"type": "integer", "minimum": 1}, move=vocabulary.move(game))
    where = {"position_hash": TEXT, "to_move": COUNT}
    both = {"position": position, "notation": TEXT, "node": NODE}
    return {
        "new": record(game=name, **both, seed=TEXT),
        "legal-moves": record(
            game=name,
            node=NODE,
            to_move=COUNT,
            moves=many(vocabulary.move(game)),
            moves_total=COUNT,
            position=position,
            notation=TEXT,
        ),
        "apply": record(game=name, **both, to_move=COUNT, outcomes=outcomes, seed=or_null(TEXT)),
        "score": record(
            game=name, scores=per_seat(score), over=FLAG, winners=or_null(per_seat(SHARE))
        ),
        "analysis": record(
            ("id", "chosen"),
            id=TEXT,
            status=STATUS,
            game=name,
            **where,
            chosen=chosen,
            moves=many(ref(f"{game.title()}RankedMove")),
            moves_total=COUNT,
            root=ref("Root"),
            **TRAILER,
        ),
        "move": record(
            ("id", "chosen"),
            id=TEXT,
            status=STATUS,
            game=name,
            chosen=chosen,
            **both,
            outcomes=outcomes,
            **TRAILER,
        ),
        "evaluation": record(
            ("id",), id=TEXT, status=STATUS, game=name, **where, root=ref("Root"), **TRAILER
        ),
        "review": record(
            ("id",), **review_end(game), moves=many(ref(f"{game.title()}ReviewedMove"))
        ),
    }


def reviewed(game: str) -> Schema:
    """The line of one move of a review; a move of chance alone has no judgement."""
    return record(
        (
            *("outcome", "rank", "moves_total", "loss", "grade", "best", "pv", "win_probability"),
            *("expected_score", "standard_error", "search", "luck"),
        ),
        index=COUNT,
        seat=COUNT,
        node=vocabulary.closed({name: vocabulary.NODES[name] for name in ("decision", "chance")}),
        position_hash=TEXT,
        move=vocabulary.move(game),
        outcome=position_schemas.outcome(game),
        rank={"type": "integer", "minimum": 1},
        moves_total=COUNT,
        loss={"type": "number", "minimum": 0},
        grade=GRADE,
        best=TEXT,
        pv=many(TEXT),
        win_probability=best_and_played(per_seat(SHARE)),
        expected_score=best_and_played(per_seat(NUMBER)),
        standard_error=best_and_played({"type": "number", "minimum": 0}),
        search=record(
            playouts=COUNT, time_ms=COUNT, stopped_by=STOPPED_BY, reproducible=FLAG, seed=TEXT
        ),
        luck=LUCK,
    )


def review_end(game: str) -> dict[str, Schema]:
    """The fields of a review's last line."""
    summary = record(
        ("luck",),
        moves=COUNT,
        judged=COUNT,
        complete=FLAG,
        mean_loss=per_seat(or_null({"type": "number", "minimum": 0})),
        accuracy=per_seat(or_null(SHARE)),
        grades=per_seat(record(**dict.fromkeys([*GRADES, FORCED], COUNT))),
        luck=LUCK,
    )
    search = record(playouts=COUNT, time_ms=COUNT, reproducible=FLAG)
    return {
        "id": TEXT,
        "game": {"type": "string", "const": game},
        "summary": summary,
        **TRAILER,
        "search": search,
    }


def lines(game: str) -> dict[str, Schema]:
    """Operation -> schema of a line of its other form."""
    failed = record(problem=ref("Problem"))
    return {
        "analysis": {
            "description": "What the search thinks so far, and (last) the answer.",
            "oneOf": [
                record(partial=ref(answer_name(game, "analysis"))),
                ref(answer_name(game, "analysis")),
                failed,
            ],
        },
        "review": {
            "description": "One move, or (last) the summary.",
            "oneOf": [
                ref(f"{game.title()}ReviewedMove"),
                record(("id",), **review_end(game)),
                failed,
            ],
        },
    }


def line_name(game: str, operation: str) -> str:
    """The name of a line's schema, such as TileReviewLine."""
    return answer_name(game, operation).removesuffix("Answer") + "Line"


def answer_name(game: str, operation: str) -> str:
    """The name of an answer among the document's schemas, such as TileLegalMovesAnswer."""
    return "".join(word.title() for word in (game, *operation.split("-"))) + "Answer"


def components() -> dict[str, Schema]:
    """Every answer schema by its name in the document."""
    found = {"Root": ROOT, "Search": SEARCH}
    for game in GAMES:
        schemas = answers(game)
        assert schemas.keys() == OPERATIONS.keys()
        found.update({answer_name(game, name): schema for name, schema in schemas.items()})
        found[f"{game.title()}RankedMove"] = ranked_move(game)
        found[f"{game.title()}ReviewedMove"] = reviewed(game)
        found.update({line_name(game, name): schema for name, schema in lines(game).items()})
    summary = record(id=TEXT, name=TEXT, players=record(min=COUNT, max=COUNT), links=OBJECT)
    found["Games"] = record(games=many(summary))
    extras = {"rules": OBJECT, "levels": many(record(level=COUNT)), "limits": OBJECT,
              "models": many(TEXT),
              "options": OBJECT, "examples": OBJECT}  # fmt: skip
    found["Capabilities"] = record(**summary["properties"], **extras)
    head = {"index": COUNT, "id": TEXT, "status": {"type": "integer"}}
    counts = record(items=COUNT, ok=COUNT, failed=COUNT, complete=FLAG)
    found["BatchLine"] = {
        "description": "One line: an item's answer, an item's problem, or (last) the summary.",
        "oneOf": [
            record(("id",), **head, body=OBJECT),
            record(("id",), **head, problem=ref("Problem")),
            record(summary=counts),
        ],
    }
    found["Version"] = record(name=TEXT, version=TEXT, build=TEXT, models=OBJECT, fingerprint=TEXT)
    found["State"] = record(status=TEXT)
    found["ProblemKind"] = record(type=TEXT, title=TEXT, status=COUNT, meaning=TEXT)
    return found
