import { test } from "node:test";
import { doesNotThrow, throws } from "node:assert/strict";
import { checkNames } from "../../../../core/figures/web/src/runtime/report.js";
import { STATES } from "../../../../core/figures/web/src/runtime/schema.js";

test("what is told has the fields of its schema, no more and no fewer", () => {
  doesNotThrow(() => checkNames(STATES.steps, { step: 1, row: 0, column: 2 }));
  throws(() => checkNames(STATES.steps, { step: 1, row: 0, column: 2, lines: 1 }), /lines/);
  throws(() => checkNames(STATES.steps, { step: 1, row: 0 }), /column/);
});

test("a field that is told now and then may be missing", () => {
  const { up, open, ...always } = STATES.layer;
  const told = Object.fromEntries(Object.keys(always).map((name) => [name, null]));
  doesNotThrow(() => checkNames(STATES.layer, told));
  doesNotThrow(() => checkNames(STATES.layer, { ...told, up: true, open: null }));
  throws(() => checkNames({ up, open }, { away: 1 }), /away/);
});
