// What the pictures share: shapes, colours, plans, what a page sends. The header of each stands in
// headers.d.ts; what is chosen in each in states.d.ts, which is made from schema.json.
import type { Events } from "./states";
import type { Picture } from "./runtime/picture";

/** Red, green and blue, each 0 to 255. */
export type RGB = readonly [number, number, number];
/** As CSS writes it, or in numbers. */
export type Colour = string | RGB;
/** [x, y] in pixels. */
export type Place = [number, number];
/** [left, top, width, height] in pixels. */
export type Box = [number, number, number, number];
/** [left, top, right, bottom] in pixels: of a room, of a label. */
export type Room = [number, number, number, number];
/** [first, after the last]: neighbours in a list. */
export type Run = [number, number];
/** A value and the text that stands at it. */
export type NamedValue = readonly [number, string];

/** How a number is written. */
export interface NumberFormat {
  digits: number;
  /** Whether the sign of a number above 0 is written too. */
  plus?: boolean;
}

/** The colours and letters of the page around a picture. */
export interface Look {
  paper: RGB;
  ink: RGB;
  muted: RGB;
  line: RGB;
  dark: boolean;
  font: string;
  /** Of letters, in pixels. */
  size: number;
}

// --- Shapes -------------------------------------------------------------------------------------------

interface Named {
  /** What it is, for whoever reads the picture. */
  part?: string;
  /** Of which thing. */
  of?: number | string;
}

