"""What public implementations of the dice game got wrong: one test each."""

from typing import Any

import pytest

from shelfie.engine import GAMES, IllegalMove
from shelfie.engine.position import Position

DICE = GAMES["dice"]
OPEN = "...../...../...../...../....."
STUCK = "o.oo./oo.o./oo.o./oo.o./..o.o"  # GGBBTT can mark nothing here


def at(boards: str, rest: str) -> Position:
    return DICE.read(f"{boards} {rest}")


def marks(position: Position) -> list[str]:
    return [move[5:] for move in position.legal_moves() if move.startswith("mark:")]


def refused(position: Position, move: str) -> bool:
    """True when the move is neither listed nor accepted."""
    with pytest.raises(IllegalMove):
        position.apply(move)
    return move not in position.legal_moves()


def rows(position: Position, seat: int) -> list[Any]:
    return position.to_json()["boards"][seat]


def test_six_dice_and_five_icons() -> None:
    """An old help text speaks of five dice and four icons."""
    with pytest.raises(ValueError, match="six"):
        at(f"{OPEN}|{OPEN}", "0 0 PGBTC 2")
    assert marks(at(f"{OPEN}|{OPEN}", "0 0 CCCCCC 0"))


def test_shelves_and_columns_block() -> None:
    """A completed shelf and a completed column both close the opponents' items."""
    position = at(f".oooo/.o.../...../.o.../.o...|{OPEN}", "0 1 PBBCCC 0")
    after, _ = position.apply("mark:P1,B2")
    assert rows(after, 1) == ["xxxxx", ".x...", ".x...", ".x...", ".x..."]


def test_a_line_with_an_eliminated_item_is_never_completed() -> None:
    """Four circles and an x leave the opponents' items open."""
    boards = "xooo./x..../x..../x..../x....|o..../o..../o..../o..../o...."
    after, _ = at(boards, "0 0 PPPPPG 0").apply("mark:P5")
    assert rows(after, 0)[0] == "xoooo"
    assert rows(after, 1)[0] == "o...."


def test_every_opponent_is_blocked_and_only_opponents() -> None:
    """With four players three sheets lose their open items, circles stay."""
    boards = "|".join(
        [OPEN, "oooo./...../...../...../.....", "o.o../...../...../...../.....", OPEN]
    )
    after, _ = at(boards, "1 0 PPPPPG 0").apply("mark:P5")
    assert [rows(after, p)[0] for p in range(4)] == ["xxxxx", "ooooo", "oxoxx", "xxxxx"]


@pytest.mark.parametrize(
    ("dice", "move"),
    [
        ("GGJJJJ", "mark:P1"),  # a joker alone
        ("GGJJJJ", "mark:P2"),  # two jokers alone
        ("PGJJJJ", "mark:P3"),  # one icon and two jokers
        ("PPPPGG", "mark:P5"),  # too few
        ("PPGGGG", "mark:P2,P1"),  # the same die twice
        ("PPGGJT", "mark:P3,G3"),  # one joker in two combinations
        ("JJJJJJ", "mark:P1,P2"),  # six jokers mark one item
    ],
)
def test_dice_that_do_not_suffice(dice: str, move: str) -> None:
    """Jokers replace one icon of a combination each; a die serves once."""
    assert refused(at(f"{OPEN}|{OPEN}", f"0 0 {dice} 0"), move)


def test_a_combination_takes_exactly_its_dice() -> None:
    """Spare dice of the icon stay unused; they never force a larger item."""
    position = at(f"{OPEN}|{OPEN}", "0 0 PPPPGB 0")
    assert "P1" in marks(position)
    assert "P1,P3" in marks(position)
    assert rows(position.apply("mark:P2")[0], 0)[0] == ".o..."


