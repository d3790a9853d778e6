"""Mistakes that are easy to make in the tile game, one test for each kind."""

from dataclasses import dataclass, replace

import pytest

from shelfie.engine import GAMES, IllegalMove, InvalidPosition, Position, Rng
from shelfie.engine.tile.goals import achieved

TILE = GAMES["tile"]
EMPTY = ["....."] * 6
FULL = ["CBGFT", "BGFTP", "GFTPC", "FTPCB", "TPCBG", "PCBGF"]  # no two neighbours alike


def board(**rows: str) -> list[str]:
    """A living room, empty but for the named rows: board(r4="....C....")."""
    return [rows.get(f"r{r}", "." * 9) for r in range(9)]


@dataclass(frozen=True)
class Table:
    """A position in few words; `read` makes it one."""

    shelves: tuple[list[str], ...] = (EMPTY, EMPTY)
    board: tuple[str, ...] | list[str] = tuple(board(r4="....CC..."))
    to_move: int = 0
    first_player: int = 0
    goals: tuple[tuple[str, list[int]], ...] = (("staircase", []),)
    personal: tuple[int | None, ...] = ()
    end_token: int | None = None
    refill: str = "return"

    def read(self) -> Position:
        return TILE.read(
            {
                "players": len(self.shelves),
                "to_move": self.to_move,
                "first_player": self.first_player,
                "board": list(self.board),
                "shelves": list(self.shelves),
                "common_goals": [{"goal": g, "claimed_by": c} for g, c in self.goals],
                "personal_goals": list(self.personal),
                "end_token": self.end_token,
                "rules": {"refill": self.refill},
            }
        )


def shelf(*bottom: str) -> list[str]:
    """A shelf whose last rows are these."""
    return ["....."] * (6 - len(bottom)) + list(bottom)


def seat_points(position: Position, field: str) -> list[int]:
    return [seat[field] for seat in position.scores()]


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position, _ = position.apply(move)
    return position


@pytest.mark.parametrize(("players", "tokens"), [(2, [8, 4]), (3, [8, 6, 4]), (4, [8, 6, 4, 2])])
def test_01_tokens_depend_on_the_number_of_players(players: int, tokens: list[int]) -> None:
    order = list(range(players))[::-1]
    position = Table(shelves=(EMPTY,) * players, goals=(("x_shape", order),)).read()
    assert seat_points(position, "tokens") == tokens[::-1]


def test_02_groups_grow_in_all_four_directions() -> None:
    """A U, a snake and a comb: one group each, wherever the search starts."""
    cup = shelf("C...C", "C...C", "CCCCC")
    cup_on_its_side = shelf("TT...", "PT...", "TT...")
    position = Table(shelves=(cup, cup_on_its_side)).read()
    assert seat_points(position, "adjacency") == [8, 5]
    snake = shelf("CCCCC", "BGBGC", "CCCCC", "CGBGB", "CCCCC")
    comb = shelf("P.P.P", "PFPFP", "PPPPP")
    position = Table(shelves=(snake, comb)).read()
    assert seat_points(position, "adjacency") == [8, 8]


def test_03_refill_is_due_only_when_no_two_tiles_touch() -> None:
    """Two free tiles that touch are no refill; any number of lone ones are."""
    touching = Table(board=board(r4="....CB..."))
    assert touching.read().node == "decision"
    one_below = Table(board=board(r4="....C....", r5="....B...."))
    assert one_below.read().node == "decision"
    lone = board(r1="...C.....", r2="....B....", r3="...G.F...", r4="..T.P.C..", r5="...G.F...")
    assert Table(board=lone).read().node == "chance"
    assert Table(board=board(r4="....C....")).read().node == "chance"
    assert Table(board=board()).read().node == "chance"


@pytest.mark.parametrize(
    "rows",
    [
        {"r4": "C........", "r5": "C........"},
        {"r0": "...CC...."},
        {"r3": "........C", "r4": "........C"},
        {"r8": "....CC..."},
    ],
)
def test_04_neighbours_along_the_border_are_neighbours(rows: dict[str, str]) -> None:
    position = Table(shelves=(EMPTY,) * 4, board=board(**rows)).read()
    assert position.node == "decision"
    lone = {name: row.replace("CC", "C.") for name, row in rows.items()}
    lone = dict(list(lone.items())[:1])
    assert Table(shelves=(EMPTY,) * 4, board=board(**lone)).read().node == "chance"