export interface TextShape extends Named {
  text: string;
  x: number;
  /** The middle of the letters. */
  y: number;
  size: number;
  fill: Colour;
  anchor?: "start" | "middle" | "end";
  bold?: boolean;
  /** In degrees. */
  turn?: number;
  /** The colour around letters that stand on lines. */
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
  /** As SVG writes it, see draw/paths.js. */
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

/** Colours for numbers from 0 on: one hue that grows out of the page. */
export interface WeightColours {
  kind: "weights";
  hue: RGB;
  /** Coloured by the square root. */
  root?: boolean;
  /** Where the colours end; 1 if not said. */
  most?: number;
}

/** The colours of negative and of positive numbers. */
export type ColourPair = readonly [RGB, RGB];

/** Colours for numbers of either sign: the page's own is 0. */
export interface SignedColours {
  kind: "signed";
  /** Where the colours end, on both sides. */
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
  /** The place of a number's colour. */
  at(value: number): number;
  /** How far a colour is from that of nothing. */
  strength(index: number): number;
}

// --- Plans --------------------------------------------------------------------------------------------

/** Where everything of a picture stands. */
export interface Plan {
  shapes: Shape[];
  /** What hears the pointer and the keys. */
  area: Box;
  /** Where the button stands that saves it: its height, its right end. */
  bar: number;
  end: number;
}

/** A mark that can be pointed at, and half its width. */
export interface Mark {
  x: number;
  y: number;
  r: number;
}

/** Null where a thing has no place. */
export interface MarksPlan extends Plan {
  marks: (Mark | null)[];
}

/** Numbers that are drawn as coloured cells. */
export interface Cells {
  values: ArrayLike<number>;
  rows: number;
  columns: number;
}

/** Where cells stand; the gaps between them are within the width and the height. */
export interface CellsBox {
  x: number;
  y: number;
  width: number;
  height: number;
  gapX: number;
  gapY: number;
  gapColour: RGB;
}

/** A place among cells. */
export interface Cell {
  row: number;
  column: number;
}

/** What is read of a thing, and where: the tooltip stands over `top` or under `bottom`. */
export interface Reading {
  /** Its names, and between each two what stands between them. */
  parts: readonly string[];
  said: string;
}

export interface Tip extends Reading {
  x: number;
  top: number;
  bottom: number;
}

/** An element in which Plotly has drawn. */
export interface PlotlyNode extends HTMLElement {
  on?(type: "plotly_hover", act: (told: { points: { curveNumber: number; pointNumber: number }[] }) => void): void;
  on?(type: "plotly_unhover", act: () => void): void;
  on?(type: "plotly_relayout", act: (changed: { "scene.camera"?: { eye: { x: number; y: number; z: number } } }) => void): void;
}

/** What we use of Plotly (its reference: "Function reference"). */
export interface PlotlyApi {
  react(node: PlotlyNode, data: object[], layout: object, config: object): Promise<unknown>;
  relayout(node: PlotlyNode, changed: object): Promise<unknown>;
  restyle(node: PlotlyNode, changed: object, traces: number[]): Promise<unknown>;
  toImage(figure: { data: object[]; layout: object }, how: { format: "png"; width: number; height: number; scale: number }): Promise<string>;
  purge(node: PlotlyNode): void;
}

/** What draws on a canvas, on the page or apart from it. */
export type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** What is saved: shapes, and where there are cells these as well. */
export interface Still {
  look: Look;
  shapes: Shape[];
  paint?(pen: CanvasRenderingContext2D): void;
  asSvg?(): string;
}

// --- What a page sends, what it is told ---------------------------------------------------------------

/** What is chosen in a picture; undefined where nothing can be. */
export type State = object | undefined;

/** What the bytes of every picture say (`core/figures/picture.py`). */
export interface Header<S extends State = State> {
  /** The picture in one sentence, for those who do not see it. */
  sentence: string;
  /** The name of a saved file. */
  file: string;
  /** In pixels: as high as the page wants it, then as high as it is drawn. */
  height: number;
  dtype?: "float32" | "float64" | "uint8";
  state?: S;
  /** Whether it moves by itself when it is drawn for the first time. */
  autoplay?: boolean;
  /** In a saved page or a notebook: what is to be told. */
  events?: readonly string[];
  link?: LinkHeader | null;
}

/** Of each query and key its number in the group of pictures, or null (`core/figures/link.py`). */
export interface LinkHeader {
  group: string;
  queries: readonly (number | null)[];
  keys: readonly (number | null)[];
}

type Numbers<Dtype> = Dtype extends "uint8" ? Uint8Array : Float32Array;
/** The numbers behind a header. */
export type ValuesOf<H extends Header> = Numbers<H["dtype"]>;

/** What came in the bytes of a picture. */
export interface Unpacked<H extends Header> {
  header: H;
  values: ValuesOf<H>;
}

/** What a picture is sent, each part as it is used (`_message` in `ui/figure.py`). */
export interface Message<S extends State = State> {
  /** The address of the bytes, or null where they came along. */
  numbers: string | null;
  bytes: Uint8Array | null;
  /** In pixels, as high as the page wants it; null: as the header of the bytes says. */
  height: number | null;
  /** What is chosen, as the page wants it; null: as the header of the bytes says. */
  state: S | null;
  /** Whether it moves by itself when it is drawn for the first time. */
  autoplay: boolean;
  /** What the page wants to be told; null: what the header says. */
  events: readonly string[] | null;
  /** What the page can save of it. */
  files: readonly SavedFile[];
  /** The number of the last choice that the page has heard. */
  heard: number;
  /** The name of the visit that hears; null: nobody does. */
  visit: string | null;
  /** Where the script lies that its kind draws by, or that script packed; not said where it lies in the page. */
  library?: string;
}

/** What can be saved of a picture and is made by its page, when it is asked for (`ui/files.py`). */
export interface SavedFile {
  /** What the menu calls it, as "CSV". */
  kind: string;
  /** What is in it, in a few words. */
  about: string;
  /** It is saved by. */
  name: string;
  address: string;
}

/** What a page sends: in a saved page or a notebook the bytes alone. */
export type Sent<S extends State = State> = Uint8Array | SentMessage<S>;
export type SentMessage<S extends State = State> =
  Partial<Omit<Message<S>, "bytes">> & { bytes?: Uint8Array | string | null };

/** What a picture tells, by the name of the event: as schema.json has it, and what it could not fetch. */
export interface Emitted extends Events {
  lost: { numbers: string } | { file: string };
}

export type Emit = <N extends keyof Emitted>(name: N, value: Emitted[N]) => void;

/** Where a picture is drawn: a place in a page, or the root of its own shadow. */
export type Root = HTMLElement | ShadowRoot;

/** The fields of a picture's state, as `schema.js` reads them; what is optional is told beside it. */
export type Schema = Readonly<Record<string, {
  type?: string; enum?: readonly string[]; optional?: boolean; own?: boolean;
}>>;

/** Any picture, for those parts that every picture has. */
export type AnyPicture = Picture<Header, State, {} | null, Plan>;

/** A picture with a slider, which `Play` moves. */
export type Sliding = Picture<SlidingHeader, { depth: number }, {} | null, Plan> & { go(depth: number): void };

export interface SlidingHeader extends Header<{ depth: number }> {
  steps: readonly string[];
  play: boolean;
}

// --- Pictures beside each other -----------------------------------------------------------------------

/** What linked pictures tell each other: parts of a state; of tokens the places, in the group their numbers. */
export interface Change {
  query?: number | null;
  key?: number | null;
  [name: string]: unknown;
}

/** "state" for what is chosen, "lit" for what is pointed at. */
export type ChangeKind = "state" | "lit";

export interface LinkDetail {
  /** Null where a page tells it, and no picture. */
  from: AnyPicture | null;
  group: string;
  kind: ChangeKind;
  change: Change;
}

declare global {
  interface HTMLElementEventMap {
    "polysee-link": CustomEvent<LinkDetail>;
  }
}
