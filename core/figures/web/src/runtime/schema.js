// What is chosen in each picture and what is told beside it, as both languages read it (`core/figures/schema.py`
// explains its words; states.d.ts is made from it).
import SCHEMA from "../schema.json" with { type: "json" };

export const TYPES = SCHEMA.types;
export const STATES = SCHEMA.states;
