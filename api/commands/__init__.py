"""The commands of `shelfie`; each module adds its own to the parser with `add`."""
