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

/** Values of results of commands are in the units of the data. */
export function unitNote({ view: { units } }: CopiedView, mark: string): string[] {
  const chosen = Object.entries(units).map(([from, to]) => `${from}, shown as ${to}`);
  return chosen.length === 0 ? [] : [`${mark} Values are in the units of the data: ${chosen.join('; ')}.`];
}

/** A word of a shell command: quoted where that is needed. */
export function shellWord(text: string): string {
  const word = text.startsWith('-') ? `./${text}` : text;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
