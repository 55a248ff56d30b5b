// The state of each picture and its events, as both languages read them (`core/figures/schema.py` explains the
// vocabulary; states.d.ts is generated from it).
import SCHEMA from "../schema.json" with { type: "json" };

export const TYPES = SCHEMA.types;
export const STATES = SCHEMA.states;
