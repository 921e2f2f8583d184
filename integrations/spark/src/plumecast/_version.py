"""The version of this package, and of the plumecast that it belongs to."""

__version__ = "0.1.0"
