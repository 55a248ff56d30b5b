// The records that the engine's modules hand to each other.
import type { Changed, ChangedAsked, Patched } from "./changed";
import type { Score } from "../derive/expecting";
import type { Sampling } from "../derive/sampling";
import type { LensAsked, LensGrid } from "./lens";
import type { Generated, NextToken } from "./speaker";
import type { Step } from "./steps/record";
import type { ShortText } from "./steps/sentence";
import type { Sink } from "./sink";
import type { Why, WhyAsked } from "./why";
import type { TraceParts } from "./trace";

/** The tables of a tokenizer: `wordpiece` in tools/web says what each holds. */
export interface Tables {
  vocabulary: string;
  added: string[];
  classify: string[];
  unknown: string;
  continues: string;
  longest: number;
  most: number;
  gone: number[];
  spaces: number[];
  apart: number[];
  punctuation: number[];
  becomes: string;
  order: Record<string, number>;
}

/** A text in tokens. Positions count characters (code points). */
export type Encoded = Pick<TraceParts, "text" | "ids" | "tokens" | "starts" | "ends" | "special" | "leftOut"> & {
  /** The characters of the text. */
  length: number;
};

export interface StoredFile {
  bytes: number;
  sha256: string;
  /** Of a large file, the checksum of each piece. */
  pieces?: string[];
}

/** What `make web` writes of each model: `manifest.json`, or one that is named after the model. */
interface AnyManifest {
  model: string;
  cased: boolean;
  /** The tokens of the longest text. */
  most: number;
  /** The gigabytes of memory, as browsers round them, below which it is not offered. */
  memory: number;
  /** The files that the browser keeps of this model: those that it needs to start, and those that are fetched when somebody asks. */
  stored: string[];
  later: string[];
  /** The checksums of all pieces of all models here. */
  kept: string[];
  /** The bytes of a piece of a large file. */
  piece: number;
  files: Record<string, StoredFile>;
  versions: Record<string, string>;
  /** What runs it; WebAssembly by default. */
  runTime?: RunTime;
}

/** The files of onnxruntime-web: its own script, the one that starts its WebAssembly, and this. */
export interface RunTime {
  provider: "wasm" | "webgpu";
  script: string;
  start: string;
  binary: string;
}

/** The second run-time, which computes on a graphics card: `graphics.json`. */
export interface GraphicsManifest {
  runTime: RunTime;
  /** The bytes of a piece of a large file. */
  piece: number;
  files: Record<string, StoredFile>;
}

/** A model that reads a text in both directions. */
export interface EncoderManifest extends AnyManifest {
  kind: "encoder";
  shape: { layers: number; heads: number; size: number; headSize: number; vocabulary: number; normEps: number };
}

/** A model that predicts the next token. */
export interface DecoderManifest extends AnyManifest {
  kind: "decoder";
  shape: DecoderShape;
  /** The file of the weights, in GGUF. */
  weights: string;
  /** The file of its fitted lens. */
  lens: string;
}

export type Manifest = EncoderManifest | DecoderManifest;

export interface DecoderShape {
  layers: number;
  heads: number;
  /** The heads of keys and values; neighbouring heads of the queries share one. */
  kvHeads: number;
  size: number;
  headSize: number;
  vocabulary: number;
  /** ε of each norm. */
  normEps: number;
  /** The base of the rates by which positions turn queries and keys. */
  theta: number;
  /** The layers of one session. */
  layersAtOnce: number;
  /** The weights of a layer, by llama.cpp's names, and their shapes. */
  weights: Record<string, number[]>;
}

/** A file's content, which may have come piece by piece. */
export type Progress = (bytes: number, all: number) => void;

/** What comes after a text. */
export interface NextParts {
  /** The text in tokens. */
  encoded: Encoded;
  /** The logits of the next token, (vocabulary). */
  logits: Float32Array;
}

/** Which steps of a text are asked for: a layer and a head, from 1, and the columns of wide products from 32 · block on. */
export interface StepsAsked {
  layer: number;
  head: number;
  block: number;
}

/** Of a word in a text, the sum behind its vector after each layer. */
export interface SourcesAsked {
  /** The tokens of the word. */
  tokens: number[];
  /** (layers × size), along which the mean of their vectors is measured after each layer. */
  directions: Float32Array;
}

/** What each token adds to it, (layers × tokens), and what the biases do, (layers). */
export interface SourcesOf {
  sums: Float32Array;
  biases: Float32Array;
}

/** All steps of a text through one layer. */
export interface StepsOf extends ShortText {
  steps: Step[];
  /** The largest difference of the layer's output from what the whole model returned. */
  apart: number;
  layers: number;
  heads: number;
}

/** How a model writes. */
export interface Writing {
  sampling: Sampling;
  seed: number;
  /** Texts behind which it ends. */
  stops?: readonly string[];
}

/** To the worker. */
export type Order =
  | { kind: "start"; id: number; base: string; manifest: Manifest }
  | { kind: "trace"; id: number; text: string }
  | { kind: "next"; id: number; text: string; more: number[] }
  | { kind: "expect"; id: number; text: string; more: number[] }
  | { kind: "score"; id: number; text: string; more: number[] }
  | { kind: "lens"; id: number; text: string; more: number[]; asked: LensAsked }
  | { kind: "why"; id: number; text: string; more: number[]; asked: WhyAsked }
  | { kind: "steps"; id: number; text: string; asked: StepsAsked }
  | { kind: "sources"; id: number; text: string; asked: SourcesAsked }
  | { kind: "sink"; id: number; text: string }
  | { kind: "changed"; id: number; text: string; asked: ChangedAsked }
  | { kind: "patched"; id: number; text: string; asked: { other: string; words: string[] } }
  | { kind: "write"; id: number; text: string; more: number[]; count: number; how: Writing }
  /** Whoever asked for this waits no more. */
  | { kind: "stop"; id: number };

/** From the worker. */
export type Answer =
  | { kind: "progress"; bytes: number; all: number }
  | { kind: "started"; id: number }
  | { kind: "traced"; id: number; parts: TraceParts; milliseconds: number }
  | { kind: "next"; id: number; parts: NextParts; milliseconds: number }
  /** A token of what is being written. */
  | { kind: "wrote"; id: number; token: Generated }
  | { kind: "said"; id: number; parts: NextToken | Score | Changed | Patched | Sink | LensGrid | Why | StepsOf | SourcesOf | null; milliseconds: number }
  /** How often a run that is changed was asked whether it goes on: about once a layer. */
  | { kind: "part"; id: number; layers: number }
  /** What was asked for was given up. */
  | { kind: "stopped"; id: number }
  | { kind: "failed"; id: number; name: string; message: string };
