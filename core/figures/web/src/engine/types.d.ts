// The records that the engine's modules hand to each other.
import type { TraceParts } from "./trace";

/** The tables of a tokenizer: `wordpiece` in tools/web.py says what each holds. */
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
}

/** `manifest.json`, which `make web` writes. */
export interface Manifest {
  model: string;
  cased: boolean;
  shape: { layers: number; heads: number; size: number; headSize: number };
  /** The tokens of the longest text. */
  most: number;
  /** The files that the browser keeps. */
  stored: string[];
  files: Record<string, StoredFile>;
  versions: Record<string, string>;
}

/** A file's content, which may have come piece by piece. */
export type Progress = (bytes: number, all: number) => void;

/** To the worker. */
export type Order =
  | { kind: "start"; id: number; base: string; manifest: Manifest }
  | { kind: "trace"; id: number; text: string };

/** From the worker. */
export type Answer =
  | { kind: "progress"; bytes: number; all: number }
  | { kind: "started"; id: number }
  | { kind: "traced"; id: number; parts: TraceParts; milliseconds: number }
  | { kind: "failed"; id: number; name: string; message: string };
