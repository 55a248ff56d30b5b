"""The version of Polysee, defined only here."""

VERSION = "0.1.0"
