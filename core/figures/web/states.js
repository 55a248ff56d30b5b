// Generates src/states.d.ts, the types of the states and events of pictures, from src/schema.json. `make
// dist` writes it; `make types` fails if it is older than the schema.
import { readFile, writeFile } from "node:fs/promises";

const SCHEMA = new URL("src/schema.json", import.meta.url);
const DECLARED = new URL("src/states.d.ts", import.meta.url);

const capital = (/** @type {string} */ name) => name[0].toUpperCase() + name.slice(1);
const range = (/** @type {Field} */ { minimum, maximum }) => `${minimum} to ${maximum}`;

/**
 * A field of schema.json; `core/figures/schema.py` explains its keywords.
 * @typedef {object} Field
 * @property {string} [type]
 * @property {string[]} [enum]
 * @property {Field} [items]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {Record<string, Field>} [properties]
 * @property {boolean} [nullable]
 * @property {boolean} [optional]
 * @typedef {Record<string, Field>} Fields
 */

/** @param {{ types: Fields, states: Record<string, Fields>, events: Record<string, Fields> }} schema */
export function declared({ types, states, events }) {
  const lines = ["// Made from schema.json by states.js (`make dist`): change that file, not this one.", ""];
  for (const [name, field] of Object.entries(types)) {
    lines.push(`/** ${capital(field.type ?? "")}, ${range(field)}. */`, `export type ${capital(name)} = number;`);
  }
  /** @param {Field} field @returns {string} */
  const valueOf = (field) => {
    const { type = "", items, minItems, maxItems, properties, nullable } = field;
    let value = { integer: "number", number: "number" }[type] ?? type;
    if (field.enum) value = field.enum.map((one) => JSON.stringify(one)).join(" | ");
    else if (type in types) value = capital(type);
    else if (type === "array" && items) {
      const each = valueOf(items);
      value = minItems !== undefined && minItems === maxItems
        ? `[${Array(minItems).fill(each).join(", ")}]` : `${each.includes("|") ? `(${each})` : each}[]`;
    } else if (type === "object" && properties) {
      value = `{ ${Object.entries(properties).map(([name, one]) => fieldOf(name, one)).join(" ")} }`;
    }
    return nullable ? `${value} | null` : value;
  };
  /** @param {string} name @param {Field} field */
  const fieldOf = (name, field) => `${name}${field.optional ? "?" : ""}: ${valueOf(field)};`;
  /** @param {string} head @param {[string, Field][]} fields */
  const interfaceOf = (head, fields) => lines.push(
    `export interface ${head} {`, ...fields.map(([name, field]) => `  ${fieldOf(name, field)}`), "}");
  for (const [picture, fields] of Object.entries(states)) {
    const all = Object.entries(fields), name = `${capital(picture)}State`, more = all.filter(([, { optional }]) => optional);
    lines.push("");
    interfaceOf(name, all.filter(([, { optional }]) => !optional));
    if (!more.length) continue;
    lines.push("/** What is told beside it. */");
    interfaceOf(`${capital(picture)}More`, more);
  }
  lines.push("", "/** What a picture tells, by the name of the event; with \"state\" comes the state itself. */");
  interfaceOf("Events", Object.entries(events).map(([name, properties]) => [name, { type: "object", properties }]));
  return `${lines.join("\n")}\n`;
}

/** The content of src/states.d.ts. */
async function wanted() {
  return declared(JSON.parse(await readFile(SCHEMA, "utf8")));
}

/** Writes src/states.d.ts again. */
export async function write() {
  await writeFile(DECLARED, await wanted());
}

/** Whether src/states.d.ts agrees with the schema. */
export async function isCurrent() {
  return await readFile(DECLARED, "utf8") === await wanted();
}

if (process.argv[2] === "--check" && !await isCurrent()) {
  console.error("core/figures/web/src/states.d.ts is older than schema.json: run make dist");
  process.exitCode = 1;
}
