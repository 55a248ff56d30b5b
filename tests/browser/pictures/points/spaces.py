"""Read back what Plotly has drawn in a picture in three dimensions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from playwright.sync_api import Locator, expect

ANY = re.compile(r".")
_FIGURE = """(frame) => {
  const plot = frame.querySelector(".plot"), list = (numbers) => Array.from(numbers ?? []);
  return {
    traces: plot.data.map(({x, y, z, mode, marker, line}) =>
      ({x: list(x), y: list(y), z: list(z), mode, colour: (line?.color ?? marker.color)})),
    eye: plot._fullLayout.scene._scene.getCamera().eye,
    sides: plot.layout.scene.aspectratio,
    titles: ["xaxis", "yaxis", "zaxis"].map((axis) => plot.layout.scene[axis].title.text),
    notes: plot.layout.scene.annotations.map(({x, y, z, text}) => ({at: [x, y, z], text})),
  };
}"""
# The position of a point on the screen, by the matrices with which Plotly draws.
_SPOT = """(frame, place) => {
  const plot = frame.querySelector(".plot"), scene = plot._fullLayout.scene._scene;
  const {model, view, projection} = scene.glplot.cameraParams, box = plot.getBoundingClientRect();
  let at = [...place.map((number, i) => number * scene.dataScale[i]), 1];
  for (const by of [model, view, projection]) {
    at = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, i) => sum + by[4 * i + row] * at[i], 0));
  }
  const [right, up] = [at[0] / at[3] / 2, at[1] / at[3] / 2];
  return [box.left + (0.5 + right) * box.width, box.top + (0.5 - up) * box.height];
}"""


def plotted(frame: Locator) -> dict[str, Any]:
    """Its traces, camera, titles of axes and hovered point, once it has come to rest."""
    expect(frame).to_have_attribute("data-plotted", ANY)
    expect(frame).not_to_have_attribute("data-moving", "")
    found: dict[str, Any] = frame.evaluate(_FIGURE)
    return found


def marks(frame: Locator) -> np.ndarray:
    """(points, 3): the positions of the marks of all groups, sorted."""
    traces = plotted(frame)["traces"]
    ways = sum(trace["mode"] == "lines" for trace in traces)
    named = traces[2 * ways :]  # a line and its dots each, then the groups
    places = [at for one in named for at in zip(one["x"], one["y"], one["z"], strict=True)]
    return np.array(sorted(places))


def view(frame: Locator) -> tuple[float, float]:
    """The direction of view in degrees: azimuth around the third axis, and elevation."""
    eye = plotted(frame)["eye"]
    x, y, z = (float(eye[axis]) for axis in "xyz")
    turn, tilt = np.arctan2(x, -y), np.arcsin(z / np.sqrt(x * x + y * y + z * z))
    return float(np.degrees(turn)) % 360, float(np.degrees(tilt))


def spot(frame: Locator, place: np.ndarray) -> tuple[float, float]:
    """The position of a point on the screen, in pixels."""
    x, y = frame.evaluate(_SPOT, [float(number) for number in place])
    return float(x), float(y)