def test_04_a_line_does_not_run_over_the_border() -> None:
    """The last cell of a row and the first of the next are no neighbours."""
    rows = board(r3=".......CB", r4="CB.....CB", r5="CB.......")
    position = Table(shelves=(EMPTY,) * 4, board=rows).read()
    for text in ("38,40>0", "40,38>0", "48,50>0", "37,38,40>0", "38,40,41>0", "48,50,51>0"):
        with pytest.raises(IllegalMove):
            position.apply(text)
        assert text not in position.legal_moves()
    lone = board(r3="........B", r4="C........")
    assert Table(shelves=(EMPTY,) * 4, board=lone).read().node == "chance"


def nearly_full(gap: int) -> list[str]:
    """FULL with the top `gap` places of its last column empty."""
    return [row[:4] + "." if r < gap else row for r, row in enumerate(FULL)]


@pytest.mark.parametrize("refill", ["return", "keep"])
def test_05_a_short_or_empty_bag(refill: str) -> None:
    """A short bag fills what it can; with an empty one play goes on with lone tiles."""
    shelves = (nearly_full(1), nearly_full(1), nearly_full(1), nearly_full(1))
    # 116 tiles on the shelves, so 16 of 132 are elsewhere.
    kinds = {k: 22 - sum("".join(s).count(k) for s in shelves) for k in "CBGFTP"}
    rest = [k for k, n in kinds.items() for _ in range(n)]
    assert len(rest) == 16
    lone = board(r0=f"...{rest[0]}.....", r2=f"....{rest[1]}....", r4=f"{rest[2]}...{rest[3]}....")
    short = Table(shelves=shelves, board=lone, refill=refill).read()
    assert short.node == "chance"
    filled, outcome = short.apply("refill", rng=Rng("short"))
    assert sum(cell != "." for row in outcome for cell in row) == 16
    assert sorted("".join(outcome).replace(".", "")) == sorted(rest)
    assert filled.node == "decision"
    # The same sixteen tiles placed apart: the bag is empty, so nothing is refilled.
    apart = [(0, 3), (1, 4), (2, 3), (2, 5), (3, 2), (3, 4), (3, 6), (4, 1), (4, 3), (4, 5)]
    apart += [(4, 7), (5, 0), (5, 2), (5, 4), (6, 3), (6, 5)]
    rows = [["."] * 9 for _ in range(9)]
    for (r, c), kind in zip(apart, rest, strict=True):
        rows[r][c] = kind
    table = Table(shelves=shelves, board=["".join(row) for row in rows], refill=refill)
    position = table.read()
    assert position.node == "decision"
    assert len(position.legal_moves()) == 16  # sixteen singles into the only open column
    position = after(position, "03>4", "14>4", "23>4")
    assert position.node == "decision"
    assert after(position, "25>4").node == "terminal"


def test_06_a_tie_goes_to_the_tied_player_furthest_from_the_first() -> None:
    """Alone, and counted from the first player, not from seat 0."""
    for first, winner in ((0, 3), (1, 0), (2, 1), (3, 2)):
        shelves = [shelf("CCC..")] * 4
        table = Table(shelves=tuple(shelves), to_move=first, first_player=first)
        shelves[first] = FULL  # 1 point for the token, the others have 2
        over = replace(table, shelves=tuple(shelves), end_token=first).read()
        assert over.node == "terminal"
        assert seat_points(over, "total")[winner] == 2
        assert over.winners() == [float(seat == winner) for seat in range(4)]
    # Not all are tied: the last player in turn order has least.
    shelves = (FULL, shelf("CCC.."), shelf("BBB.."), EMPTY)
    over = Table(shelves=shelves, end_token=0).read()
    assert over.winners() == [0.0, 0.0, 1.0, 0.0]


def test_07_the_round_is_finished_and_the_token_goes_to_the_first() -> None:
    shelves = (EMPTY, nearly_full(1), nearly_full(1))
    start = Table(shelves=shelves, to_move=1, board=board(r4="...CBGF..")).read()
    position = after(start, "43>4")
    assert position.node == "decision"  # player 2 still has a turn
    assert position.to_json()["end_token"] == 1
    assert seat_points(position, "end") == [0, 1, 0]
    position = after(position, "44>4")  # player 2 fills as well, gets nothing for it
    assert position.node == "terminal"
    assert position.to_json()["end_token"] == 1
    assert seat_points(position, "end") == [0, 1, 0]
    # The first player fills: everybody else has one more turn.
    shelves = (nearly_full(1), EMPTY, EMPTY)
    position = Table(shelves=shelves, board=board(r4="...CBGFT.")).read()
    for move in ("43>4", "44>0", "45>0"):
        assert position.node == "decision"
        position = after(position, move)
    assert position.node == "terminal"
    assert position.legal_moves() == []


