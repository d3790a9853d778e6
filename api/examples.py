"""One request per game and operation, as shown in the document and the capabilities."""

from typing import Any

TILE = (
    "9/3GT4/3TTC3/2CCGBCC1/1BFTBPBB1/1BTBFPF2/3CBP3/4FC3/9 "
    "5/5/1G3/TG2P/FC1BP/PP1PG|5/5/5/1CGFP/1CTGP/1GGBG 1 0 four_quads,x_shape ?,1 -"
)
DICE = "o.o../oo.../.o.../o..../o....|o..../oo.o./...o./o..../o.... 0 0 PPGBTJ 2"
ROLL = "o.o../oo.../.o.../o..../o....|o..../oo.o./...o./o..../o.... 0 0 - 2"

_EXAMPLES: dict[str, dict[str, dict[str, Any]]] = {
    "tile": {
        "new": {"players": 2, "seed": "first-game", "common_goals": 1},
        "legal-moves": {"position": TILE},
        "apply": {"position": TILE, "move": "13,14>0"},
        "score": {"position": TILE},
        "analysis": {"position": TILE, "limits": {"playouts": 500}, "top": 3},
        "move": {"position": TILE, "level": 3},
        "evaluation": {"position": TILE, "limits": {"playouts": 500}},
        "review": {
            "position": TILE,
            "moves": ["47,37>0", "46,56>1", "51>0"],
            "limits": {"playouts": 200},
        },
    },
    "dice": {
        "new": {"players": 3, "seed": "first-game"},
        "legal-moves": {"position": DICE},
        "apply": {"position": DICE, "move": "keep:PPJ", "outcome": "PPPGCJ"},
        "score": {"position": DICE},
        "analysis": {"position": DICE, "limits": {"depth": 1}, "top": 3},
        "move": {"position": DICE, "level": 3},
        "evaluation": {"position": ROLL},
        "review": {
            "position": ROLL,
            "moves": [
                {"move": "roll", "outcome": "PPBBCJ"},
                {"move": "keep:PCJ", "outcome": "PPCCJJ"},
                {"move": "keep:PCJJ", "outcome": "PBTCJJ"},
                "mark:P2,B1",
            ],
        },
    },
}


def request_example(game: str, operation: str) -> dict[str, Any]:
    """A request that the service answers with 200."""
    return _EXAMPLES[game][operation]


def request_examples(game: str) -> dict[str, dict[str, Any]]:
    """The examples of all operations of a game."""
    return _EXAMPLES[game]
