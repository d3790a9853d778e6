"""The dice game for two players as an OpenSpiel game in Python, as one would write it there.

Boards are pairs of masks (open, marked), so that this is no slow version of the rules.
"""

import pyspiel
from dice_tables import (
    DICE,
    FACES,
    KEEPS,
    ROLLS,
    keeps_of,
    mark_items,
    mark_number,
    masks_of,
    text,
    throws,
)  # fmt: skip

PASS = 0
CROSS = 1  # and the shelf's number
KEEP = 6
MARK = KEEP + len(KEEPS)
ACTIONS = MARK + mark_number((24, 24, 24)) + 1
SHELVES = [0b11111 << 5 * row for row in range(5)]
COLUMNS = [0b0000100001000010000100001 << column for column in range(5)]
VALUES = (1, 2, 3, 5, 8)
NOTHING = (0,) * 6
LONGEST = 2 * 25 * 8  # actions: each turn marks or strikes an item and takes at most eight

GAME_TYPE = pyspiel.GameType(
    short_name="shelfie_dice",
    long_name="My Shelfie: The Dice Game",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=len(ROLLS),
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LONGEST,
)


class DiceGame(pyspiel.Game):
    """The game; its states do the work."""

    def __init__(self, params=None):
        super().__init__(GAME_TYPE, GAME_INFO, params or {})

    def new_initial_state(self):
        return DiceState(self)


class DiceState(pyspiel.State):
    """kept: what the dice that are about to fall join; None when they lie. roll: those that lie."""

    def __init__(self, game):
        super().__init__(game)
        self.open = [(1 << 25) - 1] * 2
        self.marked = [0, 0]
        self.mover = 0
        self.roll = None
        self.rerolls = 2
        self.kept = NOTHING
        self.over = False

    def current_player(self):
        if self.over:
            return pyspiel.PlayerId.TERMINAL
        return self.mover if self.kept is None else pyspiel.PlayerId.CHANCE

    def is_terminal(self):
        return self.over

    def chance_outcomes(self):
        return throws(self.kept)

    def _legal_actions(self, player):
        mine = self.open[player]
        if not mine:
            return [PASS]
        closed = ~mine
        marks = [MARK + number for mask, number in masks_of(self.roll) if not mask & closed]
        crosses = [] if marks else [CROSS + r for r in range(5) if mine & SHELVES[r]]
        keeps = [KEEP + number for number in keeps_of(self.roll)] if self.rerolls else []
        return crosses + keeps + sorted(marks)

    def _apply_action(self, action):
        if self.kept is not None:
            self.roll, self.kept = ROLLS[action], None
        elif KEEP <= action < MARK:
            self.kept = KEEPS[action - KEEP]
            self.rerolls -= 1
        else:
            self._finish_turn(action)

    def _finish_turn(self, action):
        me, other = self.mover, 1 - self.mover
        if action >= MARK:
            mask = sum(1 << item for item in mark_items(action - MARK))
            self.marked[me] |= mask
            self.open[me] &= ~mask
            for line in (*SHELVES, *COLUMNS):
                if self.marked[me] & line == line:
                    self.open[other] &= ~line
        elif action >= CROSS:
            self.open[me] &= ~SHELVES[action - CROSS]
        self.mover, self.roll, self.rerolls = other, None, 2
        self.over = other == 0 and any(full_shelves(board) >= 2 for board in self.open)
        self.kept = NOTHING if self.open[other] else None

    def returns(self):
        if not self.over:
            return [0.0, 0.0]
        mine, theirs = map(points, self.marked)
        share = (mine > theirs) - (mine < theirs)
        return [float(share), -float(share)]

    def _action_to_string(self, player, action):
        if player == pyspiel.PlayerId.CHANCE:
            return text(ROLLS[action])
        if action >= MARK:
            items = mark_items(action - MARK)
            return "mark:" + ",".join(f"{FACES[item // 5]}{item % 5 + 1}" for item in items)
        if action >= KEEP:
            return "keep:" + (text(KEEPS[action - KEEP]) or "-")
        return "pass" if action == PASS else f"cross:{FACES[action - CROSS]}"

    def __str__(self):
        return f"{self.open} {self.marked} {self.mover} {self.roll} {self.rerolls} {self.kept}"


def full_shelves(board):
    """Shelves without open items."""
    return sum(not board & shelf for shelf in SHELVES)


def points(marked):
    """Shelves and columns with at least three marked items score the values of these."""
    total = 0
    for line in (*SHELVES, *COLUMNS):
        held = marked & line
        if held.bit_count() >= 3:
            total += sum(VALUES[item % 5] for item in range(25) if held >> item & 1)
    return total


assert sum(ROLLS[0]) == DICE
pyspiel.register_game(GAME_TYPE, DiceGame)
