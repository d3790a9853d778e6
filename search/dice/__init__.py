"""Search in the dice game: a turn solved exactly over a judgement of after-states."""
