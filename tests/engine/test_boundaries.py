"""What Python code may hand to the compiled modules without reading foreign memory."""

from typing import Any

import pytest

from shelfie.engine import GAMES, Rng
from shelfie.engine.speed import list_moves, make_moves


@pytest.mark.parametrize("loop", [list_moves, make_moves])
def test_timing_loops_want_a_decision_node(loop: Any) -> None:
    with pytest.raises(ValueError, match="no decision node"):
        loop(GAMES["dice"].new(2, Rng("a")), 3)
    with pytest.raises(TypeError):
        loop(None, 3)


def test_a_position_is_made_of_its_own_game_only() -> None:
    tile, dice = (GAMES[game].new(2, Rng("a")) for game in ("tile", "dice"))
    for position, other in ((tile, dice), (dice, tile)):
        for wrong in (other.game, None):
            with pytest.raises(TypeError):
                type(position)(wrong)  # type: ignore[arg-type]


def test_redealing_changes_nothing_but_what_the_mover_cannot_see() -> None:
    position = GAMES["tile"].new(3, Rng("deal"))
    before, seen = position.to_json(), set()
    for stream in range(50):
        dealt = position.redealt(Rng("again", stream)).to_json()
        cards = dealt["personal_goals"]
        assert cards[0] == before["personal_goals"][0]
        assert len(set(cards)) == 3
        assert dealt | {"personal_goals": None} == before | {"personal_goals": None}
        seen.add(tuple(cards))
    assert len(seen) > 20
    dice = GAMES["dice"].new(2, Rng("a"))
    assert dice.redealt(Rng("b")) == dice
