"""Features of one player for the value model; see features.pxd for the blocks."""

from libc.math cimport expf, log
from libc.stdint cimport uint8_t, uint32_t

from shelfie.engine.tile.game cimport CARD_PLACE
from shelfie.engine.tile.shelf cimport (
    ctz32, group_of, lowest, neighbours, popcount32,
)
from shelfie.engine.tile.room cimport cell_bit, eastward, list_cells, popcount64, surrounded
from shelfie.engine.tile.state cimport N_CELLS, NOBODY, UNKNOWN_CARD, cells_t, occupied
from shelfie.search.tile.distance cimport distance_to_goal


cdef inline void add(Features* f, int feature, float value) noexcept nogil:
    f.id[f.n] = feature
    f.value[f.n] = value
    f.n += 1


cdef int goal_distance(int goal, const uint32_t* shelf, const uint8_t* height) noexcept nogil:
    return distance_to_goal(goal, shelf, height)


cdef void shelf_features(TileGame game, const TileState* s, int player, Features* f) noexcept nogil:
    cdef const uint32_t* shelf = s.shelf[player]
    cdef const uint8_t* height = s.height[player]
    f.n = 0
    height_features(height, s.filled[player], f)
    group_features(shelf, height, f)
    count_features(shelf, f)
    if game.personal_goals:
        card_features(s, game.n_players, player, f)
    goal_features(game, s, player, f)


cdef void height_features(const uint8_t* height, int filled, Features* f) noexcept nogil:
    cdef int[7] columns
    cdef int c, h, room2 = 0, room3 = 0
    for h in range(7):
        columns[h] = 0
    for c in range(5):
        columns[height[c]] += 1
        room2 += height[c] <= 4
        room3 += height[c] <= 3
    for h in range(7):
        if columns[h]:
            add(f, F_HEIGHTS + h, columns[h])
    add(f, F_FILLED + filled, 1)
    add(f, F_ROOM3 + room3, 1)
    add(f, F_ROOM2 + room2, 1)


cdef void group_features(const uint32_t* shelf, const uint8_t* height, Features* f) noexcept nogil:
    """Groups by size and by what lies beside them: nothing free, free but in the air, one or
    two places where the next tile of a column lands."""
    cdef uint32_t taken = 0, landing = 0, rest, group, beside
    cdef int[20] kinds
    cdef int t, c, n, big = 0, beyond = 0, open_kind, lands, joins
    for t in range(6):
        taken |= shelf[t]
    for c in range(5):
        if height[c] < 6:
            landing |= <uint32_t>1 << (6 * c + height[c])
    for n in range(20):
        kinds[n] = 0
    for t in range(6):
        rest = shelf[t]
        joins = 0
        while rest:
            group = group_of(lowest(rest), rest)
            rest &= ~group
            n = popcount32(group)
            if n >= 6:
                big += 1
                beyond += n - 6
                if joins == 0 and neighbours(group) & landing:
                    joins = 6
                continue
            beside = neighbours(group) & ~taken
            lands = popcount32(beside & landing)
            if lands and (n > joins or joins == 6):
                joins = n
            open_kind = 2 + (lands > 1) if lands else beside != 0
            kinds[4 * (n - 1) + open_kind] += 1
        f.wish[t] = joins
    for n in range(20):
        if kinds[n]:
            add(f, F_GROUPS + n, kinds[n])
    if big:
        add(f, F_BIG, big)
        if beyond:
            add(f, F_BIG + 1, beyond)


cdef void count_features(const uint32_t* shelf, Features* f) noexcept nogil:
    cdef int[6] counts
    cdef int t, k, n
    for t in range(6):      # insertion into falling order
        n = popcount32(shelf[t])
        k = t
        while k > 0 and counts[k - 1] < n:
            counts[k] = counts[k - 1]
            k -= 1
        counts[k] = n
    for t in range(6):
        add(f, F_COUNTS + 9 * t + min(counts[t], 8), 1)


# ---- personal goal

# Share of the filled places of one's own card that match it, by tiles on the shelf in steps of
# five: measured in self-play of the shipped two-player model, then mixed with 10% of players who
# match by chance (1/6), so that a single odd place does not rule a card out.
MATCH_SHARE = [0.9 * q + 0.1 / 6 for q in (0.99, 0.96, 0.91, 0.87, 0.83, 0.82, 0.82)]

cdef float[7] MATCH_LOG
cdef float[7] MISS_LOG
for _step in range(7):
    MATCH_LOG[_step] = log(MATCH_SHARE[_step] * 6)
    MISS_LOG[_step] = log((1 - MATCH_SHARE[_step]) * 6 / 5)


cdef inline void card_state(int card, const uint32_t* shelf, uint32_t taken, int* matched,
                            uint32_t* still_open) noexcept nogil:
    cdef int t
    cdef uint32_t places = 0
    matched[0] = 0
    for t in range(6):
        matched[0] += (shelf[t] & CARD_PLACE[card][t]) != 0
        places |= CARD_PLACE[card][t]
    still_open[0] = places & ~taken


