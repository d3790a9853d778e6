"""The addresses of the service, a blueprint per subject."""
