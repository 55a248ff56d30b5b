// What the bytes of each picture say, as `core/figures` packs it. Python is the truth: a header has no more
// than its builder gives it.
import type {
  CloudState, LayerState, OverviewState, PlaneState, SpaceState, TrajectoryState, WorkingState,
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

/** What queries may not see: from one key to before another, or a bit for each cell, in base64. */
export interface MaskHeader {
  causal?: boolean;
  mask?: { from: readonly number[]; to: readonly number[]; bits?: undefined }
    | { bits: string; from?: undefined; to?: undefined } | null;
}

// --- matrices.py, positions.py ------------------------------------------------------------------------

/** What every matrix of coloured cells says. */
export interface GridHeader extends Header<undefined> {
  rows: readonly string[];
  scale: WeightScale | SignedScale;
  number: NumberFormat;
  /** Of the columns of the table for those who do not see the picture. */
  names: readonly [string, string, string];
}

export interface MatrixHeader extends GridHeader {
  columns: readonly string[];
  marked: {
    rows: readonly number[];
    columns: readonly number[];
    colour: string;
    /** Whether its columns are framed too. */
    framed?: boolean;
  };
}

export interface HeatmapHeader extends MatrixHeader {
  dtype: "float32";
  scale: (WeightScale | SignedScale) & {
    /** What stands between the two names of a cell. */
    between?: string;
    masked?: MaskHeader;
  };
}

export interface PlacesHeader extends MatrixHeader {
  scale: SignedScale & { between: string };
  /** What stands before the number of a row, and of a column. */
  of: readonly [string, string];
  /** Of sinusoids: the bytes are the rates of their pairs. */
  waves: { base: string } | null;
}

export interface StripsHeader extends GridHeader {
  dtype: "float32";
  scale: SignedScale;
  /** Of the names; null: the page's own. */
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
  kind: "weights" | "signed" | "counts";
  hue: RGB;
  signed: SignedPairs;
  /** Whether signed numbers begin at the left where none is below 0. */
  fromZero: boolean;
  /** Of the values and of the others; null where there are no others. */
  names: readonly [string, string] | null;
  notes: readonly string[];
  chosen: number | null;
  most: number | null;
  number: NumberFormat;
}

// --- points.py, cloud.py ------------------------------------------------------------------------------

export interface AxisHeader {
  title: string;
  marks: readonly NamedValue[];
  guides: readonly number[];
  bounds: readonly [number, number];
}

/** What is drawn within a frame with two named axes. */
export interface FramedHeader {
  x: AxisHeader;
  y: AxisHeader;
  height: number;
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
  /** The steps as they end a sentence. */
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
  /** Of each point its name, the word itself in the middle. */
  texts: readonly (readonly [string, string, string])[];
  /** Whether the points are counted from 1 where they are named. */
  numbered: boolean;
  /** What stands beside each point; null: nothing. */
  names: readonly string[] | null;
  /** Points that are more important than others. */
  bold: readonly number[];
  /** Points with a line through their places so far. */
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
  /** Sentences, the word itself in the middle. */
  texts: readonly (readonly [string, string, string])[];
  /** What stands beside the points, where they are few. */
  names: readonly string[] | null;
  steps: readonly string[];
  moments: readonly string[];
  slider: string;
  words: readonly string[];
  number: NumberFormat;
}

// --- attention/overview.py, attention/ordering.py -----------------------------------------------------

/** Of each pattern the scores of all heads, layer by layer; null where the text gives no occasion. */
export interface PatternsHeader {
  names: readonly string[];
  scores: readonly (readonly (number | null)[])[];
  /** The same over other texts. */
  typical: readonly (readonly (number | null)[])[] | null;
  thresholds: readonly number[];
}

export interface OverviewHeader extends Header<OverviewState> {
  dtype: "uint8";
  state: OverviewState;
  layers: readonly string[];
  /** Of a layer. */
  heads: number;
  /** Rows and columns of each map. */
  maps: readonly [number, number];
  /** How many queries and keys a cell stands for, at most. */
  block: readonly [number, number];
  pool: "max" | "mean";
  scale: WeightScale;
  tokens: readonly string[];
  /** The queries, where that is another text. */
  queryTokens: readonly string[] | null;
  queries: number;
  /** Whether bits at the end say which rows are missing. */
  hasMissingRows: boolean;
  /** Heads that the model does not have, counted through all layers. */
  missingHeads: readonly number[];
  /** Sentences below the maps. */
  captions: readonly string[];
  /** The largest share of a token, by direction. */
  maxima: { to: number; from: number };
  /** Whether special tokens are left out, and rows scaled to 1 over the others. */
  withoutSpecial: boolean;
  /** Of each query and each key that is drawn, its position among all tokens. */
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
  /** Of each head, others that are like it: layer, head, cosine. */
  similar: readonly (readonly (readonly [number, number, number])[])[];
  /** A sentence beside a single head. */
  note: string;
}

interface LayerShared extends Header<LayerState>, MaskHeader {
  state: LayerState;
  heads: number;
  /** Heads that the layer does not have. */
  missingHeads: readonly number[];
  /** Where a part of each row goes that goes to no key; "" where all of it does. */
  sink: string;
  /** What queries may see, in words. */
  maskDescription: string;
  layer: string;
  place: string;
  queries: readonly string[];
  keys: readonly string[];
  /** The queries and the keys that the model's template added. */
  special: readonly [readonly number[], readonly number[]];
  whyNoScores: string;
  rtl: boolean;
  root: boolean;
  hue: RGB;
  signed: SignedPairs;
  /** Of heads, over again where there are more. */
  colours: { light: readonly string[]; dark: readonly string[] };
  thresholds: readonly number[];
  /** Whether its one map is the mean of several heads. */
  isMean: boolean;
  /** Whether a picture of all heads opened it, to which one can go back. */
  hasOverview: boolean;
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
  /** Of a head: how many numbers a query has. */
  d: number;
  scale: number;
  bias: "full" | "diagonals" | "keys" | null;
  /** How many of these are sent. */
  biases: number;
  softcap: number | null;
  /** Rows, counted through all heads, of which nothing remains without special tokens. */
  empty: readonly number[];
}

/** Weights are sent, as they are or packed. */
export interface WeightsHeader extends LayerShared {
  kind: "weights";
  dtype: "float32" | "uint8";
  /** Whether those without special tokens follow. */
  bare: boolean;
  /** Packed: how many stand apart, and which keys are exact. */
  apart?: number;
  exact?: readonly number[];
}

export type LayerHeader = NoAttentionHeader | InnerHeader | WeightsHeader;

// --- working.py ---------------------------------------------------------------------------------------

export interface MatrixOfStep {
  name: string;
  rows: readonly string[];
  columns: readonly string[];
  scale: "none" | "weights" | "signed";
  bound: number;
  /** Cells that a mask hides: row and column. */
  hidden: readonly (readonly [number, number])[];
  /** The shape of what this is a part of. */
  whole: readonly [number, number] | null;
}

export interface WorkingHeader extends Header<WorkingState> {
  dtype: "float32";
  state: WorkingState;
  title: string;
  kind: "pieces" | "product" | "sum" | "scale" | "mask" | "softmax" | "norm" | "activation" | "join" | "compare";
  matrices: readonly MatrixOfStep[];
  /** What stands between the matrices. */
  signs: readonly string[];
  number: number;
  detail: string;
  notes: readonly string[];
  /** Which columns of how many the result has, where it has not all. */
  part: readonly [number, number] | null;
  titles: readonly string[];
  at: number;
  hue: RGB;
  signed: SignedPairs;
}

// --- trajectories/trajectory.py -----------------------------------------------------------------------

export interface SideHeader {
  name: string;
  word: string;
  colour: string;
  mark: string;
  shape: "circle" | "square";
  parts: readonly string[];
  /** Which part is the word. */
  chosen: number;
  /** Of each layer. */
  position: readonly number[];
  adds: {
    /** Of each layer, what each part adds; null for a part that is no token's. */
    parts: readonly (readonly (number | null)[])[];
    /** Of each layer, what all that is no token adds. */
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
  /** The most that a part adds in each layer. */
  maxima: readonly number[];
  /** Whether contributions are still to come. */
  awaitsContributions: boolean;
  /** Why there are none. */
  whyNone: string;
  learned: string;
  signed: SignedPairs;
}
