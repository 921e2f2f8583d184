import type { Table } from 'apache-arrow';
import type { Places } from '../../ensemble/nearest-place.js';
import type { ColumnRoles } from './column-role.js';
import type { ReadOptions } from './read-options.js';

/** Finds the columns that say more of places than coordinates do; undefined where there are none. */
export type PlaceReader = (
  table: Table,
  roles: ColumnRoles,
  values: readonly string[],
  options: ReadOptions,
) => FoundLabels | undefined;

/** The columns that say more of places than coordinates do; the first is the id, if there is one. */
export interface FoundLabels {
  readonly names: readonly string[];
  readonly hasId: boolean;
  /** Begins to number the places of the rows of tables. */
  begin(table: Table): NumberedPlaces;
}

/** Places of rows that have numbers, which stand for coordinates while rows become ensembles. */
export interface NumberedPlaces {
  /** The number of the place of each row, in place of both coordinates. */
  numbered(table: Table, coordinates: Partial<Places>): Places & { readonly places: NumberedPlaces };
  /** Replaces the numbers of places by their coordinates and labels. */
  placed<Some extends Places>(some: Some): Some;
  /** A place for messages. */
  text(place: number): string;
}
