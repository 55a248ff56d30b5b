// The header in the bytes of each picture, as `core/figures` packs it. Python is authoritative: a header
// contains what its builder puts there.
import type {
  CloudState, ConcordanceState, ForwardState, LayerState, NextwordState, OverviewState, PlaneState, SpaceState, TrajectoryState, StepsState,
  WordmapState,
} from "./states";
import type {
  ColourPair, Header, LinkHeader, NamedValue, NumberFormat, RGB, SignedScale, WeightScale,
} from "./types";

/** Colours of negative and positive numbers, on a light and on a dark page. */
export interface SignedPairs {
  light: ColourPair;
  dark: ColourPair;
}

// --- attention/masks.py -------------------------------------------------------------------------------

/**
 * Masked cells: for each query the first visible key and the one after the last, or a bit for each cell, in
 * base64.
 */
export interface MaskHeader {
  causal?: boolean;
  mask?: { from: readonly number[]; to: readonly number[]; bits?: undefined }
    | { bits: string; from?: undefined; to?: undefined } | null;
}

// --- matrices.py, positions.py ------------------------------------------------------------------------

/** The common header of all matrices of coloured cells. */
export interface GridHeader extends Header<undefined> {
  rows: readonly string[];
  scale: WeightScale | SignedScale;
  number: NumberFormat;
  /** Column names of the table for those who do not see the picture. */
  names: readonly [string, string, string];
}

export interface MatrixHeader extends GridHeader {
  columns: readonly string[];
  marked: {
    rows: readonly number[];
    columns: readonly number[];
    colour: string;
    /** Whether the marked columns are framed too. */
    framed?: boolean;
  };
}

export interface HeatmapHeader extends MatrixHeader {
  dtype: "float32";
  scale: (WeightScale | SignedScale) & {
    /** The words between the two names of a cell. */
    between?: string;
    masked?: MaskHeader;
  };
}

export interface PlacesHeader extends MatrixHeader {
  scale: SignedScale & { between: string };
  /** The words before the number of a row, and of a column. */
  of: readonly [string, string];
  /** For sinusoids: the bytes are the rates of their pairs. */
  waves: { base: string } | null;
}

export interface StripsHeader extends GridHeader {
  dtype: "float32";
  scale: SignedScale;
  /** For the names; null for the page's own colour. */
  colours: readonly (string | null)[];
}

// --- curves.py ----------------------------------------------------------------------------------------

export interface LinesHeader extends Header<undefined> {
  dtype: "float32";
  lines: readonly {
    name: string;
    label: string;
    colour: string;
    mark: "circle" | "square" | "diamond" | "none";
  }[];
  steps: readonly string[];
  ticks: readonly string[];
  axis: string;
  guides: readonly NamedValue[];
  bounds: readonly [number, number];
  /** The name of the point at which all lines begin. */
  start: string | null;
  startColour: string;
  band: string | null;
  number: NumberFormat;
  /** Whether the numbers, the guides and the bounds are exponents to base 10. */
  log: boolean;
  /** What the numbers count, above their axis; "" for nothing. */
  unit: string;
}

// --- bars.py ------------------------------------------------------------------------------------------

export interface BarsHeader extends Header<undefined> {
  dtype: "float32";
  labels: readonly string[];
  unit: string;
  kind: "weights" | "signed" | "counts" | "amounts";
  hue: RGB;
  signed: SignedPairs;
  /** Whether signed numbers begin at the left where none is below 0. */
  fromZero: boolean;
  /** Of the values and of the others; null where there are no others. */
  names: readonly [string, string] | null;
  /** What the colours of the bars say, where they are of several groups: `of` is each row's. */
  groups?: { names: readonly string[]; colours: readonly string[]; of: readonly number[] };
  /** Labels of pictures beside this one: it leaves the same room for them, and has the same scale. */
  beside?: readonly string[];
  notes: readonly string[];
  chosen: number | null;
  most: number | null;
  number: NumberFormat;
}

