// Made from schema.json by states.js (`make dist`): change that file, not this one.

/** Integer, 0 to 99998. */
export type Position = number;
/** Integer, 0 to 998. */
export type Layer = number;
/** Integer, 0 to 998. */
export type Head = number;
/** Integer, -1 to 998. */
export type HeadOrMean = number;
/** Number, 0 to 1. */
export type Share = number;
/** Integer, -360 to 360. */
export type Degrees = number;
/** Integer, 0 to 199999. */
export type Word = number;
/** Integer, 0 to 1000. */
export type PartOfMap = number;
/** Integer, 0 to 100000. */
export type FinePart = number;
/** Number, -100 to 100. */
export type TinyNumber = number;

export interface LayerState {
  level: "lines" | "head" | "token" | "product";
  on: HeadOrMean[];
  head: HeadOrMean;
  query: Position | null;
  key: Position | null;
  pin: "query" | "key" | null;
  threshold: Share;
  alone: Share;
  all: boolean | null;
  special: boolean | null;
  view: "weights" | "scores";
  sort: "place" | "size";
}
/** What is told beside it. */
export interface LayerMore {
  up?: boolean;
  open?: { layer: Layer; head: Head; } | null;
}

export interface OverviewState {
  token: Position | null;
  direction: "to" | "from";
  pattern: number | null;
  typical: boolean;
  threshold: Share;
  special: boolean | null;
}

export interface StepsState {
  step: Position;
  row: Position;
  column: Position;
}

export interface ForwardState {
  level: "layer" | "matrix" | "cell";
  step: Position;
  row: Position;
  column: Position;
}

export interface CloudState {
  depth: Position;
  chosen: Position | null;
}

export interface WordmapState {
  chosen: Word | null;
  found: string;
  lasso: PartOfMap[] | null;
  side: number;
  view: [FinePart, FinePart, FinePart] | null;
}

export interface PlaneState {
  depth: Position;
}

export interface SpaceState {
  depth: Position;
  view: [Degrees, Degrees] | null;
  chosen: Position | null;
}

export interface TrajectoryState {
  depth: Position;
}

export interface NextwordState {
  temperature: number;
  topK: number;
  topP: number;
  minP: Share;
}

export interface ConcordanceState {
  sort: "meaning" | "text" | "left" | "right" | "shuffled" | "similar" | "column";
  column: Position;
  group: Position | null;
  chosen: Position | null;
}

/** What a picture tells, by the name of the event; with "state" comes the state itself. */
export interface Events {
  state: { n: number; };
  cell: { row: Position; column: Position; };
  edit: { table: string; row: Position; column: Position; value: TinyNumber; };
  head: { layer: Layer; head: Head; };
  bar: { index: Position; };
  recipe: { source: string; recipe: string; };
  room: { name: string; key: string; };
  wanted: { id: string; };
}
