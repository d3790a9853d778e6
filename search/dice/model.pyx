"""Weights of the dice game's value model, loaded once and only read (see model.pxd)."""

from functools import cache
from hashlib import blake2b
from importlib.resources import files

import numpy as np

from shelfie.search.dice.features import n_rows

PARTS = 2.0 ** 20           # of one in the table


cdef extern from *:
    """
    /* Eight floats at a time; the compiler takes what vector registers there are. */
    typedef float shelfie_lanes __attribute__((vector_size(32), aligned(4), may_alias));
    typedef int shelfie_bits __attribute__((vector_size(32), aligned(4), may_alias));
    #define SHELFIE_AT(p, i) (((const shelfie_lanes*)(p))[i])

    /* The layers after the table: 64 sums in, 3 outputs out. Two halves of the hidden units are
       summed apart, so that the processor need not wait for one before the other. */
    static void shelfie_layers(const int* sums, const float* middle, const float* middle_bias,
                               const float* last, const float* last_bias, float* found) {
        shelfie_lanes a[4], b[4], zero = {0};
        for (int k = 0; k < 4; k++) { a[k] = SHELFIE_AT(middle_bias, k); b[k] = zero; }
        for (int i = 0; i < 64; i += 2) {
            float x = (float)(sums[i] > 0 ? sums[i] : 0) * 0x1p-20f;
            float y = (float)(sums[i + 1] > 0 ? sums[i + 1] : 0) * 0x1p-20f;
            for (int k = 0; k < 4; k++) {
                a[k] += x * SHELFIE_AT(middle, 4 * i + k);
                b[k] += y * SHELFIE_AT(middle, 4 * i + 4 + k);
            }
        }
        for (int k = 0; k < 4; k++) {
            a[k] += b[k];
            a[k] = (shelfie_lanes)((shelfie_bits)a[k] & (shelfie_bits)(a[k] > zero));
        }
        for (int o = 0; o < 3; o++) {
            shelfie_lanes s = zero;
            for (int k = 0; k < 4; k++) s += a[k] * SHELFIE_AT(last, 4 * o + k);
            found[o] = last_bias[o] + (((s[0] + s[4]) + (s[1] + s[5]))
                                       + ((s[2] + s[6]) + (s[3] + s[7])));
        }
    }
    """
    void shelfie_layers(const int32_t* sums, const float* middle, const float* middle_bias,
                        const float* last, const float* last_bias, float* found) noexcept nogil


cdef void outputs(const Weights* w, const int32_t* sums, float* found) noexcept nogil:
    """The three outputs from the sums of the first layer."""
    shelfie_layers(sums, w.middle, w.middle_bias, w.last, w.last_bias, found)


def shapes(players):
    """Names and shapes of the arrays of a model."""
    return {
        "table": (n_rows(players), FIRST),
        "first_bias": (FIRST,),
        "middle": (FIRST, SECOND),
        "middle_bias": (SECOND,),
        "last": (OUTPUTS, SECOND),
        "last_bias": (OUTPUTS,),
    }


cdef float* floats(array):
    cdef float[::1] view = array.reshape(-1)
    return &view[0]


cdef int32_t* integers(array):
    cdef int32_t[::1] view = array.reshape(-1)
    return &view[0]


cdef class DiceModel:
    """Weights from float32 arrays of the shapes that `shapes` names; `id` is their digest.

    spread: table of search/dice/spread.py, None while training.
    ValueError for other shapes. The arrays are copied.
    """

    def __init__(self, int players, arrays):
        self.players = players
        self.arrays = {}
        digest = blake2b(digest_size=6)
        for name, shape in shapes(players).items():
            array = np.array(arrays[name], dtype=np.float32, order="C")
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}, not {shape}")
            self.arrays[name] = array
            digest.update(array.tobytes())
        self.spread = arrays.get("spread")
        if self.spread is not None:
            digest.update(self.spread.tobytes())
        self.id = f"dice{players}-" + digest.hexdigest()
        self.owners = [np.rint(self.arrays[name].astype(np.float64) * PARTS).astype(np.int32)
                       for name in ("table", "first_bias")]
        self.weights.table = integers(self.owners[0])
        self.weights.first_bias = integers(self.owners[1])
        self.weights.middle = floats(self.arrays["middle"])
        self.weights.middle_bias = floats(self.arrays["middle_bias"])
        self.weights.last = floats(self.arrays["last"])
        self.weights.last_bias = floats(self.arrays["last_bias"])


def random_arrays(players, seed):
    """Weights to start training from: the table is zero, the layers are small and random."""
    rng = np.random.default_rng(seed)
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes(players).items()}
    for name, inputs in (("middle", FIRST), ("last", SECOND)):
        arrays[name] += rng.standard_normal(arrays[name].shape) * (2.0 / inputs) ** 0.5
    arrays["first_bias"] += rng.uniform(0.0, 0.5, FIRST)
    arrays["last"][0] *= 0.1
    arrays["last_bias"][1:] = 3.0
    return arrays


def load(players, path):
    """A model from an .npz file (a path or an open file)."""
    with np.load(path) as stored:
        return DiceModel(players, dict(stored))


@cache
def shipped(players):
    """The model that comes with the package, for 2, 3 or 4 players."""
    with (files("shelfie.search") / "models" / f"dice{players}.npz").open("rb") as stream:
        return load(players, stream)
