"""The files of a model, in a folder or on the hub, checked before anything heavy is imported."""