def test_08_free_sides_are_those_at_the_beginning_of_the_turn() -> None:
    """Lone and single tiles may go; every tile of a take needs its own free side."""
    lone = Table(board=board(r1="...C.....", r4="....CB...")).read()
    assert {"13>0", "44>0", "45>0"} <= set(lone.legal_moves())
    block = board(r3="...CBG...", r4="...FTP...", r5="...GBC...")
    position = Table(board=block).read()
    moves = position.legal_moves()
    assert "44>0" not in moves  # the middle is enclosed
    for text in ("44>0", "34,44>0", "43,44,45>0", "34,44,54>0"):
        with pytest.raises(IllegalMove):
            position.apply(text)  # not even together with a neighbour that frees it
    assert "33,34,35>0" in moves
    assert "33,43,53>0" in moves


def test_09_three_tiles_at_most_and_22_of_a_type() -> None:
    position = Table(board=board(r4="..CBGF...")).read()
    for text in ("42,43,44,45>0", "42,43,44,45,46>0"):
        with pytest.raises(IllegalMove):
            position.apply(text)
    assert max(move.count(",") for move in position.legal_moves()) == 2
    four = ["CCCC."] + ["BBBB."] * 5
    TILE.read(Table(shelves=(four, EMPTY), board=board(r4="...BB....")).read().to_json())
    with pytest.raises(InvalidPosition) as refused:
        Table(shelves=(four, EMPTY), board=board(r4="..BBB....")).read()
    assert [fault.pointer for fault in refused.value.faults] == [""]


def test_10_squares_that_share_places_are_one() -> None:
    for rows in (("CCC..", "CCC.."), ("CC...", "CC...", "CC..."), ("CCCC.", "CCCC.")):
        for squares in ("any", "same"):
            tested = shelf(*rows)
            assert not achieved("two_squares", tested, squares)
            assert tested == shelf(*rows)  # looking does not change it
    chain = shelf("CC...", "CCCC.", "..CC.")  # two squares of one connected group
    assert not achieved("two_squares", chain)
    assert achieved("two_squares", shelf("CC.CC", "CCBCC"), "same")
    assert achieved("two_squares", shelf("CCBBT", "CCBBT"))
    assert not achieved("two_squares", shelf("CCBBT", "CCBBT"), "same")


def test_11_all_four_diagonals_and_no_empty_ones() -> None:
    for top in (0, 1):
        for step in (1, -1):
            rows = [list("BBGGB"), list("GGBBG")] * 3
            for i in range(5):
                rows[top + i][i if step == 1 else 4 - i] = "T"
            tested = ["".join(row) for row in rows]
            assert achieved("diagonal", tested)
            rows[top + 2][2] = "P"
            assert not achieved("diagonal", ["".join(row) for row in rows])
    for goal in ("diagonal", "four_corners", "x_shape", "eight_alike", "two_squares", "six_pairs"):
        assert not achieved(goal, EMPTY)


def test_12_staircases_up_and_down_with_steps_of_one() -> None:
    def stairs(*heights: int) -> list[str]:
        return [
            "".join("CBGFT"[c] if 6 - r <= h else "." for c, h in enumerate(heights))
            for r in range(6)
        ]

    for heights in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (5, 4, 3, 2, 1), (6, 5, 4, 3, 2)):
        assert achieved("staircase", stairs(*heights))
    for heights in (
        (6, 6, 6, 6, 6),
        (0, 1, 2, 3, 4),
        (4, 3, 2, 1, 0),
        (1, 2, 3, 4, 6),
        (0, 2, 4, 6, 6),
        (1, 2, 3, 2, 1),
        (2, 2, 3, 4, 5),
        (1, 1, 1, 1, 1),
    ):
        assert not achieved("staircase", stairs(*heights))
    assert not achieved("staircase", EMPTY)


def test_13_types_are_counted_and_at_least_is_not_exactly() -> None:
    alternating = ["CBGCB"] * 6  # many changes between neighbours, three types
    assert achieved("four_uniform_rows", alternating)
    three_types = ["CFTCF", "BGPBG", "CFTCF", "GBPGB", "CTFCT", "BGPBG"]
    assert not achieved("two_varied_rows", three_types)
    columns = ["CCCFT", "BBBGP", "CCCFT", "GGGBC", "BBBTF", "CCCPG"]
    assert achieved("three_uniform_columns", columns)
    seven_pairs = shelf("CCBBG", "FFTTG", "PPCC.")
    assert achieved("six_pairs", seven_pairs)
    assert achieved("eight_alike", shelf("CCCCC", "CCCCC"))
    assert not achieved("eight_alike", shelf("CCC..", "CCCC."))
    assert achieved("four_quads", shelf("CCBBG", "CCBBG", "FFTTG", "FFTTG"))
    assert achieved("two_varied_rows", ["CBGFT", "BGFTP", "GFTPC", "CCCCC", "CBCBC", "BCBCB"])


