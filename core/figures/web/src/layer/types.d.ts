// What the zoom levels of a layer have in common. What is sent stands in headers.d.ts, what is chosen in states.d.ts.
import type { LayerState } from "../states";
import type { Box, Look, Plan, Shape, Tip } from "../types";

/** The zoom levels, from lines down to one product. */
export type LevelName = LayerState["level"];

/** What the map of a head shows: weights, or scores before softmax. */
export type Measure = LayerState["view"];

/** A column of tokens: those that attend, or those that are attended to. */
export type Side = "query" | "key";

/** A token in one of the two columns of the lines. */
export interface TokenThing { side: Side; i: number }
/** A cell in the map of a head. */
export interface CellThing { i: number; j: number }
/** A bar in the row of a token. */
export interface BarThing { j: number }
/** A dimension in one of the strips q, k and q×k. */
export interface DimensionThing { strip: number; x: number }
/** What the pointer or the keys are at. */
export type Thing = TokenThing | CellThing | BarThing | DimensionThing;

/** What is pointed at, as a picture beside knows it. */
export interface Pointed { query: number | null; key: number | null }

/** What is left of the picture for a zoom level. */
export interface LevelRoom { top: number; width: number; height: number }

export interface LevelPlan extends Plan {
  /** Where the canvases stand. */
  canvases?: Box[];
  /** How high the list is of which `area` may show a part. */
  content?: number;
}

export interface LevelStill {
  shapes: Shape[];
  paint?(pen: CanvasRenderingContext2D): void;
  asSvg?(): string;
}

/** One zoom level: what it draws, reads and does, once the picture has its numbers. */
export interface ZoomLevel<T extends Thing = Thing> {
  /** What it is to those who do not see it: its aria-roledescription. */
  readonly role: string;
  /** What its keys do, in a sentence. */
  readonly keys: string;
  /** Whether what is pointed at changes what is drawn; then no tooltip is shown. */
  readonly drawsPointed?: boolean;
  /** Why there is nothing to draw; null if there is something. */
  readonly none?: string | null;
  /** What the keys are at when it opens. */
  here(): T | null;
  caption(): string;
  /** How high all of it wants to be. */
  need(look: Look, room: LevelRoom): number;
  paint(look: Look, room: LevelRoom): LevelPlan;
  still(look: Look, room: LevelRoom, ratio: number): LevelStill;
  /** What is at a place of the area. */
  under(x: number, y: number): T | null;
  /** What changes in the state where a thing is clicked, and where the keys have reached it. */
  chosen(thing: T): Partial<LayerState>;
  moved(thing: T): Partial<LayerState>;
  /** Where a key leads to. */
  next(event: KeyboardEvent): T | null;
  tipOf(thing: T): Tip;
  /** Where the frame around a thing stands; null where it is out of sight. */
  box(thing: T): Box | null;
  /** The frames around one thing in each of two maps. */
  twins?(): (Box | null)[];
  /** A thing as a picture beside knows it, and back; null where it is not shown. */
  toPointed?(thing: T): Pointed | null;
  fromPointed?(pointed: Pointed): T | null;
  /** What else changes on the way to the next level. */
  deeper?(): Partial<LayerState>;
  /** For those who do not see it: caption, names of columns, rows. */
  table(): [caption: string, names: string[], rows: string[][]];
}
