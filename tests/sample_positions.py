"""A few positions that many tests use, made for them."""

from shelfie.api.examples import DICE, ROLL, TILE

# Refill due: no two tiles touch, the bag is full, nothing is claimed.
TILE_CHANCE = "9/9/3C5/9/4B4/9/9/9/9 5/5/5/5/5/3BT|5/5/5/5/5/CG3 0 0 staircase,x_shape 7,? -"
# Seat 0 filled its shelf and took the end token; seat 1 has played; seat 0 begins: over.
TILE_OVER = (
    "9/3CT4/9/9/9/9/9/9/9 CBGFT/BGFTP/GFTPC/FTPCB/TPCBG/PCBGF|5/5/5/5/5/CG3 0 0 "
    "staircase,x_shape 7,3 0"
)
# Two own shelves without open items on the first board, and seat 0 (the first player) is next.
DICE_OVER = "xxxxx/xxxxx/...../...../.....|...../...../...../...../..... 0 0 - 2"

DECISIONS = {"tile": TILE, "dice": DICE}
CHANCES = {"tile": TILE_CHANCE, "dice": ROLL}
OVER = {"tile": TILE_OVER, "dice": DICE_OVER}