def test_14_personal_goals_score_once_and_the_right_way_round() -> None:
    """Card 7 wants C at row 0, column 0 and B at row 5, column 2."""
    position = Table(shelves=(shelf("..B.."), EMPTY), personal=(7, None)).read()
    assert seat_points(position, "personal") == [1, 0]
    later = after(
        Table(
            shelves=(shelf("..B.."), EMPTY), board=board(r4="..CBGFT.."), personal=(7, None)
        ).read(),
        "42>0",
        "43>0",
        "44>0",
    )
    assert seat_points(later, "personal") == [1, 0]  # not once more for every turn
    for row in ("B....", "....B", ".B...", "...B."):
        wrong = Table(shelves=(shelf(row), EMPTY), personal=(7, None)).read()
        assert seat_points(wrong, "personal") == [0, 0]
    # Card 1, whose places are no mirror image of themselves, all six of them.
    card = [(0, 0, "P"), (0, 2, "F"), (1, 4, "C"), (2, 3, "B"), (3, 1, "G"), (5, 2, "T")]
    for hits, points in enumerate((0, 1, 2, 4, 6, 9, 12)):
        rows = [list("GPCGP") for _ in range(6)]
        for r, c, kind in card:
            rows[r][c] = "B" if kind != "B" else "C"
        for r, c, kind in card[:hits]:
            rows[r][c] = kind
        rows = ["".join(row) for row in rows]
        over = Table(shelves=(rows, EMPTY), personal=(1, None), end_token=0).read()
        assert seat_points(over, "personal") == [points, 0]
    # The living room has no mirror symmetry: (3,7) is in play for two, (3,1) is not.
    assert Table(board=board(r3=".......C.")).read().node == "chance"
    with pytest.raises(InvalidPosition) as refused:
        Table(board=board(r3=".C.......")).read()
    assert [fault.pointer for fault in refused.value.faults] == ["/board/3"]


def test_15_a_token_stack_never_runs_empty() -> None:
    """With all tokens claimed a turn that shows the pattern again gives nothing and works."""
    corners = ["C...C", "TBGFP", "PTBGF", "FPTBG", "GFPTB", "CGFPC"]
    table = Table(shelves=(corners, corners), goals=(("four_corners", [1, 0]),))
    position = after(table.read(), "44>1")
    assert position.to_json()["common_goals"] == [{"goal": "four_corners", "claimed_by": [1, 0]}]
    assert seat_points(position, "tokens") == [4, 8]
    last = ["C...."] + ["CBGFC"] * 5
    four = Table(shelves=(last, EMPTY, EMPTY, EMPTY), goals=(("four_corners", [3, 2, 1]),)).read()
    assert seat_points(after(four, "44>4"), "tokens") == [2, 4, 6, 8]


def test_16_each_goal_once_a_player_and_both_in_one_turn() -> None:
    corners = ["C....", *["CBGFC"] * 5]
    goals = (("four_corners", []), ("eight_alike", []))
    row = board(r4="..CBGFT..")
    position = after(Table(shelves=(corners, EMPTY), board=row, goals=goals).read(), "42>4")
    assert [card["claimed_by"] for card in position.to_json()["common_goals"]] == [[0], [0]]
    assert seat_points(position, "tokens") == [16, 0]
    position = after(position, "43>0", "44>1", "45>0")
    assert [card["claimed_by"] for card in position.to_json()["common_goals"]] == [[0], [0]]
    assert seat_points(position, "tokens") == [16, 0]


def test_17_a_side_is_free_at_the_edge_of_the_board_and_of_the_room() -> None:
    """In a full living room exactly the tiles along its outline may be taken."""
    room = "3CB4/3GFT3/2CBGFT2/1PCBGFTPC/CBGFTPCBG/FTPCBGFT1/2TPCBG2/3GFT3/4CB3"
    position = TILE.read(f"{room} {'|'.join(['5/5/5/5/5/5'] * 4)} 0 0 staircase - -")
    singles = {move[:2] for move in position.legal_moves() if "," not in move}
    outline = "03 04 13 15 22 26 31 37 38 40 48 50 51 57 62 66 73 75 84 85"
    assert singles == set(outline.split())
