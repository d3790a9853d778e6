"""A position of the dice game as Python code meets it."""

from shelfie.engine.dice.checks import MAX_VALUE, form_faults, rule_faults, sheet_faults, whole
from shelfie.engine.dice.game import DEFAULT_COLUMNS, DEFAULT_VALUES, dice_game
from shelfie.engine.dice.notation import (
    SHELVES, item_text, items_of, keep_text, mark_text, read_keep, read_mark, read_position,
    read_shelf, write_position)
from shelfie.engine.dice.tables import FACES, dice_index, dice_text
from shelfie.engine.errors import Fault, IllegalMove, InvalidOption, InvalidPosition

from libc.stdint cimport uint32_t

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.state cimport (
    CROSS, KEEP, MARK, N_ITEMS, N_LINES, PASS, REROLLS, ROLL, DiceState, bit_count,
    column_bits, move_kind, move_rest, pack, shelf_bits)
from shelfie.engine.dice.tables cimport DICE, FIRST_ROLL, multiset_within, roll_dice
from shelfie.engine.game cimport CHANCE, TERMINAL, move_t
from shelfie.engine.position cimport Position
from shelfie.engine.rng cimport Rng


cdef class DicePosition(Position):
    """One situation of the dice game; see the position object and notation in docs/rules."""

    chance_move = "roll"

    def __cinit__(self, game):
        if not isinstance(game, DiceGame):
            raise TypeError("a position of the dice game needs a DiceGame")

    @staticmethod
    def read(value):
        """The position that a JSON object or a notation string stands for.

        Raises InvalidPosition with every fault; pointers are relative to the JSON object, also
        when a notation was read. "" is the position as a whole.
        """
        if isinstance(value, str):
            value = read_position(value)
        faults = form_faults(value)
        if faults:
            raise InvalidPosition(faults, malformed=True)
        faults = rule_faults(value)
        if faults:
            raise InvalidPosition(faults, malformed=False)
        return build(value)

    @staticmethod
    def new(players, rng=None, *, sheet=None):
        """The start of a game: open sheets, seat 0 first, before the first roll.

        players: 2..4. rng: unused, nothing is drawn before the first roll. sheet: as in the
        position object, None for the default. Raises InvalidOption.
        """
        faults = []
        if not whole(players, 2, 4):
            faults.append(Fault("/players", "out-of-range", "The number of players is 2, 3 or 4."))
        if sheet is not None:
            faults += sheet_faults(sheet)
        if faults:
            raise InvalidOption(faults)
        value = {"players": players, "to_move": 0, "first_player": 0,
                 "boards": [["....."] * 5] * players, "dice": None, "rerolls_left": 2}
        if sheet is not None:
            value["sheet"] = sheet
        return build(value)

    # What it holds

    def to_json(self):
        """The position object, fields in their fixed order, `sheet` only when not the default."""
        cdef DiceState* s = <DiceState*>self.state
        cdef DiceGame game = <DiceGame>self.game
        value = {
            "players": game.n_players,
            "to_move": s.to_move,
            "first_player": s.first,
            "boards": [board_rows(s.marked[p], s.open[p]) for p in range(game.n_players)],
            "dice": dice_text(s.dice) or None,
            "rerolls_left": s.rerolls,
        }
        if not game.default_sheet:
            value["sheet"] = sheet_json(game)
        return value

    def notation(self):
        """The compact notation, one line."""
        return write_position(self.to_json())

    @property
    def dice(self):
        """The letters of the dice on the table, sorted; None before the roll."""
        return dice_text((<DiceState*>self.state).dice) or None

    @property
    def rerolls_left(self):
        """Re-rolls left in this turn, 0..2."""
        return (<DiceState*>self.state).rerolls

    @property
    def columns(self):
        """Dice that an item of each column needs."""
        return (<DiceGame>self.game).columns

    @property
    def values(self):
        """Values of the items, shelf by shelf."""
        return (<DiceGame>self.game).values

    def marked_items(self, int seat):
        """Mask of the circled items of a seat: bit 5 * shelf + column."""
        return (<DiceState*>self.state).marked[self.check_seat(seat)]

    def open_items(self, int seat):
        """Mask of the open items of a seat: bit 5 * shelf + column."""
        return (<DiceState*>self.state).open[self.check_seat(seat)]

    cdef int check_seat(self, int seat) except -1:
        if not 0 <= seat < self.game.n_players:
            raise IndexError(seat)
        return seat

    def scores(self):
        """Per seat: {"shelves": five, "columns": five, "total"}, as if the game ended now."""
        cdef DiceState* s = <DiceState*>self.state
        cdef DiceGame game = <DiceGame>self.game
        scores = []
        for p in range(game.n_players):
            marked = s.marked[p]
            shelves = [game.shelf_points[i][shelf_bits(marked, i)] for i in range(N_LINES)]
            columns = [game.column_points[i][column_bits(marked, i)] for i in range(N_LINES)]
            scores.append({"shelves": shelves, "columns": columns,
                           "total": sum(shelves) + sum(columns)})
        return scores

    # Moves

    def format_move(self, move_t move):
        """The text of a packed move."""
        cdef int kind = move_kind(move)
        if kind == KEEP:
            return keep_text(move_rest(move))
        if kind == MARK:
            return mark_text(move_rest(move))
        if kind == CROSS:
            return f"cross:{SHELVES[move_rest(move)]}"
        return "pass" if kind == PASS else self.chance_move

    def move_detail(self, move_t move):
        """A packed move for programs.

        {"type": "keep", "dice": "PPJ"}, {"type": "mark", "items": [["P", 1], ["C", 3]]} with
        columns from 1, {"type": "cross", "shelf": "B"}, {"type": "pass"} or {"type": "roll"}.
        """
        cdef int kind = move_kind(move)
        if kind == KEEP:
            return {"type": "keep", "dice": dice_text(move_rest(move))}
        if kind == MARK:
            return {"type": "mark",
                    "items": [[SHELVES[i // 5], i % 5 + 1] for i in items_of(move_rest(move))]}
        if kind == CROSS:
            return {"type": "cross", "shelf": SHELVES[move_rest(move)]}
        return {"type": "pass" if kind == PASS else "roll"}

    def parse_move(self, text):
        """The packed move of a text; dice and items in any order. Raises IllegalMove."""
        if not isinstance(text, str):
            raise IllegalMove("A move is a text.")
        name, colon, rest = text.partition(":")
        if text == "roll":
            move = pack(ROLL, 0)
        elif text == "pass":
            move = pack(PASS, 0)
        elif colon and name == "keep":
            move = pack(KEEP, read_keep(rest))
        elif colon and name == "mark":
            move = pack(MARK, read_mark(rest))
        elif colon and name == "cross":
            move = pack(CROSS, read_shelf(rest))
        else:
            raise IllegalMove("A move is roll, keep:DICE, mark:ITEMS, cross:SHELF or pass.")
        self.check_move(move)
        return move

    cdef int check_move(self, move_t move) except -1:
        """Raise IllegalMove with the reason when the rules do not allow the move here."""
        cdef DiceState* s = <DiceState*>self.state
        cdef DiceGame game = <DiceGame>self.game
        cdef uint32_t open = s.open[s.to_move], rest = move_rest(move)
        cdef int kind = move_kind(move), node = game.node_kind(s)
        if node == TERMINAL:
            raise IllegalMove("The game is over.")
        if open == 0:
            if kind != PASS:
                raise IllegalMove("The player has no open item and must pass.")
            return 0
        if kind == PASS:
            raise IllegalMove("Only a player without open items passes.")
        if node == CHANCE:
            if kind != ROLL:
                raise IllegalMove("The dice are not rolled yet; the move is roll.")
        elif kind == ROLL:
            raise IllegalMove("The dice are rolled already; re-roll some with keep:DICE.")
        elif kind == KEEP:
            self.check_keep(rest)
        elif kind == MARK:
            self.check_mark(rest, open)
        elif game.marks.single_items[s.dice - FIRST_ROLL] & open:
            raise IllegalMove("An item can be marked, so no shelf may be crossed out.")
        elif not shelf_bits(open, rest):
            raise IllegalMove(f"Shelf {SHELVES[rest]} has no open item.")
        return 0

    cdef int check_keep(self, int kept) except -1:
        cdef DiceState* s = <DiceState*>self.state
        if s.rerolls == 0:
            raise IllegalMove("No re-roll is left.")
        if kept >= FIRST_ROLL:
            raise IllegalMove("A keep leaves at least one die to roll; to stop, mark or cross.")
        if not multiset_within(kept, s.dice):
            raise IllegalMove(f"The dice {dice_text(s.dice)} do not hold {dice_text(kept)}.")
        return 0

    cdef int check_mark(self, uint32_t items, uint32_t open) except -1:
        cdef DiceState* s = <DiceState*>self.state
        if bit_count(items) > 3:
            raise IllegalMove("At most three items are marked in a turn.")
        for item in items_of(items & ~open):
            raise IllegalMove(f"{item_text(item)} is not open.")
        if s.dice == DICE.all_jokers and bit_count(items) > 1:
            raise IllegalMove("Six jokers mark one item.")
        if not (<DiceGame>self.game).marks.allows(s.dice, items):
            names = ", ".join(map(item_text, items_of(items)))
            raise IllegalMove(
                f"The dice {dice_text(s.dice)} do not give {names}: each die serves one item, "
                "and at most one joker joins its real icons.")
        return 0

    def apply(self, text, outcome=None, Rng rng=None):
        """(the position after the move, the outcome of chance or None); self stays as it is.

        roll and keep need an `outcome`, all six dice afterwards in any order, or an `rng` to
        draw it from; other moves take no outcome. Raises IllegalMove.
        """
        cdef move_t move = self.parse_move(text)
        cdef DicePosition after = <DicePosition>self.copy()
        cdef DiceState* s = <DiceState*>after.state
        cdef int kind = move_kind(move)
        if kind != ROLL and kind != KEEP:
            if outcome is not None:
                raise IllegalMove(f"No dice are rolled after {text}.", field="outcome")
            after.game.apply(s, move)
            return after, None
        if kind == KEEP:
            after.game.apply(s, move)
        if outcome is not None:
            s.dice = read_outcome(outcome, s.dice)
        elif rng is not None:
            s.dice = roll_dice(s.dice, &rng.state)
        else:
            raise IllegalMove("This move needs an outcome or a seed to draw it.", field="outcome")
        return after, dice_text(s.dice)

    def outcomes(self, text):
        """Exact chance of every outcome of `roll` or a keep: {six letters: probability}."""
        cdef move_t move = self.parse_move(text)
        cdef DicePosition before = <DicePosition>self.copy()
        cdef DicePosition after
        cdef double chance
        if move_kind(move) not in (ROLL, KEEP):
            raise IllegalMove(f"No dice are rolled after {text}.")
        if move_kind(move) == KEEP:
            before.game.apply(before.state, move)
        chances = {}
        for i in range(before.game.n_chance_outcomes(before.state)):
            after = <DicePosition>before.copy()
            chance = after.game.chance_outcome(after.state, i)
            chances[after.dice] = chance
        return chances

    @staticmethod
    def rules_data():
        """What never changes: faces, the default sheet and where it comes from, limits."""
        return {
            "faces": {"P": "plants", "G": "games", "B": "books", "T": "trophies", "C": "cats",
                      "J": "joker"},
            "dice": 6, "rerolls": REROLLS, "items_per_turn": 3, "shelves": list(SHELVES),
            "default_sheet": {"columns": list(DEFAULT_COLUMNS),
                              "values": [list(row) for row in DEFAULT_VALUES]},
            "default_sheet_note": "Columns are certain. The values are assumed: they are those "
                                  "of Penk!, the game this one reworks; send your own sheet to "
                                  "play with others.",
            "sheet_limits": {"columns": [1, 6], "values": [0, MAX_VALUE]},
            "least_marked_to_score": 3, "closed_shelves_to_end": 2,
        }


cdef DicePosition build(value):
    """The position of a checked JSON object."""
    sheet = value.get("sheet")
    if sheet is None:
        game = dice_game(value["players"])
    else:
        game = dice_game(value["players"], tuple(sheet["columns"]),
                         tuple(tuple(row) for row in sheet["values"]))
    cdef DicePosition position = DicePosition(game)
    cdef DiceState* s = <DiceState*>position.state
    s.to_move = value["to_move"]
    s.first = value["first_player"]
    s.rerolls = value["rerolls_left"]
    s.dice = dice_index(value["dice"] or "")
    for p, board in enumerate(value["boards"]):
        items = "".join(board)
        for i in range(N_ITEMS):
            if items[i] == "o":
                s.marked[p] |= <uint32_t>1 << <int>i
            elif items[i] == ".":
                s.open[p] |= <uint32_t>1 << <int>i
    return position


cdef list board_rows(uint32_t marked, uint32_t open):
    letters = ["o" if marked >> i & 1 else "." if open >> i & 1 else "x" for i in range(N_ITEMS)]
    return ["".join(letters[5 * r:5 * r + 5]) for r in range(N_LINES)]


cdef dict sheet_json(DiceGame game):
    return {"columns": list(game.columns), "values": [list(row) for row in game.values]}


cdef int read_outcome(outcome, int kept) except -1:
    """Lattice index of six dice that hold the kept ones; IllegalMove otherwise."""
    cdef int index = 0
    if isinstance(outcome, str) and len(outcome) == 6:
        try:
            index = dice_index(outcome)
        except ValueError:
            index = 0
    if index < FIRST_ROLL:
        raise IllegalMove(f"An outcome is six letters out of {FACES}.", field="outcome")
    if not multiset_within(kept, index):
        raise IllegalMove(f"The outcome lacks kept dice ({dice_text(kept)}).", field="outcome")
    return index
