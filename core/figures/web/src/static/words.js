// What the lessons say in the folder alone, beside the lessons' own words. What the app says as well is in
// `core/sentences`.

import { N_, m } from "../runtime/language.js";

export const WORDS = {
  readyOverHttp: N_("Everything is computed in this tab. Over plain http, a browser keeps the model, but not the page: to reload it, you need the network."),
  ofOwn: N_("This was computed in your browser, on your own text."),
  ofTab: N_("This was computed in your browser."),
  computing: N_("The model is running in this tab …"),
  learning: N_("The model learns in this tab …"),
  ofLearning: N_("This model has just learned in your browser. Its first weights and the letters that test it came with this folder; the letters that it learned from were drawn anew, which changes the loss a little."),
  recorded: N_("This answer was computed when this folder was made. Where the model runs, your browser computes it."),
  ofLesson: N_("This answer belongs to the lesson’s own sentence: for yours, it takes records that only the full app has."),
  noModel: N_("This answer belongs to the lesson’s own sentence. Start the model below, and it is computed on yours."),
  failed: N_("The answer cannot be computed on this text: a word of the question is missing. Change the text."),
  refused: N_("This cannot be computed: a text is empty, or two texts that are compared are alike or have different numbers of tokens. Change the text."),
  elsewhere: N_("This step belongs to the page *{page}*."),
  stored: N_("The page *{page}* needs records of the model that only the full app has. Predict here all the same: the answer was computed when this folder was made."),
  numbers: N_("In the full app, this step stands on the page *{page}*. Here, its numbers are computed in your browser."),
  pieces: N_("The tokens that the model reads, and their ids."),
  nearness: N_("*{word}* and each other word: three measures of nearness between {which}. A word in pieces has the mean of theirs."),
  learned: N_("learned vectors"),
  after: N_("vectors after layer {layer}"),
  sentences: N_("The first sentence and each other: three measures of nearness between the means of their tokens’ vectors."),
  path: N_("The cosine of the two vectors of *{word}*, before layer 1 and after each layer."),
  row: N_("From *{word}* to each token, in head {head} of layer {layer}: the score, and the weight that softmax makes of it."),
  plain: N_("From *{word}* to each token: the weight that softmax makes of x·x / √d, without learned matrices."),
  waves: N_("The first numbers of each position: a sine and a cosine in turn."),
};

/** @param {keyof typeof WORDS} name @param {Readonly<Record<string, string>>} [values] */
export const say = (name, values = {}) => m(WORDS[name], values);
