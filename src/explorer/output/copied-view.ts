import type { Point } from '../../ensemble/nearest-place.js';
import type { OpenSource } from '../data/open-source.js';
import { quantilesOf, type View } from '../view/view.js';

/** What copied text computes. */
export interface CopiedView {
  readonly source: OpenSource;
  readonly view: View;
  /** Keys of the variables that are shown. */
  readonly variables: readonly string[];
  /** The place, where it has to be named. */
  readonly point: Point | undefined;
}

/** Text to copy; or why there is none. */
export type Copied = { readonly text: string } | { readonly reason: string };

/** The quantiles of a view as commands write them. */
export function quantileList({ view }: CopiedView): string {
  return quantilesOf(view).join(',');
}

/** The threshold of a variable as options write it: `>20`. */
export function thresholdOf({ view: { thresholds } }: CopiedView, variable: string): string | undefined {
  if (!Object.hasOwn(thresholds, variable)) return undefined;
  const { operator, limit } = thresholds[variable];
  return `${operator}${limit}`;
}

/** The units of the data, each with the one in which it is shown: results of commands keep the units of the data. */
export function chosenUnits({ view: { units } }: CopiedView): (readonly [own: string, shown: string])[] {
  return Object.entries(units);
}
