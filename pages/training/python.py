"""The lines of Python that train by the same recipe, and give the numbers at the same step."""

from __future__ import annotations


def lines(written: str, step: int, *, changed: bool = False) -> dict[str, str]:
    """Loss, accuracy and pattern.

    Args:
        written: the recipe, as `recipe_code` writes it.
        step: after how many steps.
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
