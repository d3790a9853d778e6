"""The caller's trace id out of `traceparent` (W3C Trace Context), or a new one."""

import re
import secrets

_PARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?")


def trace_id(traceparent: str) -> str:
    """Thirty-two hexadecimal digits; a header that is not valid is as none."""
    found = _PARENT.fullmatch(traceparent)
    if found:
        version, trace, parent, more = found.groups()
        # Later versions may go on after a dash; "ff" is forbidden, and so are ids of zeros.
        if (
            version != "ff"
            and int(trace, 16)
            and int(parent, 16)
            and not (version == "00" and more)
        ):
            return trace
    return secrets.token_hex(16)
