import { test } from "node:test";
import { equal, match, ok } from "node:assert/strict";
import { declared, isCurrent } from "../../../core/figures/web/states.js";

test("the types of states are made from today's schema", async () => {
  ok(await isCurrent(), "core/figures/web/src/states.d.ts is older than schema.json: run make dist");
});

test("a field has the type that the schema's words give it", () => {
  const text = declared({
    types: { share: { type: "number", minimum: 0, maximum: 1 } },
    states: {
      bench: {
        kind: { enum: ["wood", "stone"], nullable: true },
        worn: { type: "share" },
        seats: { type: "array", items: { type: "share", nullable: true }, maxItems: 9 },
        ends: { type: "array", items: { type: "share" }, minItems: 2, maxItems: 2 },
        moved: { type: "boolean", optional: true },
      },
    },
    events: { sat: { who: { type: "string" }, where: { type: "object", properties: { seat: { type: "integer" } } } } },
  });
  for (const line of [
    "export type Share = number;", 'kind: "wood" | "stone" | null;', "worn: Share;", "seats: (Share | null)[];",
    "ends: [Share, Share];", "sat: { who: string; where: { seat: number; }; };",
  ]) ok(text.includes(line), `${line}\n${text}`);
  const [, state, more] = text.match(/BenchState \{([^}]*)\}[^]*BenchMore \{([^}]*)\}/) ?? [];
  match(more, /moved\?: boolean;/);
  equal(state.includes("moved"), false);
});
