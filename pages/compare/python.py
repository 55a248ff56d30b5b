"""Python code for the results of Compare: the position of the word after each layer."""

from __future__ import annotations

from core.comparison import Question
from ui import same_in_python


def lines(question: Question) -> dict[str, str]:
    """Code for the word's coordinates between its two ends; without ends, for a cosine."""
    sides = {"a": question.a, "b": question.b}
    head = [same_in_python.imports(question.model)]
    if question.ends is None:
        head.append("from core.measures import cosines, word_path")
    code = [*head, "", f"model = core.load({question.model!r})"]
    code += [f"{name} = model.trace({side.text!r})" for name, side in sides.items()]
    tokens = {
        name: f"{name}, {name}.find({side.word!r}{f', {side.number}' if side.number else ''})"
        for name, side in sides.items()
    }
    if question.ends is None:
        path_a, path_b = (f"word_path({of})" for of in tokens.values())
        code += [
            f"cosines({path_a}, {path_b})  # the learned row, the input of layer 1, each layer",
        ]
        return {"Python": "\n".join(code)}
    low, high = (list(end) for end in (question.ends.low, question.ends.high))
    code += [f"low = {low!r}  # −1", f"high = {high!r}  # +1"]
    axes = {name: f"axis_{name}" for name in sides}
    if question.a.word == question.b.word:
        axes = dict.fromkeys(sides, "axis")
    for name, axis in axes.items():
        line = f"{axis} = model.sense_axis({sides[name].word!r}, low, high)"
        if line not in code:
            code.append(line)
    code.append("# after each layer, A and B:")
    code.append(", ".join(f"{axes[name]}.coordinates({tokens[name]})" for name in sides))
    return {"Python": "\n".join(code)}
