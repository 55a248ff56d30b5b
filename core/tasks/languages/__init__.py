"""Small languages with known answers, one module a task; no torch."""
