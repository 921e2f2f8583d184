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
}

/** What is known of the places of cells besides their coordinates. */
export interface PlaceLabels {
  readonly columns: readonly LabelColumn[];
  /** Whether the first column tells places apart. */
  readonly hasId: boolean;
  /** The place of each cell, as the columns count places. */
  readonly of: Int32Array;
}

/** The value of a column at a cell; undefined where it has none. */
export function labelAt({ of }: PlaceLabels, { values, codes }: LabelColumn, cell: number): unknown {
  return values[codes[of[cell]]];
}

/** The ids of places as texts; undefined where they have none. */
export function idsOf(labels: PlaceLabels | undefined): string[] | undefined {
  if (!labels?.hasId) return undefined;
  return Array.from(labels.of, (_, cell) => String(labelAt(labels, labels.columns[0], cell) ?? ''));
}
