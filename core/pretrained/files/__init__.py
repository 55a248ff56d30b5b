"""What lies in a model's folder or on the hub, looked at before anything heavy is imported."""
