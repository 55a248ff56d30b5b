// The bars of what a model in this tab expects, and the sentence above them: in the folder, and in a page of the app.
/** @import { NextToken } from "../engine/speaker.js" */
/** @import { NextwordState } from "../states" */
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { headline } from "../derive/expecting.js";
import { nextWord } from "../derive/nextword.js";
import { uniform } from "../derive/sampling.js";
import { sentence } from "../derive/sentences.js";

const { ends: ENDS } = CONSTANTS.nextWord;

/**
 * The names of the likeliest tokens; of an end, that it is one.
 * @param {Pick<NextToken, "top" | "ends">} next @param {readonly string[]} texts as the screen may show them
 */
export const namesOf = ({ top, ends }, texts) => texts.map((text, i) => (ends.includes(top.ids[i]) ? ENDS : text || top.tokens[i]));

/**
 * @param {NextToken} next
 * @param {object} how
 * @param {readonly string[]} how.texts of the likeliest tokens, as the screen may show them
 * @param {readonly number[]} how.written what the model has written behind the text
 * @param {number} how.seed of the number that would draw the next token
 * @param {Partial<NextwordState>} [how.state] of the sliders
 */
export function expectedBars(next, { texts, written, seed, state }) {
  const { encoded, logits, top, ends } = next, said = headline({ ...top, texts }, new Set(ends), ends.includes(written.at(-1) ?? -1));
  const picture = nextWord(logits, namesOf(next, texts), {
    sentence: sentence("next-word.bars", { said: said.replaceAll("*", "") }), name: "next-word", number: uniform(seed, encoded.ids.length), state,
  });
  return { said, picture };
}
