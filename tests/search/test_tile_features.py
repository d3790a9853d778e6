"""Distances to the common goals agree with the goals themselves."""

import random

import pytest

from shelfie.engine.tile.data import COMMON_GOALS
from shelfie.engine.tile.goals import achieved
from shelfie.search.tile.probe import distance, features


def random_shelf(rng: random.Random) -> list[str]:
    letters = rng.sample("CBGFTP", rng.choice((1, 2, 3, 6)))
    columns = []
    stairs = rng.random() < 0.1
    for c in range(5):
        height = c + 1 if stairs else rng.choice((6, 6, 5, rng.randint(0, 6)))
        columns.append("." * (6 - height) + "".join(rng.choice(letters) for _ in range(height)))
    return ["".join(column[r] for column in columns) for r in range(6)]


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_no_tile_is_missing_exactly_when_the_goal_is_achieved(goal: str) -> None:
    rng = random.Random(goal)
    seen = set()
    for _ in range(3000):
        shelf = random_shelf(rng)
        done = achieved(goal, shelf)
        # Two squares in one group count as two windows for the estimate; the goal is stricter.
        if goal != "two_squares" or done:
            assert (distance(goal, shelf) == 0) == done, shelf
        seen.add(done)
    assert seen == {True, False}


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_a_full_shelf_has_achieved_the_goal_or_never_will(goal: str) -> None:
    rng = random.Random(goal)
    for _ in range(500):
        shelf = ["".join(rng.choice("CBGFTP") for _ in range(5)) for _ in range(6)]
        assert distance(goal, shelf) in ((0,) if achieved(goal, shelf) else (0, 9))


def test_features_of_a_seat_do_not_change_with_the_mirror() -> None:
    """Without a personal goal, a shelf and its mirror image are worth the same."""
    rng = random.Random(5)
    for _ in range(300):
        shelf = random_shelf(rng)
        mirrored = [row[::-1] for row in shelf]
        assert features(shelf) == features(mirrored)
