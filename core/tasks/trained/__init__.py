"""What a trained model can be asked: translations, traces, contributions; and how it is saved."""
