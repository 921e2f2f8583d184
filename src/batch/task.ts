import type { CheckedPlan } from './check-plan.js';
import type { OutputPart } from './plan-outputs.js';
import type { Notice } from './run/notice.js';

/** What every thread is told when it begins. */
export interface WorkerSettings {
  readonly plan: CheckedPlan;
  /** The most bytes of values that a thread may hold at a time. */
  readonly bytes: number;
}

/** Something to be done by one thread. */
export type Task = OutputTask | BlocksTask;

/** An output from its inputs, or from results that are there already. */
export interface OutputTask {
  readonly kind: 'output';
  readonly parts: readonly OutputPart[];
  /** Where it is written to. */
  readonly temporary: string;
  /** Where results of a large grid wait. */
  readonly results: string;
  /** Whether the results are all there. */
  readonly computed: boolean;
  /** Whether other threads have nothing else to do, so that the work is worth dividing. */
  readonly share: boolean;
}

/** Some blocks of a gridded input. */
export interface BlocksTask {
  readonly kind: 'blocks';
  readonly part: OutputPart;
  readonly results: string;
  readonly from: number;
  readonly to: number;
}

/** What a thread says of the task that it was given: the last of them is one of the first three. */
export type Reply =
  | { readonly kind: 'done'; readonly rows: number }
  | { readonly kind: 'divided'; readonly blocks: number }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'remark'; readonly notice: Notice }
  | { readonly kind: 'progress'; readonly source: string; readonly share: number };

/** An error as it passes between threads. */
export interface Fault {
  readonly message: string;
  /** Of plumecast's own errors; undefined for what was not foreseen. */
  readonly tag: string | undefined;
  readonly stack: string | undefined;
}
