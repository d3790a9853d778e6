"""`python -m shelfie.api.health`: exit code 0 when the service on this machine is ready.

For container health checks; it asks /readyz on PORT and needs no other program.
"""

import os
import sys
import urllib.error
import urllib.request


def ready(port: str, timeout: float = 4.0) -> bool:
    """Whether /readyz on this machine answers 200 within `timeout` seconds."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=timeout) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError, ValueError):
        return False


if __name__ == "__main__":
    sys.exit(0 if ready(os.environ.get("PORT", "8000")) else 1)
