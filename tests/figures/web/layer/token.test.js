import { test } from "node:test";
import { deepEqual, ok } from "node:assert/strict";
import { fullBar } from "../../../../core/figures/web/src/layer/token.js";

test("a full bar stands for a round weight that no bar exceeds, and 0.63 does not fill it", () => {
  deepEqual([1, 0.6296, 0.5, 0.4999, 0.21, 0.2, 0.101, 0.1, 0.034, 0].map(fullBar), [1, 1, 0.5, 0.5, 0.5, 0.2, 0.2, 0.1, 0.05, 1]);
  for (let most = 1e-7; most < 1; most *= 1.37) ok(fullBar(most) >= most && fullBar(most) < 2.6 * most, `${most}`);
});
