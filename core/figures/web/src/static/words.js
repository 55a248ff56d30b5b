// What the lessons say in the folder alone, beside the lessons' own words. What the app says as well is in
// `core/sentences`.

export const WORDS = {
  readyOverHttp: "Everything is computed in this tab. Over plain http, a browser keeps the model, but not the page: to reload it, you need the network.",
  ofOwn: "This was computed in your browser, on your own text.",
  ofLesson: "This answer belongs to the lesson’s own sentence: for yours, it takes records that only the full app has.",
  noModel: "This answer belongs to the lesson’s own sentence. Start the model below, and it is computed on yours.",
  failed: "The answer cannot be computed on this text: a word of the question is missing. Change the text.",
  elsewhere: "This step belongs to the page *{page}*.",
  stored: "The page *{page}* needs records of the model that only the full app has. Predict here all the same: the answer was computed when this folder was made.",
  numbers: "In the full app, this step stands on the page *{page}*. Here, its numbers are computed in your browser.",
  pieces: "The tokens that the model reads, and their ids.",
  nearness: "*{word}* and each other word: three measures of nearness between {which}. A word in pieces has the mean of theirs.",
  learned: "learned vectors",
  after: "vectors after layer {layer}",
  sentences: "The first sentence and each other: three measures of nearness between the means of their tokens’ vectors.",
  path: "The cosine of the two vectors of *{word}*, before layer 1 and after each layer.",
  row: "From *{word}* to each token, in head {head} of layer {layer}: the score, and the weight that softmax makes of it.",
  plain: "From *{word}* to each token: the weight that softmax makes of x·x / √d, without learned matrices.",
  waves: "The first numbers of each position: a sine and a cosine in turn.",
};

/** @param {keyof typeof WORDS} name @param {Readonly<Record<string, string>>} [values] */
export const say = (name, values = {}) => WORDS[name].replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
