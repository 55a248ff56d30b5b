"""Points at one depth: named ones with their trails, and clouds, in the plane and in space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..figures import Picture
from ..records.frozen import Array
from . import look

_HEIGHT, _DEEP = 460, 560  # pixels, in the plane and in space
_VIEW = (50, 25)  # degrees, in which all three axes are visible
_SYMBOLS = {
    "circle": "circle",
    "square": "square",
    "diamond": "diamond",
    "ring": "circle-open",
    "left": "triangle-left-open",
    "right": "triangle-right-open",
    "up": "triangle-up",
    "frame": "square-open",
    "gem": "diamond-open",
    "down": "triangle-down",
}
# Plotly has no triangles in three dimensions.
_SYMBOLS_3D = {**_SYMBOLS, "up": "cross", "down": "x"}


def plane(picture: Picture) -> go.Figure:
    """Named points at the depth of the picture, with their trails up to it."""
    header = picture.header
    points, depth = header["points"], header["state"]["depth"]
    at = np.frombuffer(picture.payload, "<f4").reshape(len(points), len(header["steps"]), 2)
    traces: list[Any] = []
    for point, path in zip(points, at, strict=True):
        look_of = {"color": point["colour"], "size": 11 if point.get("bold") else 9}
        if point.get("trail") and depth:
            traces.append(_trail(path[: depth + 1].T, point["colour"], go.Scatter))
        elif point.get("dashed") and depth:
            traces.append(_trail(path[[0, depth]].T, point["colour"], go.Scatter, dash="dash"))
        name = look.literal(point["name"])
        traces.append(
            go.Scatter(
                x=path[depth, :1],
                y=path[depth, 1:],
                mode="markers+text",
                name=name,
                text=[f"<b>{name}</b>" if point.get("bold") else name],
                textposition="top center",
                cliponaxis=False,
                marker={"symbol": _SYMBOLS[point["mark"]], **look_of},
                textfont={"color": point["colour"]},
                hovertemplate=f"{name}: %{{x:.3f}}, %{{y:.3f}}<extra></extra>",
            )
        )
    axes = {f"{axis}axis": _axis(header[axis]) for axis in "xy"}
    return look.figure(traces, header, height=_HEIGHT, showlegend=False, **axes)


def cloud(picture: Picture) -> go.Figure:
    """Occurrences at the depth of the picture, a trace for each group."""
    header = picture.header
    at, of = _cloud(picture, 2)
    names = [look.literal("".join(parts)) for parts in header["texts"]]
    traces = [
        _group(group, at[of == i].T, [names[j] for j in np.flatnonzero(of == i)], go.Scatter)
        for i, group in enumerate(header["groups"])
    ]
    axes = {f"{axis}axis": _axis(header[axis]) for axis in "xy"}
    return look.figure(traces, header, height=_HEIGHT, showlegend=_is_named(header), **axes)


def space(picture: Picture) -> go.Figure:
    """Points in three dimensions at the depth of the picture, seen from its current angle."""
    header = picture.header
    at, of = _cloud(picture, 3)
    depth, trails = header["state"]["depth"], header["trails"]
    whole = np.frombuffer(picture.payload, "<f4", len(header["steps"]) * len(of) * 3)
    paths = whole.reshape(len(header["steps"]), len(of), 3)
    texts = [look.literal("".join(parts)) for parts in header["texts"]]
    shown = header["names"]
    traces: list[Any] = [
        _trail(paths[: depth + 1, i].T, header["groups"][of[i]]["light"], go.Scatter3d)
        for i in trails
        if depth
    ]
    for i, group in enumerate(header["groups"]):
        which = np.flatnonzero(of == i)
        labels = [texts[j] for j in which]
        trace = _group(group, at[which].T, labels, go.Scatter3d)
        if shown is not None:
            trace.update(mode="markers+text", text=[look.literal(shown[j]) for j in which])
        traces.append(trace)
    axes = {
        f"{axis}axis": {"title": {"text": look.literal(title)}}
        for axis, title in zip("xyz", header["titles"], strict=True)
    }
    camera = {"eye": _eye(*(header["state"]["view"] or _VIEW))}
    scene: dict[str, Any] = {**axes, "aspectmode": "data", "camera": camera}
    return look.figure(traces, header, height=_DEEP, showlegend=_is_named(header), scene=scene)


def _cloud(picture: Picture, numbers: int) -> tuple[Array, Array]:
    """At the depth of the picture: (points, numbers) coordinates, and (points,) the group of each."""
    header = picture.header
    depths, count = len(header["steps"]), len(header["texts"])
    depth, size = header["state"]["depth"], depths * count * numbers
    at = np.frombuffer(picture.payload, "<f4", size).reshape(depths, count, numbers)
    of = np.frombuffer(picture.payload, np.uint8, offset=4 * size).reshape(-1, count)
    return at[depth], of[depth if len(of) > 1 else 0]


def _group(group: Mapping[str, Any], at: Array, names: list[str], kind: Any) -> Any:
    symbols = _SYMBOLS if kind is go.Scatter else _SYMBOLS_3D
    size = 9 if kind is go.Scatter else 5
    return kind(
        **dict(zip("xyz", at, strict=False)),
        mode="markers",
        name=look.literal(group["name"]),
        marker={"symbol": symbols[group["mark"]], "color": group["light"], "size": size},
        customdata=names,
        hovertemplate="%{customdata}<extra>%{fullData.name}</extra>",
    )


def _trail(at: Array, colour: str, kind: Any, **line: Any) -> Any:
    return kind(
        **dict(zip("xyz", at, strict=False)),
        mode="lines",
        line={"color": colour, "width": 1.5 if kind is go.Scatter else 3, **line},
        hoverinfo="skip",
        showlegend=False,
    )


def _is_named(header: Mapping[str, Any]) -> bool:
    return len(header["groups"]) > 1 and any(group["name"] for group in header["groups"])


def _axis(axis: Mapping[str, Any]) -> dict[str, Any]:
    low, high = axis["bounds"]
    room = 0.08 * (high - low)
    made = {"title": {"text": look.literal(axis["title"])}, "range": [low - room, high + room]}
    if axis["marks"]:
        made["tickvals"] = [at for at, _ in axis["marks"]]
        made["ticktext"] = [look.literal(text) for _, text in axis["marks"]]
    return made


def _eye(around: float, above: float) -> dict[str, float]:
    """The position of the camera, from its azimuth and its elevation, both in degrees."""
    a, b = np.radians([around, above])
    distance = 2.0
    return {
        "x": float(distance * np.cos(a) * np.cos(b)),
        "y": float(distance * np.sin(a) * np.cos(b)),
        "z": float(distance * np.sin(b)),
    }
