// What the zoom levels of a layer have in common. headers.d.ts has what is sent, states.d.ts what is
// chosen.
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
/** The thing under the pointer or the keyboard cursor. */
export type Thing = TokenThing | CellThing | BarThing | DimensionThing;

/** The thing under the pointer, in the terms of a linked picture. */
export interface Pointed { query: number | null; key: number | null }

/** The space for a zoom level in the picture. */
export interface LevelRoom { top: number; width: number; height: number }

export interface LevelPlan extends Plan {
  /** The area of the canvases. */
  canvases?: Box[];
  /** The total height of a list, of which `area` may show a part. */
  content?: number;
}

export interface LevelStill {
  shapes: Shape[];
  paint?(pen: CanvasRenderingContext2D): void;
  asSvg?(): string;
}

/** One zoom level: what it draws, reads and does, once the picture has its numbers. */
export interface ZoomLevel<T extends Thing = Thing> {
  /** Its role for those who do not see it: its aria-roledescription. */
  readonly role: string;
  /** The actions of its keys, in a sentence. */
  readonly keys: string;
  /** Whether pointing at a thing changes the drawing; then no tooltip is shown. */
  readonly drawsPointed?: boolean;
  /** Why there is nothing to draw; null if there is something. */
  readonly none?: string | null;
  /** The initial position of the keyboard cursor. */
  here(): T | null;
  caption(): string;
  /** The preferred height of everything. */
  need(look: Look, room: LevelRoom): number;
  paint(look: Look, room: LevelRoom): LevelPlan;
  still(look: Look, room: LevelRoom, ratio: number): LevelStill;
  /** The thing at a position in the area. */
  under(x: number, y: number): T | null;
  /** The change of the state when a thing is clicked, and when the keys reach it. */
  chosen(thing: T): Partial<LayerState>;
  moved(thing: T): Partial<LayerState>;
  /** Where a key leads to. */
  next(event: KeyboardEvent): T | null;
  tipOf(thing: T): Tip;
  /** The frame around a thing; null if it is out of view. */
  box(thing: T): Box | null;
  /** The frames around one thing in both maps. */
  twins?(): (Box | null)[];
  /** A thing in the terms of a linked picture, and back; null if it is not visible. */
  toPointed?(thing: T): Pointed | null;
  fromPointed?(pointed: Pointed): T | null;
  /** Further changes on the way to the next level. */
  deeper?(): Partial<LayerState>;
  /** For those who do not see it: caption, column names, rows. */
  table(): [caption: string, names: string[], rows: string[][]];
}