// --- next_word.py -------------------------------------------------------------------------------------

/** Its numbers are the logits of all tokens, the largest first. */
export interface NextwordHeader extends Header<NextwordState> {
  dtype: "float32";
  /** The first tokens as they are written. */
  labels: readonly string[];
  /** How many of them have a bar. */
  shown: number;
  hue: RGB;
  /** The number from 0 to 1 that would draw the next token; null for none. */
  number: number | null;
}

// --- shaded.py, branches.py ---------------------------------------------------------------------------

/** Kinds of pieces: a number is the place of a name, each with a colour on light and on dark pages. */
export interface KindScale {
  kind: "kinds";
  names: readonly string[];
  light: readonly RGB[];
  dark: readonly RGB[];
  /** The pieces with a frame, and what that means. */
  framed: readonly number[];
  frame: string;
  title: string;
  notes: readonly string[];
}

export interface ShadedHeader extends Header<undefined> {
  dtype: "float32";
  /** As they are drawn: a leading space and a line break are in them. */
  pieces: readonly string[];
  /** As they are named: with both visible. */
  labels: readonly string[];
  /** For each piece "r" if it runs from right to left, "l" from left to right; without letters, "d" for a number, or "n". */
  sides: string;
  /** Whether the text runs from right to left. */
  left: boolean;
  unit: string;
  scale: WeightScale | SignedScale | KindScale;
  number: NumberFormat;
  notes: readonly string[];
  /** The piece from which on the model has written the text; null for none. */
  firstWritten: number | null;
  chosen: number | null;
}

export interface BranchesHeader extends Header<undefined> {
  dtype: "float32";
  labels: readonly string[];
  /** For each node, the node before it; −1 for none. */
  parents: readonly number[];
  /** Whether the text runs from right to left, and so the tree. */
  left: boolean;
  hue: RGB;
  /** The node at which the chosen path ends. */
  chosen: number | null;
}

// --- lens.py ------------------------------------------------------------------------------------------

/** Its numbers are probabilities, row by row. */
export interface LensHeader extends Header<undefined> {
  dtype: "float32";
  /** Short names, from above. */
  rows: readonly string[];
  /** The same as they are read. */
  rowNames: readonly string[];
  columns: readonly string[];
  /** The word in each cell. */
  labels: readonly string[];
  /** For each cell "1" if it says what its column says in the end, or "0". */
  firm: string;
  /** For each cell, what is read after its number. */
  notes: readonly string[];
  scale: WeightScale;
  number: NumberFormat;
  chosen: number | null;
}

// --- points.py, cloud.py ------------------------------------------------------------------------------

export interface AxisHeader {
  title: string;
  marks: readonly NamedValue[];
  guides: readonly number[];
  bounds: readonly [number, number];
}

/** What is drawn inside a frame with two named axes. */
export interface FramedHeader {
  x: AxisHeader;
  y: AxisHeader;
  height: number;
  /** Circles in the plane: both coordinates of the centre, and the radius. */
  circles?: readonly (readonly [number, number, number])[];
}

export interface PointHeader {
  name: string;
  colour: string;
  mark: "circle" | "square" | "diamond" | "ring" | "left" | "right";
  bold?: boolean;
  trail?: boolean;
  dashed?: boolean;
}

export interface PlaneHeader extends Header<PlaneState>, FramedHeader {
  dtype: "float32";
  height: number;
  state: PlaneState;
  points: readonly PointHeader[];
  steps: readonly string[];
  /** The steps as the end of a sentence. */
  moments: readonly string[];
  slider: string;
  words: readonly string[];
  number: NumberFormat;
  play: boolean;
}

/** Points of one kind. */
export interface GroupHeader {
  name: string;
  light: string;
  dark: string;
  mark: "circle" | "square" | "diamond" | "up" | "ring" | "frame" | "gem" | "down";
}

// --- space.py -----------------------------------------------------------------------------------------

