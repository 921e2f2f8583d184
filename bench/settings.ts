import type { Effort } from './measure.js';

/** What is measured, and for how long. */
export interface Settings {
  /** Numbers of cells, ascending. */
  readonly sizes: readonly number[];
  /** Only contestants whose names match. */
  readonly isRequested: (name: string) => boolean;
  /** Seconds that a single run may take. */
  readonly longestRun: number;
  /** Turns of a rival. */
  readonly turns: number;
  /** How long to measure jobs of so many cells. */
  effort(cells: number): Effort;
}

/** From here a single run takes a good part of a second. */
const LARGE = 20_000;

/** `largest` cells in all, or fewer where it is quick. */
export function settingsFor(isQuick: boolean, largest: number, contestants: string): Settings {
  const pattern = new RegExp(contestants);
  const large: Effort = { rounds: 2, time: 0, runs: 3 };
  const small: Effort = isQuick ? { rounds: 2, time: 40, runs: 3 } : { rounds: 2, time: 100, runs: 3 };
  return {
    sizes: [1, 100, 2_000, 20_000].filter((cells) => cells < largest).concat(largest),
    isRequested: (name) => pattern.test(name),
    longestRun: isQuick ? 0.7 : 2.5,
    turns: isQuick ? 3 : 7,
    effort: (cells) => (cells < LARGE ? small : large),
  };
}
