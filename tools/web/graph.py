"""An ONNX graph while it is written: nodes, small constants, and weights that lie beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

_OPSET, _IR = 18, 9  # older than any run-time that is still in use


class Graph:
    """Nodes in their order, and what they read that no run gives them."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.stored: list[Any] = []
        self._names: Iterator[int] = count()
        self._constants: dict[tuple[Any, ...], str] = {}

    def op(self, kind: str, *inputs: str, into: str | None = None, **attributes: Any) -> str:
        """One operation with one result, `into`; returns the name of the result."""
        name = into or f"{kind.lower()}_{next(self._names)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value: Any, dtype: type = np.int64) -> str:
        """A small constant; equal ones are there once."""
        array: Any = np.asarray(value, dtype)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = f"constant_{len(self._constants)}"
            self.stored.append(numpy_helper.from_array(array, self._constants[key]))
        return self._constants[key]

    def weight(self, name: str, shape: Sequence[int]) -> str:
        """A weight, which lies in a file of its own name."""
        tensor = TensorProto(
            name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL
        )
        length = 4 * int(np.prod(shape))
        for key, value in (("location", name), ("offset", 0), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        self.stored.append(tensor)
        return name

    def norm(self, x: str, weight: str, eps: float) -> str:
        """RMSNorm, as its formula says: x / √(mean of x² + ε) · weight."""
        return self.op("Mul", self.op("Div", x, self.root(x, eps)), weight)

    def root(self, x: str, eps: float) -> str:
        """What RMSNorm divides by, (rows, 1)."""
        mean = self.op("ReduceMean", self.op("Mul", x, x), self.constant([-1]), keepdims=1)
        return self.op("Sqrt", self.op("Add", mean, self.constant(eps, np.float32)))

    def linear(self, x: str, weight: str, into: str | None = None) -> str:
        """(rows, inputs) to (rows, outputs), by a weight (outputs, inputs)."""
        return self.op("Gemm", x, weight, into=into, transB=1)

    def transposed(self, slope: str, weight: str) -> str:
        """(rows, outputs) back to (rows, inputs), by the same weight as `linear`."""
        return self.op("MatMul", slope, weight)

    def shaped(self, x: str, *shape: int) -> str:
        """In another shape; 0 keeps a dimension, and −1 is what is left."""
        return self.op("Reshape", x, self.constant(shape))

    def stack(self, parts: Sequence[str], axis: int, into: str | None = None) -> str:
        """Equal shapes along a new axis."""
        at = self.constant([axis])
        return self.op(
            "Concat", *(self.op("Unsqueeze", one, at) for one in parts), into=into, axis=axis
        )

    def model(
        self,
        inputs: dict[str, tuple[Any, ...]],
        outputs: dict[str, tuple[int, tuple[Any, ...]]],
    ) -> bytes:
        """The whole as the content of a file."""
        info = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            "decoder",
            [info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
            [info(name, kind, shape) for name, (kind, shape) in outputs.items()],
            self.stored,
        )
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
        made.ir_version = _IR
        serialized: bytes = made.SerializeToString(deterministic=True)
        return serialized