cdef void card_posterior(const TileState* s, int n_players, int player, float* p) noexcept nogil:
    cdef uint32_t known = 0, taken = 0, still_open
    cdef int q, card, t, matched, n_open, step = s.filled[player] // 5
    cdef float total = 0
    if s.personal[player] != UNKNOWN_CARD:
        for card in range(13):
            p[card] = card == s.personal[player]
        return
    for q in range(n_players):
        known |= <uint32_t>1 << s.personal[q]
    for t in range(6):
        taken |= s.shelf[player][t]
    p[0] = 0
    for card in range(1, 13):
        p[card] = 0
        if not known >> card & 1:
            card_state(card, s.shelf[player], taken, &matched, &still_open)
            n_open = popcount32(still_open)
            p[card] = expf(MATCH_LOG[step] * matched + MISS_LOG[step] * (6 - n_open - matched))
            total += p[card]
    for card in range(1, 13):
        p[card] /= total


cdef void card_features(const TileState* s, int n_players, int player, Features* f) noexcept nogil:
    cdef float[13] p
    cdef float[55] sums
    cdef uint32_t taken = 0, still_open, place
    cdef int card, t, matched, k
    cdef const uint8_t* height = s.height[player]
    for k in range(55):
        sums[k] = 0
    for t in range(6):
        taken |= s.shelf[player][t]
    card_posterior(s, n_players, player, p)
    for card in range(1, 13):
        if p[card] < 0.001:
            continue
        card_state(card, s.shelf[player], taken, &matched, &still_open)
        sums[7 * matched + popcount32(still_open)] += p[card]
        for t in range(6):
            place = CARD_PLACE[card][t] & still_open
            if place:
                k = ctz32(place)
                sums[49 + k % 6 - height[k // 6]] += p[card]
                if k % 6 == height[k // 6] and p[card] > 0.5 and f.wish[t] < 7:
                    f.wish[t] += 7
    for k in range(55):
        if sums[k] > 0:
            add(f, F_CARD + k, sums[k])


# ---- common goals and tokens

cdef void goal_features(TileGame game, const TileState* s, int player, Features* f) noexcept nogil:
    cdef int g, k, points = 0, missing
    cdef bint claimed
    for g in range(game.n_goals):
        claimed = False
        for k in range(s.n_claims[g]):
            if s.claims[g][k] == player:
                claimed = True
                points += token(game.n_players, k)
        if not claimed:
            missing = distance_to_goal(game.goal[g], s.shelf[player], s.height[player])
            k = (token(game.n_players, s.n_claims[g]) >> 1) - 1     # 8, 6, 4, 2 -> 3, 2, 1, 0
            add(f, F_GOALS + (game.goal[g] * 10 + missing) * 4 + k, 1)
    add(f, F_TOKENS + min(points >> 1, 8), 1)


cdef inline int token(int players, int order) noexcept nogil:
    """8, 4 for two; 8, 6, 4 for three; 8, 6, 4, 2 for four players."""
    return 8 - order * (4 if players == 2 else 2)


# ---- whose turn, and what the living room offers

cdef void cells_by_type(const TileState* s, cells_t* of_type) noexcept nogil:
    cdef uint8_t[N_CELLS + 7] cells
    cdef int t, i, n = list_cells(occupied(s), cells)
    for t in range(6):
        of_type[t] = 0
    for i in range(n):
        of_type[s.tiles[cells[i]]] |= cell_bit(cells[i])


cdef void look_at_room(TileGame game, const TileState* s, const cells_t* of_type,
                       Room* room) noexcept nogil:
    """`of_type` may still hold cells that have been emptied."""
    cdef cells_t here = occupied(s), free, x, across, down
    cdef int t, c, most = 0
    room.refill = game.refill_due(s)
    room.tiles = popcount64(s.occupied_low) + popcount64(s.occupied_high)
    for c in range(5):
        most = max(most, 6 - s.height[s.to_move][c])
    most = min(most, 3)
    free = here & ~surrounded(here)
    for t in range(6):
        x = of_type[t] & free
        across = x & eastward(x)
        down = x & (x >> 9)
        if (across & eastward(across)) | (down & (down >> 9)):
            room.takeable[t] = most
        elif across | down:
            room.takeable[t] = min(most, 2)
        else:
            room.takeable[t] = 1 if x != 0 and most > 0 else 0


cdef void turn_features(TileGame game, const TileState* s, int player, Features* f) noexcept nogil:
    cdef int n = game.n_players, first = game.first_player
    cdef int until = (player - s.to_move + n) % n
    f.n = 0
    add(f, F_SEAT + (player - first + n) % n, 1)
    add(f, F_TURN + until, 1)
    if s.end_token != NOBODY:
        add(f, F_LAST + (s.end_token != player), 1)
        # The round is being finished: does this player still move?
        if s.to_move != first and (player - first + n) % n >= (s.to_move - first + n) % n:
            add(f, F_LAST + 2, 1)
        else:
            add(f, F_LAST + 3, 1)


cdef void room_features(const Room* room, const uint8_t* wish, bint next,
                        Features* f) noexcept nogil:
    cdef int t, block = F_NEXT if next else F_NEXT_OTHER
    add(f, F_TILES + min(room.tiles // 3, 15), 1)
    if room.refill:
        add(f, F_REFILL + (0 if next else 1), 1)
        return
    for t in range(6):
        add(f, block + 14 * room.takeable[t] + wish[t], 1)
