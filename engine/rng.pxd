"""A small counter-based generator: a seed and a stream number give the same draws everywhere.

The n-th draw is the SplitMix64 finaliser of key + n * golden ratio (Steele, Lea, Flood 2014),
so a state is two words, copies freely and needs no warming up.
"""

from libc.stdint cimport uint32_t, uint64_t


cdef struct rng_t:
    uint64_t key       # from the seed and the stream number
    uint64_t counter   # draws made so far


cdef inline uint64_t mix64(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline rng_t rng_make(uint64_t seed, uint64_t stream) noexcept nogil:
    cdef rng_t rng
    rng.key = mix64(seed + <uint64_t>0x9E3779B97F4A7C15 * (2 * stream + 1))
    rng.counter = 0
    return rng


cdef inline uint64_t rng_next(rng_t* rng) noexcept nogil:
    rng.counter += 1
    return mix64(rng.key + rng.counter * <uint64_t>0x9E3779B97F4A7C15)


cdef inline uint32_t rng_below(rng_t* rng, uint32_t n) noexcept nogil:
    """A whole number in 0..n-1 by multiply and shift; the bias is below n / 2**32."""
    return <uint32_t>(((rng_next(rng) >> 32) * n) >> 32)


cdef inline double rng_uniform(rng_t* rng) noexcept nogil:
    """A double in [0, 1) with 53 random bits."""
    return <double>(rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)


cdef class Rng:
    cdef rng_t state
