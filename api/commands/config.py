"""shelfie config: the settings in force."""

import argparse
from typing import Any

from shelfie.api.commands.common import add_json, print_json
from shelfie.api.refusals import Refused, RequestFault
from shelfie.api.settings import Settings, SettingsError


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("config", help="The settings in force, from the environment")
    add_json(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Prints every setting by its variable; secrets are not shown."""
    shown = read().shown()
    if given.json:
        print_json(shown)
        return
    for name, value in shown.items():
        print(f"{name}={text_of(value)}")


def read(**given: Any) -> Settings:
    """The settings; `Refused` with everything that is wrong with them."""
    try:
        return Settings.from_environment(**given)
    except SettingsError as error:
        faults = [RequestFault("", "setting", fault) for fault in error.faults]
        raise Refused(faults) from None


def text_of(value: Any) -> str:
    """A value as the environment would hold it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)
