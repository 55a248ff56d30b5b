// What the pictures share: shapes, colours, plans, and the messages of a page. headers.d.ts has the header
// of each picture; states.d.ts, generated from schema.json, has the choices in each.
import type { Events } from "./states";
import type { Picture } from "./runtime/picture";

/** Red, green and blue, each 0 to 255. */
export type RGB = readonly [number, number, number];
/** A CSS colour, or its numbers. */
export type Colour = string | RGB;
/** [x, y] in pixels. */
export type Place = [number, number];
/** [left, top, width, height] in pixels. */
export type Box = [number, number, number, number];
/** [left, top, right, bottom] in pixels, of an area or a label. */
export type Room = [number, number, number, number];
/** [first, after the last] of consecutive indices. */
export type Run = [number, number];
/** A value and its label. */
export type NamedValue = readonly [number, string];

/** How to write a number. */
export interface NumberFormat {
  digits: number;
  /** Whether positive numbers have a sign too. */
  plus?: boolean;
  /** in a matrix, from which number on a cell has its number, of either sign */
  least?: number;
}

/** The colours and fonts of the page around a picture. */
export interface Look {
  paper: RGB;
  ink: RGB;
  muted: RGB;
  line: RGB;
  dark: boolean;
  font: string;
  /** The size of letters, in pixels. */
  size: number;
}

// --- Shapes -------------------------------------------------------------------------------------------

interface Named {
  /** The kind of thing, for those who read the picture's markup. */
  part?: string;
  /** The index of the thing. */
  of?: number | string;
}

export interface TextShape extends Named {
  text: string;
  x: number;
  /** The centre of the letters. */
  y: number;
  size: number;
  fill: Colour;
  anchor?: "start" | "middle" | "end";
  bold?: boolean;
  /** In degrees. */
  turn?: number;
  /** The colour around letters that cross lines. */
  halo?: Colour;
  rect?: undefined;
  path?: undefined;
}

export interface FilledRect extends Named {
  rect: Box;
  fill: Colour;
  stroke?: undefined;
  text?: undefined;
  path?: undefined;
}

export interface FramedRect extends Named {
  rect: Box;
  stroke: Colour;
  wide?: number;
  fill?: undefined;
  text?: undefined;
  path?: undefined;
}

export interface PathShape extends Named {
  /** In SVG syntax, see draw/paths.js. */
  path: string;
  fill?: Colour;
  stroke?: Colour;
  wide?: number;
  dash?: number[];
  text?: undefined;
  rect?: undefined;
}

export type RectShape = FilledRect | FramedRect;
export type Shape = TextShape | RectShape | PathShape;

// --- Colour scales ------------------------------------------------------------------------------------

/** Colours for numbers from 0 on: one hue that grows out of the page's background. */
export interface WeightColours {
  kind: "weights";
  hue: RGB;
  /** Coloured by the square root. */
  root?: boolean;
  /** The end of the colours; 1 by default. */
  most?: number;
}

/** The colours of negative and of positive numbers. */
export type ColourPair = readonly [RGB, RGB];

/** Colours for signed numbers: 0 has the colour of the page. */
export interface SignedColours {
  kind: "signed";
  /** The end of the colours, on both sides. */
  bound: number;
  light: ColourPair;
  dark: ColourPair;
}

export type ScaleColours = WeightColours | SignedColours;

interface Titled {
  title: string;
  notes?: readonly string[];
}

export type WeightScale = WeightColours & Titled;
export type SignedScale = SignedColours & Titled & { digits: number };
/** A colour scale as it is drawn, with its numbers. */
export type Scale = WeightScale | SignedScale;

/** The colours of a scale on a page. */
export interface Palette {
  colours: RGB[];
  /** The index of a number's colour. */
  at(value: number): number;
  /** The distance of a colour from that of 0. */
  strength(index: number): number;
}

// --- Plans --------------------------------------------------------------------------------------------

/** The layout of a picture. */
export interface Plan {
  shapes: Shape[];
  /** The area that receives pointer and keys. */
  area: Box;
  /** The place of the save button: its height, its right end. */
  bar: number;
  end: number;
}

/** A mark that can be pointed at, and half its width. */
export interface Mark {
  x: number;
  y: number;
  r: number;
}

/** Null if a thing has no position. */
export interface MarksPlan extends Plan {
  marks: (Mark | null)[];
}

/** Numbers drawn as coloured cells. */
export interface Cells {
  values: ArrayLike<number>;
  rows: number;
  columns: number;
}

/** The box of the cells; its width and height include the gaps between them. */
export interface CellsBox {
  x: number;
  y: number;
  width: number;
  height: number;
  gapX: number;
  gapY: number;
  gapColour: RGB;
}

/** The position of a cell. */
export interface Cell {
  row: number;
  column: number;
}

/** The text that is read for a thing, and its position: the tooltip is above `top` or below `bottom`. */
export interface Reading {
  /** Its names, and the text between each two. */
  parts: readonly string[];
  said: string;
}

export interface Tip extends Reading {
  x: number;
  top: number;
  bottom: number;
}

/** An element that contains a Plotly picture. */
export interface PlotlyNode extends HTMLElement {
  on?(type: "plotly_hover", act: (told: { points: { curveNumber: number; pointNumber: number }[] }) => void): void;
  on?(type: "plotly_unhover", act: () => void): void;
  on?(type: "plotly_relayout", act: (changed: { "scene.camera"?: { eye: { x: number; y: number; z: number } } }) => void): void;
}

