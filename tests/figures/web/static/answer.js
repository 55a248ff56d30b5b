// Answers the questions of test_links.py: links written from states, and states read from links, as pages of the folder
// do it. Standard input: {fields, states, links}; output: {links, states}.
import { readFileSync } from "node:fs";
import { read, write } from "../../../../core/figures/web/src/static/link.js";

const { fields, states, links } = JSON.parse(readFileSync(0, "utf8"));
const written = [], found = [];
for (const state of states) written.push((await write(fields, state)).query);
for (const link of links) found.push(await read(fields, link));
console.log(JSON.stringify({ links: written, states: found }));
