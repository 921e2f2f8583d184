import type { Block } from '../files/cf/grid-ensemble.js';
import type { PiecesFile } from '../input/compute-grid.js';
import type { Notice } from '../input/notice.js';
import type { CheckedPlan } from './check-plan.js';
import type { OutputPart } from './plan-outputs.js';

/** What every thread receives when it starts. */
export interface WorkerSettings {
  readonly plan: CheckedPlan;
  /** The most bytes of values that a thread may hold at a time, and one alone while the others hold none. */
  readonly bytes: number;
  readonly bytesAlone: number;
}

/** Work for one thread. */
export type Task = OutputTask | OpenTask | BlocksTask | DivideTask;

/** Makes an output from its inputs, or from results that are computed already. */
export interface OutputTask {
  readonly kind: 'output';
  readonly parts: readonly OutputPart[];
  /** The path to write to. */
  readonly temporary: string;
  /** The path of the results of a large grid. */
  readonly results: string;
  /** Whether all results are computed. */
  readonly computed: boolean;
  /** Whether other threads are idle, so that the work should be divided; `alone` if all are, until it is done. */
  readonly share: boolean | 'alone';
  /** Only these pieces of a grid: the file has their results as they are. */
  readonly pieces?: readonly Block[];
  /** Files with all results of a grid, which shards computed. */
  readonly computedPieces?: readonly PiecesFile[];
  /** Outputs of the same input and variable that nobody has begun: they may be computed together with this one. */
  readonly siblings?: readonly SiblingPart[];
}

/** The part of an output that is computed together with another, and the path of its results. */
export interface SiblingPart {
  readonly part: OutputPart;
  readonly results: string;
}

/** Opens a gridded input whose blocks may follow; does nothing where it is a table. */
export interface OpenTask {
  readonly kind: 'open';
  readonly part: OutputPart;
}

/** Computes some blocks of a gridded input. */
export interface BlocksTask {
  readonly kind: 'blocks';
  readonly part: OutputPart;
  readonly results: string;
  readonly from: number;
  readonly to: number;
  /** Only these pieces of the grid. */
  readonly pieces?: readonly Block[];
  /** What is computed from the same blocks. */
  readonly siblings?: readonly SiblingPart[];
}

/** Divides a grid into pieces for shards. */
export interface DivideTask {
  readonly kind: 'divide';
  readonly part: OutputPart;
  /** The least number of pieces. */
  readonly pieces: number;
}

/** Messages of a thread about its task; the last one is `done`, `divided`, `computed`, `pieces` or `failed`. */
export type Reply =
  | { readonly kind: 'done'; readonly rows: number }
  /** The results of the output and its siblings are in their files. */
  | { readonly kind: 'computed' }
  | { readonly kind: 'divided'; readonly blocks: number }
  /** No pieces where the input is not a grid, or cannot be divided. */
  | { readonly kind: 'pieces'; readonly pieces: readonly Block[] }
  | { readonly kind: 'failed'; readonly fault: Fault }
  /** Which of the siblings are not computed together with the output, by their index. */
  | { readonly kind: 'apart'; readonly siblings: readonly number[] }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'progress'; readonly source: string; readonly share: number };

/** An error, as it is sent between threads. */
export interface Fault {
  readonly message: string;
  /** The tag of a PlumecastError; undefined for other errors. */
  readonly tag: string | undefined;
  readonly stack: string | undefined;
}
