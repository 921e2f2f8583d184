import { dateText } from '../../period/calendar.js';
import type { WindowTable } from '../../period/period.js';
import { runKey, ScoredWindows } from '../../skill/pairing/scored-windows.js';

/** In place of what places a run is verified at. */
const ANY_PLACES = '0'.repeat(16);

/** Which windows of which issued runs were scored: each counts once, at the places that its run had by then. */
export class ScoredRuns extends ScoredWindows {
  override keysAt(): (initTime: string) => string {
    return (initTime) => runKey(initTime, ANY_PLACES);
  }

  /** Whether a run has windows that end on days from `first` to `last`, and were not scored. */
  isDue(initTime: string, { start, end }: WindowTable, first: number, last: number): boolean {
    const key = this.keysAt()(initTime);
    return start.some((day, w) => day >= first && end[w] <= last && !this.has(key, dateText(undefined, end[w])));
  }

  /** The init times of all runs that it has windows of. */
  get initTimes(): string[] {
    return this.texts().map((text) => text.slice(0, text.indexOf(' ')));
  }
}
