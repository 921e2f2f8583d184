/** What may come of a case: all but the first two are faults. */
export const OUTCOMES = {
  result: 'a result',
  typed: 'a typed error',
  untyped: 'another error',
  rejection: 'a promise rejected that nobody awaits',
  numbers: 'other numbers, where a checksum covers the bytes',
  rows: 'other rows than the file states',
  foreign: 'values of another file',
  hidden: 'a hidden message that is not noticed',
  doors: 'two ways of reading that disagree',
  memory: 'memory of the core that is not given back',
  hang: 'a hang',
  crash: 'a crash',
  flood: 'a flood of memory',
} as const;

export type Outcome = keyof typeof OUTCOMES;

/** A case that is a fault: enough to distinguish faults of one cause from others, and to see it again. */
export interface Finding {
  readonly outcome: Outcome;
  readonly index: number;
  readonly seed: string;
  readonly door: string;
  readonly detail: string;
}

/** What a process that runs cases receives. */
export interface Task {
  readonly reader: string;
  readonly key: number;
  /** The folder of seeds, and one for the files of this process alone. */
  readonly seeds: string;
  readonly work: string;
  /** Cases from the first to before the last, and how long at most. */
  readonly from: number;
  readonly to: number;
  readonly milliseconds: number;
  /** Whether everything is reported of each case. */
  readonly verbose?: boolean;
}

/** The file descriptor by which such a process reports: a line when a case begins, and one when it ends. */
export const REPORT_FD = 3;

/** A case takes longer than this, of the processor's time: a hang. One that waits for nothing is given longer. */
export const MAX_CPU_SECONDS = 5;
export const MAX_IDLE_SECONDS = 60;
/** Bytes of memory that a case may take beyond what the process had. */
export const MAX_BYTES = 500_000_000;
