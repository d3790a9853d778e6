"""A client of the service: the standard library only, and nothing else of this project.

    from shelfie.api.client import Client

    client = Client("http://127.0.0.1:8000")
    position = client.new("dice", 2)["notation"]
    print(client.move("dice", position, level=5)["chosen"]["move"])

Answers are the service's JSON as dictionaries. What goes wrong is a `ServiceError`: a `Problem`
(the service refused), `Unreachable` (no answer) or `CutShort` (a stream without its end).
"""

from shelfie.api.client.client import Client
from shelfie.api.client.errors import CutShort, Problem, ServiceError, Unreachable
from shelfie.api.client.retries import Retries

__all__ = ["Client", "CutShort", "Problem", "Retries", "ServiceError", "Unreachable"]
