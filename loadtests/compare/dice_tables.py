"""The dice of one turn: rolls, what may be kept of them, what they can mark. Plain Python.

A roll is a tuple of counts, one for each face in the order PGBTCJ. Items are bits 0 to 24, row by
row; a set of them is a mask.
"""

from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

FACES = "PGBTCJ"
DICE = 6

Roll = tuple[int, ...]


def multisets(size: int) -> list[Roll]:
    """All rolls of so many dice."""
    every = combinations_with_replacement(range(len(FACES)), size)
    return [tuple(faces.count(face) for face in range(len(FACES))) for faces in every]


ROLLS = multisets(DICE)
KEEPS = [kept for size in range(DICE) for kept in multisets(size)]
ROLL_NUMBER = {roll: number for number, roll in enumerate(ROLLS)}
KEEP_NUMBER = {kept: number for number, kept in enumerate(KEEPS)}


def text(dice: Roll) -> str:
    return "".join(face * count for face, count in zip(FACES, dice, strict=True))


@cache
def keeps_of(roll: Roll) -> list[int]:
    """Numbers of all that may be kept: at most five of the dice."""
    every = product(*(range(count + 1) for count in roll))
    return sorted(KEEP_NUMBER[kept] for kept in every if sum(kept) < DICE)


@cache
def throws(kept: Roll) -> list[tuple[int, float]]:
    """Number of each roll that may come of what was kept, with its chance."""
    rolled = DICE - sum(kept)
    ways = factorial(rolled) / 6**rolled
    return [
        (
            ROLL_NUMBER[tuple(a + b for a, b in zip(kept, new, strict=True))],
            ways / prod(map(factorial, new)),
        )
        for new in multisets(rolled)
    ]


@cache
def marks_of(roll: Roll) -> list[tuple[int, ...]]:
    """Every set of one to three items that the dice can mark, were all of them open."""
    if roll[5] == DICE:
        return [(item,) for item in range(25)]
    found = set()

    def hand_out(chosen: tuple[int, ...], left: Roll) -> None:
        if chosen:
            found.add(chosen)
        if len(chosen) == 3:
            return
        for item in range(chosen[-1] + 1 if chosen else 0, 25):
            icon, need = item // 5, item % 5 + 1
            for jokers in (0, 1):
                real = need - jokers
                if real >= 1 and left[icon] >= real and left[5] >= jokers:
                    rest = list(left)
                    rest[icon] -= real
                    rest[5] -= jokers
                    hand_out((*chosen, item), tuple(rest))

    hand_out((), roll)
    return sorted(found)


@cache
def masks_of(roll: Roll) -> list[tuple[int, int]]:
    """The same as masks, each with the number of its action."""
    return [(sum(1 << item for item in items), mark_number(items)) for items in marks_of(roll)]


def mark_number(items: tuple[int, ...]) -> int:
    """Up to three items as one number."""
    number = 0
    for item in items:
        number = number * 26 + item + 1
    return number


def mark_items(number: int) -> tuple[int, ...]:
    """The items behind a number."""
    items: tuple[int, ...] = ()
    while number:
        items = (number % 26 - 1, *items)
        number //= 26
    return items
