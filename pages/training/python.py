"""Python code that trains with the same recipe, and returns the numbers at the same step."""

from __future__ import annotations


def lines(written: str, step: int, *, changed: bool = False) -> dict[str, str]:
    """Code for loss, accuracy and pattern.

    Args:
        written: the code of the recipe, from `recipe_code`.
        step: the number of steps.
        changed: whether the learning rate was changed by hand.
    """
    code = [
        "from core.tasks import train",
        "from core.tasks.training import recipe_code",
        "",
        f"recipe = recipe_code.read({written!r})",
        *(["# You changed the learning rate of this run; the recipe does not record that."] * changed),
        f"snapshot = train(recipe).advance({step})  # steps",
        "snapshot.loss, snapshot.accuracy, snapshot.pattern",
    ]
    return {"Python": "\n".join(code)}