/** The parts of Plotly that we use (its reference: "Function reference"). */
export interface PlotlyApi {
  react(node: PlotlyNode, data: object[], layout: object, config: object): Promise<unknown>;
  relayout(node: PlotlyNode, changed: object): Promise<unknown>;
  restyle(node: PlotlyNode, changed: object, traces: number[]): Promise<unknown>;
  toImage(figure: { data: object[]; layout: object }, how: { format: "png"; width: number; height: number; scale: number }): Promise<string>;
  purge(node: PlotlyNode): void;
}

/** A drawing context, on the page or off it. */
export type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** The picture to save: shapes, and cells if there are any. */
export interface Still {
  look: Look;
  shapes: Shape[];
  paint?(pen: CanvasRenderingContext2D): void;
  asSvg?(): string;
  /** Where they differ from those on the page: a file holds all of what scrolls there. */
  width?: number;
  header?: Header;
}

// --- Messages of a page ------------------------------------------------------------------------------

/** The choices in a picture; undefined if there are none. */
export type State = object | undefined;

/** The common header of all pictures (`core/figures/picture.py`). */
export interface Header<S extends State = State> {
  /** The picture in one sentence, for those who do not see it. */
  sentence: string;
  /** The name of a saved file. */
  file: string;
  /** In pixels: first the height that the page wants, then the height drawn. */
  height: number;
  dtype?: "float32" | "float64" | "uint8";
  state?: S;
  /** Whether it plays when it is first drawn. */
  autoplay?: boolean;
  /** In a saved page or a notebook: the events to report. */
  events?: readonly string[];
  link?: LinkHeader | null;
}

/** For each query and key, its number in the group of pictures, or null (`core/figures/link.py`). */
export interface LinkHeader {
  group: string;
  queries: readonly (number | null)[];
  keys: readonly (number | null)[];
}

type Numbers<Dtype> = Dtype extends "uint8" ? Uint8Array : Float32Array;
/** The numbers behind a header. */
export type ValuesOf<H extends Header> = Numbers<H["dtype"]>;

/** The content of a picture's bytes. */
export interface Unpacked<H extends Header> {
  header: H;
  values: ValuesOf<H>;
}

/** The message to a picture, in parts that are used separately (`_message` in `ui/figure.py`). */
export interface Message<S extends State = State> {
  /** The address of the bytes, or null if they came along. */
  numbers: string | null;
  bytes: Uint8Array | null;
  /** The height in pixels that the page wants; null for that in the header. */
  height: number | null;
  /** The choices that the page wants; null for those in the header. */
  state: S | null;
  /** Whether it plays when it is first drawn. */
  autoplay: boolean;
  /** The events that the page listens for; null for those in the header. */
  events: readonly string[] | null;
  /** The files that the page can save. */
  files: readonly SavedFile[];
  /** The number of the last choice that the page has received. */
  heard: number;
  /** The name of the session that listens; null for none. */
  visit: string | null;
  /**
   * The address of the library of this kind of picture, or the packed library; undefined if it is in the
   * page.
   */
  library?: string;
}

/** A file that the page makes of a picture on request (`ui/files.py`). */
/** What a page brings of its language: `core/localization/browser.py`. */
export interface Catalogue {
  language: string;
  decimal: string;
  group: string;
  /** For each count from 0 to 199, the index of its form. */
  forms: string;
  messages: Readonly<Record<string, string | readonly string[]>>;
}

export interface SavedFile {
  /** Its name in the menu, for example "CSV". */
  kind: string;
  /** Its content, in a few words. */
  about: string;
  /** The file name. */
  name: string;
  address: string;
}

/** The message of a page: in a saved page or a notebook, only the bytes. */
export type Sent<S extends State = State> = Uint8Array | SentMessage<S>;
export type SentMessage<S extends State = State> =
  Partial<Omit<Message<S>, "bytes">> & { bytes?: Uint8Array | string | null };

/** The events of a picture by name, as in schema.json, and what it could not fetch. */
export interface Emitted extends Events {
  lost: { numbers: string } | { file: string };
}

export type Emit = <N extends keyof Emitted>(name: N, value: Emitted[N]) => void;

/** The place of a picture: an element of a page, or its own shadow root. */
export type Root = HTMLElement | ShadowRoot;

/** The fields of a picture's state, from `schema.js`; optional ones are sent beside the state. */
export type Schema = Readonly<Record<string, {
  type?: string; enum?: readonly string[]; optional?: boolean; own?: boolean;
}>>;

/** Any picture, reduced to the parts that every picture has. */
export type AnyPicture = Picture<Header, State, {} | null, Plan>;

/** A picture with a slider, which `Play` moves. */
export type Sliding = Picture<SlidingHeader, { depth: number }, {} | null, Plan> & { go(depth: number): void };

export interface SlidingHeader extends Header<{ depth: number }> {
  steps: readonly string[];
  play: boolean;
}

// --- Linked pictures ---------------------------------------------------------------------------------

/** The message between linked pictures: parts of a state, with tokens by their numbers in the group. */
export interface Change {
  query?: number | null;
  key?: number | null;
  [name: string]: unknown;
}

/** "state" for choices, "lit" for the thing under the pointer. */
export type ChangeKind = "state" | "lit";

/** The layer that a picture shows: 0 before the first, NaN if the picture has gone. */
export interface LayerDetail {
  layer: number;
  layers: number;
}

export interface LinkDetail {
  /** Null if the page sent it, and not a picture. */
  from: AnyPicture | null;
  group: string;
  kind: ChangeKind;
  change: Change;
}

declare global {
  interface HTMLElementEventMap {
    "polysee-link": CustomEvent<LinkDetail>;
    "polysee-layer": CustomEvent<LayerDetail>;
    "polysee-layer-asked": Event;
  }
}