def test_six_jokers_mark_any_one_open_item() -> None:
    """Twenty-five choices on an open sheet, and no cross."""
    moves = at(f"{OPEN}|{OPEN}", "0 0 JJJJJJ 0").legal_moves()
    assert len(moves) == 25
    assert all(move.startswith("mark:") for move in moves)


def test_no_order_from_left_to_right() -> None:
    """The fifth column may be marked before the first."""
    assert "P5" in marks(at(f"{OPEN}|{OPEN}", "0 0 PPPPPJ 2"))


def test_no_pass_while_an_item_is_open() -> None:
    """Neither when an item can be marked, nor when a shelf must be crossed out."""
    assert refused(at(f"{OPEN}|{OPEN}", "0 0 PPGGBB 0"), "pass")
    assert refused(at(f"{STUCK}|{OPEN}", "0 0 GGBBTT 0"), "pass")


def test_crossing_out_takes_a_shelf_never_a_column() -> None:
    """All open items of the shelf go, circles stay, and only on the mover's sheet."""
    position = at(f"{STUCK}|{OPEN}", "0 0 GGBBTT 0")
    assert position.legal_moves() == ["cross:B", "cross:C", "cross:G", "cross:P", "cross:T"]
    after, _ = position.apply("cross:P")
    assert rows(after, 0)[0] == "oxoox"
    assert rows(after, 1) == ["....."] * 5
    assert refused(position, "cross:1")


def test_no_cross_of_a_shelf_without_open_items() -> None:
    """Only shelves with open items can be given up."""
    position = at(f"xxxoo/oo.../oo.../oo.../o....|{OPEN}", "0 1 GGBBTT 0")
    assert refused(position, "cross:P")


def test_closed_shelves_of_a_victim_end_the_game() -> None:
    """Blocking closes the victim's second shelf; the round is finished, then it is over."""
    position = at(".oooo/...../...../...../.....|....o/xxxxx/...../...../.....", "0 0 PPGGBB 0")
    after, _ = position.apply("mark:P1")
    assert (after.node, after.to_move, rows(after, 1)[0]) == ("chance", 1, "xxxxo")
    rolled, _ = after.apply("roll", "BBTTCC")
    last, _ = rolled.apply("mark:B2")
    assert last.node == "terminal"


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_round_is_finished(first: int) -> None:
    """After the trigger everybody up to the seat before the first player still moves."""
    closing = "xxxxx/oooo./oo.../oo.../oo..."
    position = at(f"{closing}|{OPEN}|{OPEN}", f"0 {first} GGGGGT 0")
    after, _ = position.apply("mark:G5")
    turns = 0
    while after.node != "terminal":
        after, _ = after.apply("roll", "PGBTCC")
        after, _ = after.apply("mark:P1")
        turns += 1
    assert turns == (first - 1) % 3


def test_a_player_without_open_items_passes() -> None:
    """Before any roll, and play goes on behind it."""
    closed = "oxxxx/xoxxx/xxoxx/xxxox/xxxxo"
    position = at(f"{OPEN}|{closed}", "1 0 - 2")
    assert (position.node, position.legal_moves()) == ("decision", ["pass"])
    assert position.apply("pass")[0].node == "terminal"


def test_ties_are_shared() -> None:
    """Equal totals share the win; nobody is first by seat."""
    board = "oooxx/xxxxx/...../...../....."
    assert at(f"{board}|{board}", "0 0 - 2").winners() == [0.5, 0.5]
    assert at(f"{board}|{board}|{OPEN}", "1 1 - 2").winners() == [0.5, 0.5, 0.0]


def test_two_items_score_nothing() -> None:
    """A line counts from three circles on, and an item counts in both its lines."""
    boards = "oo.o./...../...../...../.....|oo.../oo.../o..../...../....."
    first, second = at(boards, "0 0 - 2").scores()
    assert (first["shelves"], first["total"]) == ([8, 0, 0, 0, 0], 8)
    assert (second["columns"], second["total"]) == ([3, 0, 0, 0, 0], 3)
