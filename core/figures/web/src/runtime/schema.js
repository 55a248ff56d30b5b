// What is chosen in each picture and what is told beside it, as both languages read it (`core/figures/schema.py`
// explains its words). In the bundle of a picture stands its own part.
import SCHEMA from "../schema.json" with { type: "json" };

export const TYPES = SCHEMA.types;
export const STATES = SCHEMA.states;

/** Throws where what a picture tells has a field that its schema has not, or lacks one. */
export function checkNames(schema, told) {
  const wrong = Object.keys({ ...schema, ...told }).filter((name) => !(name in schema && (name in told || schema[name].optional)));
  if (wrong.length) throw new Error(`Not as schema.json has this picture's state: ${wrong}`);
}