export interface SpaceHeader extends Header<SpaceState> {
  dtype: "uint8";
  state: SpaceState;
  groups: readonly GroupHeader[];
  /** The name of each point, with the word itself in the middle. */
  texts: readonly (readonly [string, string, string])[];
  /** Whether the names of the points include their numbers, from 1. */
  numbered: boolean;
  /** The label beside each point; null for none. */
  names: readonly string[] | null;
  /** Points that are more important than others. */
  bold: readonly number[];
  /** Points with a line through their earlier positions. */
  trails: readonly number[];
  steps: readonly string[];
  moments: readonly string[];
  slider: string;
  play: boolean;
  titles: readonly [string, string, string];
  middle: readonly [number, number, number];
  halves: readonly [number, number, number];
  words: readonly string[];
  number: NumberFormat;
}

export interface CloudHeader extends Header<CloudState>, FramedHeader {
  dtype: "uint8";
  height: number;
  state: CloudState;
  groups: readonly GroupHeader[];
  /** The sentences, with the word itself in the middle. */
  texts: readonly (readonly [string, string, string])[];
  /** The labels beside the points, if there are few. */
  names: readonly string[] | null;
  steps: readonly string[];
  moments: readonly string[];
  slider: string;
  words: readonly string[];
  number: NumberFormat;
}

// --- word_map.py --------------------------------------------------------------------------------------

export interface WordmapHeader extends Header<WordmapState> {
  dtype: "uint8";
  height: number;
  state: WordmapState;
  words: readonly string[];
  /** The names of the maps, one or two. */
  sides: readonly string[];
  groups: readonly GroupHeader[];
  /** The left, lower, right and upper end of all maps. */
  bounds: readonly [number, number, number, number];
}

// --- concordance.py -----------------------------------------------------------------------------------

export interface ConcordanceHeader extends Header<ConcordanceState> {
  dtype: "uint8";
  state: ConcordanceState;
  /** How many there are. */
  lines: number;
  groups: readonly GroupHeader[];
  /** The number of lines in each group, and the words around it. */
  counts: readonly number[];
  words: readonly string[];
  /** The columns by which lines can be sorted, each with its different values in order. */
  columns: readonly { name: string; values: readonly string[] }[];
  /** The address of the cosines with a line, before its number; null where there is no server. */
  similar: string | null;
  /** What the number at the end of a line is; null for none. */
  numbers: string | null;
  number: NumberFormat;
}

// --- shares.py ----------------------------------------------------------------------------------------

export interface SharesHeader extends Header<undefined> {
  dtype: "float32";
  height: number;
  /** The values of the column, each with the number of its occurrences. */
  rows: readonly { name: string; total: number }[];
  groups: readonly GroupHeader[];
  /** For each row and group. */
  counts: readonly (readonly number[])[];
  chosen: number | null;
  axis: string;
}

// --- attention/overview.py, attention/ordering.py -----------------------------------------------------

/** For each pattern, the scores of all heads, layer by layer; null if the text has no position for it. */
export interface PatternsHeader {
  names: readonly string[];
  scores: readonly (readonly (number | null)[])[];
  /** The same for other texts. */
  typical: readonly (readonly (number | null)[])[] | null;
  thresholds: readonly number[];
}

export interface OverviewHeader extends Header<OverviewState> {
  dtype: "uint8";
  state: OverviewState;
  layers: readonly string[];
  /** The number of heads in a layer. */
  heads: number;
  /** How many neighbouring heads share a key and a value; 1: each has its own. */
  group: number;
  /** The rows and columns of each map. */
  maps: readonly [number, number];
  /** The largest number of queries and of keys in a cell. */
  block: readonly [number, number];
  pool: "max" | "mean";
  scale: WeightScale;
  tokens: readonly string[];
  /** The queries, if they are another text. */
  queryTokens: readonly string[] | null;
  queries: number;
  /** Whether bits at the end mark missing rows. */
  hasMissingRows: boolean;
  /** Missing heads, counted through all layers. */
  missingHeads: readonly number[];
  /** Sentences below the maps. */
  captions: readonly string[];
  /** The largest share of any token, by direction. */
  maxima: { to: number; from: number };
  /** Whether special tokens are left out, and rows rescaled to 1 over the others. */
  withoutSpecial: boolean;
  /** What can be left out, if these are not special tokens: the sink. */
  leftOut?: string;
  /** For each query and key drawn, its position among all tokens. */
  positions: readonly [readonly number[], readonly number[]] | null;
  patterns: PatternsHeader | null;
  link: LinkHeader | null;
  notes: readonly string[];
  strongest: readonly (number | null)[];
  /** Layer and head. */
  chosen: readonly [number, number] | null;
  number: NumberFormat;
}

