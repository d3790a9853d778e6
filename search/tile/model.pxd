"""The value model of the tile game: one hidden layer over additive shelf sums.

For seat p with n seats, H hidden units and feature sums x:
    hidden(p) = relu(bias + own x(p) + other sum of x(q), q != p + turn t(p))
    win share = softmax over p of (win . hidden(p)); score(p) = score_bias + score . hidden(p)
"""

cdef enum:
    HIDDEN = 64

cdef struct Weights:
    float* own                      # [N_FEATURES][HIDDEN]
    float* other                    # [N_FEATURES][HIDDEN]
    float* bias                     # [HIDDEN]
    float* win                      # [HIDDEN]
    float* score                    # [HIDDEN]
    float* score_bias               # [1]


cdef class TileModel:
    cdef readonly str id
    cdef unsigned long long number  # the digest in `id`
    cdef readonly dict arrays       # the numpy arrays, which own the memory behind `weights`
    cdef Weights weights
