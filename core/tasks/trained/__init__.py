"""A trained model in use: translations, traces, contributions; and its file format."""
