"""How many users there are at what time, after the plan."""

from locust import LoadTestShape

from clients.users import PLAN, BatchUser, BotUser, SuggestionUser


class PlannedShape(LoadTestShape):
    """Phase after phase; ends with the last, or when enough calls have been made."""

    told = ""

    def tick(self) -> tuple[int, float] | None:
        phase = PLAN.phase_at(self.get_run_time())
        if not phase or self.runner.environment.stats.total.num_requests >= PLAN.most_calls:
            return None
        name, _, load = phase
        if name != self.told:
            self.told = name
            self.runner.send_message("phase", {"phase": name})
        users = PLAN.suggestions(load) + BotUser.fixed_count + BatchUser.fixed_count
        return users, 100.0  # as good as all at once


__all__ = ["BatchUser", "BotUser", "PlannedShape", "SuggestionUser"]
