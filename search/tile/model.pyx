"""Weights of the tile game's value model, loaded once and only read."""

from functools import cache
from hashlib import blake2b
from importlib.resources import files

import numpy as np

from shelfie.search.tile.features cimport N_FEATURES

SHAPES = {
    "own": (N_FEATURES, HIDDEN),
    "other": (N_FEATURES, HIDDEN),
    "bias": (HIDDEN,),
    "win": (HIDDEN,),
    "score": (HIDDEN,),
    "score_bias": (1,),
}


cdef float* pointer(array):
    cdef float[::1] view = array.reshape(-1)
    return &view[0]


cdef class TileModel:
    """Weights as float32 arrays of the shapes in SHAPES; `id` is a digest of them."""

    def __init__(self, arrays):
        self.arrays = {}
        digest = blake2b(digest_size=6)
        for name, shape in SHAPES.items():
            array = np.ascontiguousarray(arrays[name], dtype=np.float32)
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}, not {shape}")
            self.arrays[name] = array
            digest.update(array.tobytes())
        self.id = "tile-" + digest.hexdigest()
        self.number = int(digest.hexdigest(), 16)
        self.weights.own = pointer(self.arrays["own"])
        self.weights.other = pointer(self.arrays["other"])
        self.weights.bias = pointer(self.arrays["bias"])
        self.weights.win = pointer(self.arrays["win"])
        self.weights.score = pointer(self.arrays["score"])
        self.weights.score_bias = pointer(self.arrays["score_bias"])


def random_arrays(seed):
    """Small random weights to start training from; scores start near 30 points."""
    rng = np.random.default_rng(seed)
    arrays = {name: (rng.standard_normal(shape) * 0.05).astype(np.float32)
              for name, shape in SHAPES.items()}
    arrays["bias"][:] = 0.1
    arrays["score_bias"][:] = 3.0
    return arrays


def load(path):
    """A model from an .npz file."""
    with np.load(path) as stored:
        return TileModel({name: stored[name] for name in SHAPES})


@cache
def shipped(players):
    """The model that comes with the package, for 2, 3 or 4 players."""
    with (files("shelfie.search") / "models" / f"tile{players}.npz").open("rb") as stream:
        return load(stream)
