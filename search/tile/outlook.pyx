"""How the scores of a game may end: games played on by the model, one move ahead."""

from libc.math cimport expf
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from shelfie.engine.game cimport CHANCE, MAX_PLAYERS, TERMINAL
from shelfie.engine.rng cimport rng_make, rng_t, rng_uniform
from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.position cimport TilePosition
from shelfie.engine.tile.state cimport TileState
from shelfie.search.evaluator cimport Candidate, Value
from shelfie.search.tile.evaluator cimport TileEvaluator
from shelfie.search.tile.features cimport card_posterior

cdef enum:
    CHOICES = 4             # moves that a game may go on with, by static value

cdef float TEMPERATURE = 0.01   # win share; keeps the games apart where moves are alike


def final_scores(TilePosition position, TileEvaluator evaluator, int games, uint64_t seed,
                 int first=0):
    """Final scores per seat of `games` games from a position: a list of lists.

    first: number of the first game; a game is told by seed and number.
    Cards that the position does not tell are drawn once a game, as likely as the shelf makes
    them; the players go on as if they did not know them.
    """
    cdef TileGame game = position.game
    cdef Candidate* candidates = <Candidate*>malloc(game.max_moves * sizeof(Candidate))
    cdef int[MAX_PLAYERS] score
    cdef int i, p
    if candidates == NULL:
        raise MemoryError
    found = []
    for i in range(first, first + games):
        with nogil:
            play_on(game, <TileState*>position.state, evaluator, candidates,
                    rng_make(seed, i), score)
        found.append([score[p] for p in range(game.n_players)])
    free(candidates)
    return found


cdef void play_on(TileGame game, const TileState* start, TileEvaluator evaluator,
                  Candidate* candidates, rng_t rng, int* score) noexcept nogil:
    cdef TileState s = start[0]
    cdef Value ignored
    cdef int[4] parts
    cdef int kind, n, i, p
    cdef float total, x
    while True:
        kind = game.node_kind(&s)
        if kind == TERMINAL:
            break
        if kind == CHANCE:
            game.sample_chance(&s, &rng)
            continue
        n = evaluator.expand(&s, CHOICES, candidates, &ignored)
        total = 0
        for i in range(n):
            total += expf((candidates[i].value - candidates[0].value) / TEMPERATURE)
        x = <float>rng_uniform(&rng) * total
        for i in range(n):
            x -= expf((candidates[i].value - candidates[0].value) / TEMPERATURE)
            if x < 0:
                break
        game.take(&s, candidates[min(i, n - 1)].move)
    if game.personal_goals:
        draw_cards(game, &s, &rng)
    for p in range(game.n_players):
        game.scores(&s, p, parts)
        score[p] = parts[0] + parts[1] + parts[2] + parts[3]


cdef void draw_cards(TileGame game, TileState* s, rng_t* rng) noexcept nogil:
    cdef float[13] chance
    cdef float x
    cdef int p, card
    for p in range(game.n_players):
        if s.personal[p] == 0:
            card_posterior(s, game.n_players, p, chance)
            x = <float>rng_uniform(rng)
            for card in range(1, 13):
                x -= chance[card]
                if x < 0:
                    break
            s.personal[p] = min(card, 12)
