"""The generator of `rng.pxd` for Python code."""

from hashlib import blake2b


def seed_number(seed: str) -> int:
    """The 64-bit number behind a seed text: the first eight bytes of its BLAKE2b digest."""
    return int.from_bytes(blake2b(seed.encode(), digest_size=8).digest(), "little")


cdef class Rng:
    """Draws that depend on `seed` (a text) and `stream` (a number) alone."""

    def __init__(self, str seed, stream=0):
        self.state = rng_make(seed_number(seed), stream)

    def below(self, uint32_t n):
        """A whole number in 0..n-1."""
        return rng_below(&self.state, n)

    def uniform(self):
        """A float in [0, 1)."""
        return rng_uniform(&self.state)

    def shuffle(self, list items):
        """Shuffle `items` in place (Fisher and Yates)."""
        cdef Py_ssize_t i, j
        for i in range(len(items) - 1, 0, -1):
            j = rng_below(&self.state, <uint32_t>(i + 1))
            items[i], items[j] = items[j], items[i]
