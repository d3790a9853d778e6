"""Positions of the tile game for Python code."""

import re

from libc.stdint cimport uint32_t, uint64_t

from shelfie.engine.game cimport CHANCE, TERMINAL, move_t
from shelfie.engine.position cimport Position
from shelfie.engine.rng cimport Rng
from shelfie.engine.tile.game cimport (
    NO_CELL, TileGame, move_cell, move_column, move_size,
)
from shelfie.engine.tile.room cimport cell_bit, surrounded
from shelfie.engine.tile.state cimport EMPTY, N_CELLS, NOBODY, TileState, cells_t, occupied

from shelfie.engine.errors import Fault, IllegalMove, InvalidOption
from shelfie.engine.tile.data import (
    BOARD_SIZE, COMMON_GOALS, RULES, SHELF_COLUMNS, SHELF_ROWS, TILES_PER_TYPE, TYPES, rules_data,
)
from shelfie.engine.tile.notation import read_notation, write_notation
from shelfie.engine.tile.reader import is_int, read_fields, rules_faults

_TAKE = re.compile(r"([0-8][0-8])(?:,([0-8][0-8]))?(?:,([0-8][0-8]))?>([0-4])", re.ASCII)
LETTERS = TYPES + "."


cdef class TilePosition(Position):
    """A position of the tile game. See `Position` for what every game shares."""

    chance_move = "refill"
    rules_data = staticmethod(rules_data)

    def __cinit__(self, game):
        if not isinstance(game, TileGame):
            raise TypeError("a position of the tile game needs a TileGame")

    # ---- in and out

    @staticmethod
    def read(value):
        """The position behind a JSON object or a line of compact notation.

        Raises InvalidPosition with every fault of it.
        """
        return from_fields(read_fields(read_notation(value) if isinstance(value, str) else value))

    @staticmethod
    def new(players, Rng rng, common_goals=2, personal_goals=True, rules=None):
        """A starting position: cards and tiles drawn from `rng`; seat 0 begins.

        common_goals: 1 or 2 cards. personal_goals: whether they are played.
        rules: {"refill": ..., "squares": ...}, may be partial. Raises InvalidOption.
        """
        _check_options(players, common_goals, personal_goals, rules)
        goals, cards = list(COMMON_GOALS), list(range(1, 13))
        rng.shuffle(goals)
        rng.shuffle(cards)
        cdef TilePosition position = from_fields({
            "players": players, "to_move": 0, "first_player": 0,
            "board": ["." * BOARD_SIZE] * BOARD_SIZE,
            "shelves": [["." * SHELF_COLUMNS] * SHELF_ROWS] * players,
            "common_goals": [{"goal": goal, "claimed_by": []} for goal in goals[:common_goals]],
            "personal_goals": cards[:players] if personal_goals else [],
            "end_token": None,
            "rules": {name: values[0] for name, values in RULES.items()} | (rules or {}),
        })
        position.game.sample_chance(position.state, &rng.state)
        return position

    def fields(self):
        """All fields of the JSON form, `rules` complete."""
        cdef TileGame game = <TileGame>self.game
        cdef TileState* s = <TileState*>self.state
        cdef int p, g, k
        return {
            "players": game.n_players,
            "to_move": s.to_move,
            "first_player": game.first_player,
            "board": self.board(),
            "shelves": [self.shelf(p) for p in range(game.n_players)],
            "common_goals": [
                {"goal": COMMON_GOALS[game.goal[g]],
                 "claimed_by": [s.claims[g][k] for k in range(s.n_claims[g])]}
                for g in range(game.n_goals)
            ],
            "personal_goals": [s.personal[p] or None for p in range(game.n_players)]
            if game.personal_goals else [],
            "end_token": None if s.end_token == NOBODY else s.end_token,
            "rules": {"refill": "keep" if game.keep_tiles else "return",
                      "squares": "same" if game.same_squares else "any"},
        }

    def to_json(self):
        """The JSON form; `rules` only with values that are not the default."""
        fields = self.fields()
        rules = {n: v for n, v in fields.pop("rules").items() if v != RULES[n][0]}
        return fields | ({"rules": rules} if rules else {})

    def notation(self):
        """The line of compact notation."""
        return write_notation(self.fields())

    def board(self):
        """Nine strings of nine letters."""
        cdef TileState* s = <TileState*>self.state
        cdef int r, c
        return ["".join([LETTERS[s.tiles[9 * r + c]] for c in range(9)]) for r in range(9)]

    def shelf(self, int player):
        """Six strings of five letters, top row first. Raises IndexError for no such player."""
        cdef TileState* s = <TileState*>self.state
        cdef int place, t
        if not 0 <= player < self.game.n_players:
            raise IndexError(player)
        letters = ["."] * 30
        for place in range(30):
            for t in range(6):
                if s.shelf[player][t] >> place & 1:
                    letters[place] = TYPES[t]
        return ["".join([letters[6 * c + 5 - r] for c in range(5)]) for r in range(6)]

    def bag(self):
        """Tiles of each type left in the bag: {letter: number}."""
        return {TYPES[t]: (<TileState*>self.state).bag[t] for t in range(6)}

    # ---- moves

    def format_move(self, move_t move):
        """Text of a packed move: cells in drop order, '>', shelf column."""
        cells = [move_cell(move, i) for i in range(move_size(move))]
        return ",".join([f"{c // 9}{c % 9}" for c in cells]) + f">{move_column(move)}"

    def parse_move(self, text):
        """The packed move of a text, in the order given. Raises IllegalMove with the reason."""
        if self.game.node_kind(self.state) == TERMINAL:
            raise IllegalMove("The game is over.")
        match = _TAKE.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise IllegalMove(
                "Not a move of this game: cells in drop order, '>' and a column, as 34,35>2.")
        if self.game.node_kind(self.state) == CHANCE:
            raise IllegalMove("The living room is refilled first; the only move is refill.")
        cells = [9 * int(cell[0]) + int(cell[1]) for cell in match.groups()[:3] if cell]
        self._check_take(cells, int(match[4]))
        return sum(cell << (8 * i) for i, cell in enumerate((cells + [NO_CELL] * 2)[:3])) \
            | int(match[4]) << 24

    def _check_take(self, list cells, int column):
        cdef TileState* s = <TileState*>self.state
        cdef cells_t blocked = surrounded(occupied(s))
        cdef int cell
        for cell in cells:
            if s.tiles[cell] == EMPTY:
                raise IllegalMove(f"There is no tile on cell {cell // 9}{cell % 9}.")
            if blocked & cell_bit(cell):
                raise IllegalMove(f"The tile on cell {cell // 9}{cell % 9} has no free side.")
        ends = sorted(cells)
        steps = {b - a for a, b in zip(ends, ends[1:])}
        if len(steps) > 1 or steps - {1, 9} or (1 in steps and ends[0] // 9 != ends[-1] // 9):
            raise IllegalMove("The tiles do not lie side by side in one straight line.")
        if s.height[s.to_move][column] + len(cells) > SHELF_ROWS:
            raise IllegalMove(f"Column {column} of the shelf has no room for {len(cells)}.")

    def canonical(self, move_t move):
        """The legal move that has the same effect as `move`, in the order `legal_moves` gives."""
        cdef TileState* s = <TileState*>self.state
        cells = [move_cell(move, i) for i in range(move_size(move))]
        types = [s.tiles[cell] for cell in cells]
        ordered = []
        for kind in types:
            cell = min(c for c in cells if s.tiles[c] == kind and c not in ordered)
            ordered.append(cell)
        return sum(cell << (8 * i) for i, cell in enumerate((ordered + [NO_CELL] * 2)[:3])) \
            | move_column(move) << 24

    def move_detail(self, move_t move):
        """{"type": "take", "cells": [[row, column], ...], "tiles": letters, "column": 0..4}."""
        cdef TileState* s = <TileState*>self.state
        cells = [move_cell(move, i) for i in range(move_size(move))]
        return {
            "type": "take",
            "cells": [[cell // 9, cell % 9] for cell in cells],
            "tiles": "".join([TYPES[s.tiles[cell]] for cell in cells]),
            "column": move_column(move),
        }

    def apply(self, text, outcome=None, Rng rng=None):
        """The position after a move, and the outcome of chance (None for a take).

        `refill` takes its outcome (nine board rows) or draws it from `rng`. Raises IllegalMove.
        """
        if text == "refill":
            return self._refill(outcome, rng)
        move = self.parse_move(text)
        if outcome is not None:
            raise IllegalMove("A take has no outcome.", field="outcome")
        cdef TilePosition after = <TilePosition>self.copy()
        self.game.apply(after.state, move)
        return after, None

    def _refill(self, outcome, Rng rng):
        if self.game.node_kind(self.state) != CHANCE:
            raise IllegalMove("No refill is due.")
        cdef TilePosition after = <TilePosition>self.copy()
        if outcome is not None:
            fill(after, outcome)
        elif rng is not None:
            after.game.sample_chance(after.state, &rng.state)
        else:
            raise IllegalMove("A refill needs its outcome or a seed to draw it.", field="outcome")
        return after, after.board()

    def scores(self):
        """Per seat: tokens, personal, adjacency, end, total, as if the game ended now."""
        cdef int[4] parts
        result = []
        for p in range(self.game.n_players):
            (<TileGame>self.game).scores(<TileState*>self.state, p, parts)
            result.append({"tokens": parts[0], "personal": parts[1], "adjacency": parts[2],
                           "end": parts[3], "total": parts[0] + parts[1] + parts[2] + parts[3]})
        return result

    def hidden(self):
        """Whether the position tells a card that the player to move may not see."""
        cdef TileState* s = <TileState*>self.state
        return any(s.personal[p] for p in range(self.game.n_players) if p != s.to_move)

    def masked(self):
        """The position as the player to move sees it: the other players' cards unknown."""
        cdef TilePosition seen = <TilePosition>self.copy()
        cdef TileState* s = <TileState*>seen.state
        for p in range(self.game.n_players):
            if p != s.to_move:
                s.personal[p] = 0
        return seen


cdef TilePosition from_fields(fields):
    """Builds the state; `fields` are complete and valid."""
    cdef TilePosition position = TilePosition(TileGame(
        fields["players"],
        [card["goal"] for card in fields["common_goals"]],
        fields["first_player"],
        bool(fields["personal_goals"]),
        fields["rules"]["refill"],
        fields["rules"]["squares"],
    ))
    cdef TileState* s = <TileState*>position.state
    cdef int cell, t
    s.to_move = fields["to_move"]
    s.end_token = NOBODY if fields["end_token"] is None else fields["end_token"]
    for g, card in enumerate(fields["common_goals"]):
        s.n_claims[g] = len(card["claimed_by"])
        for k, seat in enumerate(card["claimed_by"]):
            s.claims[g][k] = seat
    for p, number in enumerate(fields["personal_goals"]):
        s.personal[p] = number or 0
    for t in range(6):
        s.bag[t] = TILES_PER_TYPE
    for cell in range(88):
        s.tiles[cell] = EMPTY
    put_board(s, fields["board"])
    for p, rows in enumerate(fields["shelves"]):
        put_shelf(s, p, rows)
    s.bag_total = sum([s.bag[t] for t in range(6)])
    return position


cdef put_board(TileState* s, rows):
    """Tiles from the bag to the living room; bag_total is the caller's to set."""
    cdef cells_t here = occupied(s)
    cdef int cell = 0, t
    for row in rows:
        for letter in row:
            if letter != ".":
                t = LETTERS.index(letter)
                s.tiles[cell] = t
                s.bag[t] -= 1
                here |= cell_bit(cell)
            cell += 1
    s.occupied_low = <uint64_t>here
    s.occupied_high = <uint64_t>(here >> 64)


cdef put_shelf(TileState* s, int player, rows):
    cdef int r, c, t
    for r in range(6):
        row = rows[r]
        for c in range(5):
            letter = row[c]
            if letter != ".":
                t = LETTERS.index(letter)
                s.shelf[player][t] |= <uint32_t>1 << (6 * c + 5 - r)
                s.bag[t] -= 1
                s.height[player][c] += 1
                s.filled[player] += 1


cdef fill(TilePosition position, outcome):
    """Puts a given outcome of a refill into effect. Raises IllegalMove when it is none."""
    cdef TileGame game = <TileGame>position.game
    cdef TileState* s = <TileState*>position.state
    cdef int t, cell, empty
    if not isinstance(outcome, (list, tuple)) or len(outcome) != BOARD_SIZE or not all(
        isinstance(row, str) and len(row) == BOARD_SIZE and not row.strip(LETTERS)
        for row in outcome
    ):
        raise IllegalMove("The outcome of a refill is nine rows of nine letters.", field="outcome")
    game.start_refill(s)
    letters = "".join(outcome)
    drawn = ""
    empty = 0
    for cell in range(N_CELLS):
        if s.tiles[cell] != EMPTY:
            if letters[cell] != LETTERS[s.tiles[cell]]:
                raise IllegalMove(f"The tile on cell {cell // 9}{cell % 9} stays.", field="outcome")
        elif game.in_play & cell_bit(cell):
            empty += 1
            drawn += letters[cell].strip(".")
        elif letters[cell] != ".":
            raise IllegalMove(f"Cell {cell // 9}{cell % 9} is not in play.", field="outcome")
    if len(drawn) != min(empty, s.bag_total):
        raise IllegalMove(f"A refill draws {min(empty, s.bag_total)} tiles here.", field="outcome")
    for t in range(6):
        if drawn.count(TYPES[t]) > s.bag[t]:
            raise IllegalMove(f"The bag has only {s.bag[t]} tiles of {TYPES[t]}.", field="outcome")
    for t in range(6):              # all of the living room is laid out anew
        for cell in range(N_CELLS):
            s.bag[t] += s.tiles[cell] == t
    s.bag_total -= len(drawn)
    s.occupied_low = s.occupied_high = 0
    put_board(s, outcome)


def _check_options(players, common_goals, personal_goals, rules):
    faults = []
    if not is_int(players) or not 2 <= players <= 4:
        faults.append(Fault("/players", "out-of-range", "The number of players is 2, 3 or 4."))
    if not is_int(common_goals) or common_goals not in (1, 2):
        faults.append(Fault("/common_goals", "out-of-range", "One or two common goals."))
    if not isinstance(personal_goals, bool):
        faults.append(Fault("/personal_goals", "type", "True or false."))
    if rules is not None:
        faults += rules_faults("/rules", rules, None)
    if faults:
        raise InvalidOption(faults)
