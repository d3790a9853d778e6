"""shelfie key: makes a key for a caller."""

import argparse
from typing import Any

from shelfie.api.commands.common import add_json, bad_argument, print_json
from shelfie.api.key_entries import entry_of, new_key


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("key", help="Makes a key for a caller of the service")
    command.add_argument("name", metavar="NAME", help="of the caller, for logs and quotas")
    add_json(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Prints the key, which is stored nowhere, and what SHELFIE_KEYS has to hold."""
    key = new_key()
    try:
        entry = entry_of(given.name, key)
    except ValueError as error:
        raise bad_argument(str(error)) from None
    if given.json:
        print_json({"name": given.name, "key": key, "entry": entry})
    else:
        print(f"key for {given.name}: {key}\nentry of SHELFIE_KEYS: {entry}")
