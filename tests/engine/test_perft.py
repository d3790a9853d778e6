"""perft counts what the rules allow: against the vectors and against a count in Python."""

import pytest
import vectors
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.engine import GAMES, Position
from shelfie.engine.perft import perft

TILE = [case for case in vectors.load("perft") if case["game"] == "tile"]


@pytest.mark.parametrize("case", TILE, ids=range(len(TILE)))
def test_the_vectors(case: dict[str, int | str]) -> None:
    position = GAMES["tile"].read(case["notation"])
    assert perft(position, 1) == case["perft1"]
    assert perft(position, 2) == case["perft2"]


def counted(position: Position, depth: int) -> int:
    """The definition, move by move through the text interface."""
    if depth == 0 or position.node != "decision":
        return 1
    children = (position.apply(move)[0] for move in position.legal_moves())
    return sum(counted(child, depth - 1) for child in children)


def test_against_the_definition() -> None:
    """A late position, where some moves lead to a refill and some end the game."""
    late = GAMES["tile"].read(
        "9/9/3CB4/3C5/9/9/9/9/9 1GGFT/BGFTP/GFTPC/FTPCB/TPCBG/PCBGF|5/5/5/5/5/CG3 0 0 "
        "staircase,x_shape 7,3 -"
    )
    for depth in (0, 1, 2, 3, 4):
        assert perft(late, depth) == counted(late, depth)


@pytest.mark.parametrize("game", ["tile", "dice"])
def test_leaves(game: str) -> None:
    for positions in (CHANCES, OVER):
        position = GAMES[game].read(positions[game])
        assert [perft(position, depth) for depth in (0, 1, 2)] == [1, 1, 1]
    decision = GAMES[game].read(DECISIONS[game])
    assert perft(decision, 0) == 1
    assert perft(decision, 1) == len(decision.legal_moves())
    with pytest.raises(ValueError, match="negative"):
        perft(decision, -1)


def test_in_the_dice_game_a_turn_ends_in_chance() -> None:
    """Keeping leads to a roll and marking to the next player's, so depth 2 is depth 1."""
    decision = GAMES["dice"].read(DECISIONS["dice"])
    assert perft(decision, 2) == perft(decision, 1)