// --- attention/layer_view.py, attention/head_captions.py ----------------------------------------------

export interface AboutHeader extends Omit<PatternsHeader, "thresholds"> {
  layer: number;
  follows: readonly (number | null)[];
  /** For each head, similar ones: layer, head, cosine. */
  similar: readonly (readonly (readonly [number, number, number])[])[];
  /** A sentence beside a single head. */
  note: string;
}

interface LayerShared extends Header<LayerState>, MaskHeader {
  state: LayerState;
  heads: number;
  /** Heads that the layer lacks. */
  missingHeads: readonly number[];
  /** The destination of the share of each row that goes to no key; "" if there is none. */
  sink: string;
  /** What the queries may see, in words. */
  maskDescription: string;
  layer: string;
  place: string;
  queries: readonly string[];
  keys: readonly string[];
  /** The queries and the keys that the model's template added. */
  special: readonly [readonly number[], readonly number[]];
  /** What these are, if not special tokens: the sink. */
  leftOut?: string;
  whyNoScores: string;
  rtl: boolean;
  root: boolean;
  hue: RGB;
  signed: SignedPairs;
  /** The colours of heads, repeated if there are more heads. */
  colours: { light: readonly string[]; dark: readonly string[] };
  thresholds: readonly number[];
  /** Whether its only map is the mean of several heads. */
  isMean: boolean;
  /** Whether a picture of all heads opened it, to which a visitor can return. */
  hasOverview: boolean;
  /** The first row that is drawn pale: it and those after it are not written yet. */
  later?: number;
  /** How many neighbouring heads share a key and a value, where several do. */
  group?: number;
  about?: AboutHeader;
}

/** A layer without attention. */
export interface NoAttentionHeader extends LayerShared {
  kind: "none";
  dtype: "float32";
}

/** Query, key and the log-sum of each row are sent. */
export interface InnerHeader extends LayerShared {
  kind: "inner";
  dtype: "float32";
  /** The width of a head's queries. */
  d: number;
  scale: number;
  bias: "full" | "diagonals" | "keys" | null;
  /** The number of values sent. */
  biases: number;
  softcap: number | null;
  /** Rows, counted through all heads, of which nothing remains without special tokens. */
  empty: readonly number[];
}

/** Weights are sent, exactly or packed. */
export interface WeightsHeader extends LayerShared {
  kind: "weights";
  dtype: "float32" | "uint8";
  /** Whether the weights without special tokens follow. */
  bare: boolean;
  /** For packed weights: how many are stored separately, and which keys are exact. */
  apart?: number;
  exact?: readonly number[];
}

export type LayerHeader = NoAttentionHeader | InnerHeader | WeightsHeader;

// --- steps.py -----------------------------------------------------------------------------------------

export interface MatrixOfStep {
  name: string;
  rows: readonly string[];
  columns: readonly string[];
  scale: "none" | "weights" | "signed";
  bound: number;
  /** Cells that a mask hides: row and column. */
  hidden: readonly (readonly [number, number])[];
  /** The shape of the complete matrix, if this is a part. */
  whole: readonly [number, number] | null;
}

