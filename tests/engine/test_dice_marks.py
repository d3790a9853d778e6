"""The condition for mark sets, against handing out the dice one by one."""

from itertools import combinations, product
from random import Random

import pytest
from reference import dice as twin

from shelfie.engine import GAMES
from shelfie.engine.dice.tables import dice_index, dice_text, roll_probability

DICE = GAMES["dice"]


def serves(dice: tuple[str, ...], icon: str, need: int) -> bool:
    """True when these dice are a combination for an item that needs `need` dice."""
    real = dice.count(icon)
    return (
        len(dice) == need and dice.count("J") <= 1 and real >= 1 and real + dice.count("J") == need
    )


def possible(dice: str, items: list[tuple[int, int]], columns: list[int]) -> bool:
    """Try every way to give each die to one of the items or to none."""
    if dice == "JJJJJJ":
        return len(items) == 1
    for owners in product(range(len(items) + 1), repeat=6):
        groups = [
            tuple(d for d, o in zip(dice, owners, strict=True) if o == i) for i in range(len(items))
        ]
        if all(
            serves(group, "PGBTC"[r], columns[c])
            for group, (r, c) in zip(groups, items, strict=True)
        ):
            return True
    return False


@pytest.mark.parametrize("seed", range(8))
def test_mark_sets_by_handing_out_dice(seed: int) -> None:
    """Engine and twin list exactly the sets for which some assignment of the dice exists."""
    random = Random(seed)
    columns = [random.randint(1, 4) for _ in range(5)] if seed else [1, 2, 3, 4, 5]
    dice = twin.in_order(random.choices("PGJ" if seed % 2 else "PGBTCJJ", k=6))
    sheet = {"columns": columns, "values": [[1] * 5] * 5}
    start = {
        "players": 2,
        "to_move": 0,
        "first_player": 0,
        "boards": [["....."] * 5] * 2,
        "dice": dice,
        "rerolls_left": 0,
        "sheet": sheet,
    }
    listed = {move for move in DICE.read(start).legal_moves() if move.startswith("mark:")}
    every = [(r, c) for r in range(5) for c in range(5)]
    sets = [list(items) for size in (1, 2, 3) for items in combinations(every, size)]
    for items in random.sample(sets, 60) + sets[:25]:
        text = "mark:" + ",".join(f"{'PGBTC'[r]}{c + 1}" for r, c in items)
        assert (text in listed) == possible(dice, items, columns), (dice, columns, text)


@pytest.mark.parametrize("columns", [[1] * 5, [6] * 5, [2, 1, 2, 1, 3], [3, 3, 2, 2, 2]])
def test_all_rolls_like_the_twin(columns: list[int]) -> None:
    """The final moves of every one of the 462 rolls, on an open and on a half-closed sheet."""
    sheet = {"columns": columns, "values": [[1] * 5] * 5}
    for board in (["....."] * 5, ["xxxxx", "..o.o", "o...o", ".....", "oo.oo"]):
        start = {
            "players": 2,
            "to_move": 1,
            "first_player": 0,
            "boards": [["....."] * 5, board],
            "dice": None,
            "rerolls_left": 2,
            "sheet": sheet,
        }
        for roll in twin.all_rolls()[:: 1 if board[0] == "xxxxx" else 7]:
            position = {**start, "dice": roll, "rerolls_left": 0}
            assert DICE.read(position).legal_moves() == twin.legal_moves(position)


def test_lattice() -> None:
    """924 multisets, each text back to its index; sizes rise with the index."""
    texts = [dice_text(i) for i in range(924)]
    assert len(set(texts)) == 924
    assert [len(text) for text in texts] == sorted(len(text) for text in texts)
    assert all(dice_index(text[::-1]) == i for i, text in enumerate(texts))
    for bad in ("PPPPPPP", "p", "F", "PÖ", " "):
        with pytest.raises(ValueError, match="dice"):
            dice_index(bad)


@pytest.mark.parametrize("kept", ["", "J", "PP", "PGBT", "CCJJJ"])
def test_chances_are_exact(kept: str) -> None:
    """Every chance equals the count of throws, and together they are 1."""
    expected = twin.outcomes(kept)
    total = 0.0
    for full in range(462, 924):
        chance = roll_probability(dice_index(kept), full)
        assert chance == pytest.approx(float(expected.get(dice_text(full), 0)), rel=1e-14)
        total += chance
    assert total == pytest.approx(1.0, abs=1e-12)
