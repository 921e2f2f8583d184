import { DataType, type Table } from 'apache-arrow';
import type { Places } from '../../ensemble/nearest-place.js';
import type { LabelColumn } from '../../ensemble/place-labels.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { isNumberType } from '../columns/column-values.js';
import type { Coordinates } from '../columns/coordinates.js';
import { placeLabels } from './label-columns.js';

/** The columns that say more of places than coordinates do; the first is the id, if there is one. */
export interface LabelNames {
  readonly names: readonly string[];
  readonly hasId: boolean;
}

interface FoundColumn extends LabelColumn {
  values: readonly unknown[];
  readonly codes: number[];
  /** Whether a place has several values. */
  varies: boolean;
}

/**
 * The places of rows of tables that come one after the other, told apart by coordinates and id. They are numbered in the
 * order of their first rows, and their numbers stand for coordinates while rows become ensembles.
 */
export class RowPlaces {
  readonly #hasId: boolean;
  readonly #columns: readonly FoundColumn[];
  readonly #points = new PlaceRows();
  readonly #places = new PlaceRows();
  readonly #latitude: number[] = [];
  readonly #longitude: number[] = [];
  #pointCount = 0;

  constructor(table: Table, { names, hasId }: LabelNames) {
    this.#hasId = hasId;
    this.#columns = names.map((name) => {
      const { type } = columnOf(table, name);
      const isNumber = isNumberType(type) && !DataType.isDictionary(type);
      return { name, isNumber, ...(DataType.isInt(type) && { type }), values: [], codes: [], varies: false };
    });
  }

  numbered(table: Table, coordinates: Coordinates): Places & { readonly places: RowPlaces } {
    const numbers = this.number(table, coordinates);
    return { latitude: numbers, longitude: numbers, places: this };
  }

  /** The number of the place of each row. */
  number(table: Table, { latitude, longitude }: Coordinates): Float64Array {
    const codes = this.#columns.map((column) => {
      const coded = codedColumn(columnOf(table, column.name), undefined, column.values);
      column.values = coded.values;
      return coded.codes;
    });
    const numbers = new Float64Array(table.numRows);
    let [place, y, x, id] = [0, Number.NaN, 0, 0];
    for (let row = 0; row < numbers.length; row++) {
      const [north, east] = [latitude?.[row] ?? 0, longitude?.[row] ?? 0];
      const own = this.#hasId ? codes[0][row] : 0;
      if (north !== y || east !== x || own !== id) {
        [y, x, id] = [north, east, own];
        const point = this.#points.add(y, x, this.#pointCount) ?? this.#pointCount++;
        const { length } = this.#latitude;
        place = this.#places.add(point, id, length) ?? length;
        if (place === length) {
          this.#latitude.push(latitude?.[row] ?? Number.NaN);
          this.#longitude.push(longitude?.[row] ?? Number.NaN);
        }
      }
      numbers[row] = place;
      for (let c = 0; c < codes.length; c++) {
        const [column, code] = [this.#columns[c], codes[c][row]];
        const known = column.codes[place] ?? -1;
        if (known < 0) column.codes[place] = code;
        else if (code !== known && code >= 0) column.varies = true;
      }
    }
    return numbers;
  }

  /**
   * The names of the columns that have one value at each place so far. Numbers that are the same everywhere may be values
   * of a quiet time, unless the column `isNamed` as one of places.
   */
  constant(isNamed: (name: string) => boolean): string[] {
    return this.#columns.flatMap(({ name, varies, isNumber, values }) =>
      varies || (isNumber && values.length < 2 && !isNamed(name)) ? [] : name,
    );
  }

  /** Replaces the numbers of places by their coordinates and labels. */
  placed<Some extends Places>(some: Some): Some {
    const of = Int32Array.from(some.latitude);
    const labels = placeLabels(this.#columns, this.#hasId, of);
    const degrees = (all: readonly number[]) => Float64Array.from(of, (place) => all[place]);
    return { ...some, latitude: degrees(this.#latitude), longitude: degrees(this.#longitude), labels };
  }

  /** A place for messages. */
  text(place: number): string {
    const [id] = this.#columns;
    const at = `${this.#latitude[place]}, ${this.#longitude[place]}`;
    if (!this.#hasId) return at;
    const name = `${id.name} ${id.values[id.codes[place]]}`;
    return Number.isNaN(this.#latitude[place]) ? name : `${name} (${at})`;
  }
}
