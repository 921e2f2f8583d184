import { unusable } from '../errors.js';

/** A column that says more of places than coordinates do: an id, a name, another value that is constant for a place. */
export interface LabelColumn {
  readonly name: string;
  /** Whether values are numbers; else they become texts. */
  readonly isNumber: boolean;
  /** The type of whole numbers in the table that they are from. */
  readonly type?: unknown;
  /** Distinct values. */
  readonly values: readonly unknown[];
  /** For each place, which of the values it has; -1 where it has none. */
  readonly codes: readonly number[];
  /** Whether a place turned out to have several values, so that none is given. */
  readonly varies?: boolean;
}

/** What is known of the places of cells besides their coordinates. */
export interface PlaceLabels {
  readonly columns: readonly LabelColumn[];
  /** Whether the first column tells places apart. */
  readonly hasId: boolean;
  /** The place of each cell, as the columns count places. */
  readonly of: Int32Array;
  /** The columns of a table whose rows are of these places. */
  toColumns(of: Int32Array): readonly { readonly name: string; readonly data: unknown }[];
  /** The labels of all cells of parts, which have the same columns. */
  joined(parts: readonly { readonly labels?: PlaceLabels | undefined }[]): PlaceLabels;
  /** Throws DataError where several of places are at the coordinates of `place`, which only their ids tell apart. */
  assertOnly(places: LabelledPlaces, place: number, source?: string): void;
}

/** Places by their coordinates in degrees, with their labels. */
export interface LabelledPlaces {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly labels?: PlaceLabels | undefined;
}

/** The value of a column at a cell; undefined where it has none. */
export function labelAt({ of }: PlaceLabels, { values, codes, varies }: LabelColumn, cell: number): unknown {
  return varies ? undefined : values[codes[of[cell]]];
}

/** The ids of places as texts; undefined where they have none. */
export function idsOf(labels: PlaceLabels | undefined): string[] | undefined {
  if (!labels?.hasId) return undefined;
  return Array.from(labels.of, (_, cell) => String(labelAt(labels, labels.columns[0], cell) ?? ''));
}

/** The column of results that only regions of a grid have: the share of the area of each that has data. */
export const AREA_SHARE = 'area_share';

/** Whether places are regions of a grid, whose values are of areas. */
export function areRegions(labels: PlaceLabels | undefined): boolean {
  return labels?.columns.some(({ name }) => name === AREA_SHARE) === true;
}

/** Throws OptionError for what is not the labels of places; undefined is none. */
export function assertLabels(labels: unknown, subject = 'labels'): void {
  const { of, toColumns }: Partial<PlaceLabels> = labels ?? {};
  if (labels === undefined || (of instanceof Int32Array && typeof toColumns === 'function')) return;
  throw unusable(subject, labels, 'what reading a table or file gives');
}