export interface StepsHeader extends Header<StepsState> {
  dtype: "float32";
  state: StepsState;
  title: string;
  kind: "pieces" | "product" | "sum" | "times" | "scale" | "mask" | "softmax" | "share" | "norm" | "rms" | "rotation"
    | "activation" | "join" | "compare";
  matrices: readonly MatrixOfStep[];
  /** The operators between the matrices. */
  signs: readonly string[];
  number: number;
  detail: string;
  notes: readonly string[];
  /** The columns shown, and the number of all, if the result does not show all. */
  part: readonly [number, number] | null;
  /** Heads of queries that share heads of keys and values, and the one shown; null where each has its own. */
  groups: { heads: number; shared: number; head: number } | null;
  titles: readonly string[];
  at: number;
  hue: RGB;
  signed: SignedPairs;
}

// --- forward.py ---------------------------------------------------------------------------------------

/** A step on the map of a layer. */
export interface BlockOfStep {
  /** The steps whose results it reads. */
  from: readonly number[];
  /** Its result, of which perhaps only the first columns are shown. */
  result: MatrixOfStep;
  /** How many columns its result has. */
  columns: number;
}

/** What a step in full is, beside its numbers. */
export type StepHeader = Pick<StepsHeader,
  "title" | "kind" | "matrices" | "signs" | "number" | "detail" | "notes" | "part" | "groups">;

/** What the browser needs to compute the tiny model itself. */
export interface TinyModel {
  ids: readonly number[];
  /** Name, rows and columns of each; their numbers follow those of the step in full. */
  tables: readonly (readonly [string, number, number])[];
  head: number;
  heads: number;
  causal: boolean;
  epsilon: number;
  /** The name of each step, and all about it. */
  names: readonly string[];
  steps: readonly StepHeader[];
  /** Of a number that a visitor changes. */
  least: number;
  most: number;
  decimals: number;
}

export interface ForwardHeader extends Omit<StepsHeader, "state">, Header<ForwardState> {
  dtype: "float32";
  state: ForwardState;
  blocks: readonly BlockOfStep[];
  tiny: TinyModel | null;
}

// --- trajectories/trajectory.py -----------------------------------------------------------------------

export interface SideHeader {
  name: string;
  word: string;
  colour: string;
  mark: string;
  shape: "circle" | "square";
  parts: readonly string[];
  /** The index of the word among the parts. */
  chosen: number;
  /** For each layer. */
  position: readonly number[];
  /** The same of the word in a text that holds nothing else. */
  alone: readonly number[];
  /** What moves it from `alone` to `position`. */
  adds: {
    /** For each layer, the contribution of each part; null for a part without a token. */
    parts: readonly (readonly (number | null)[])[];
    /** For each layer, the sum of the terms that belong to no part: special tokens and biases. */
    otherParts: readonly number[];
    lines: readonly string[];
    sums: readonly string[];
  } | null;
}

export interface TrajectoryHeader extends Header<TrajectoryState> {
  state: TrajectoryState;
  id: string;
  layers: number;
  ends: { low: string; high: string };
  /** How far from the middle a word must be after the last layer to be given a side; 0 if that is unknown. */
  unclear: number;
  /** The layer of the verdict, if it is not the last. */
  judged?: number;
  /** The layers in which the two ends hardly differ, if there are any: the scale is fitted to the others. */
  close?: readonly number[];
  /** Whether a model guessed the ends, which are then drawn fainter. */
  guessed?: boolean;
  /** Whether the word is not the same token in both sentences: two learned vectors. */
  two?: boolean;
  sides: readonly SideHeader[];
  map: {
    sides: readonly (readonly number[])[];
    points: readonly {
      name: string;
      high: boolean;
      along: readonly number[];
      across: readonly number[];
    }[];
  };
  /** The largest contribution of a part in each layer. */
  maxima: readonly number[];
  /** Whether contributions are still to come. */
  awaitsContributions: boolean;
  /** Why there are none. */
  whyNone: string;
  learned: string;
  signed: SignedPairs;
  /** What the parts of the bars are. */
  parts: string;
}
