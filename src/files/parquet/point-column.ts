import { OptionError } from '../../errors.js';
import type { GroupValues } from './group-column.js';
import { type ParquetElement, STORED } from './parquet-schema.js';

/** The name of the column of points. */
const GEOMETRY = 'geometry';
/** Byte order (lowest first), type (point), x and y. */
const WKB_BYTES = 21;
const WKB_POINT = 1;

const NUMBERS = [STORED.int32, STORED.int64, STORED.float, STORED.double];

/**
 * The column of points that GeoParquet 1.1 has (geoparquet.org): WKB of the places that two other columns state, in
 * longitude and latitude. Longitudes from 180 on are written as those from -180 on. A row without one of both has no
 * point.
 */
export class PointColumn {
  readonly element: ParquetElement = { name: GEOMETRY, type: STORED.bytes, isOptional: true };
  readonly #latitude: number;
  readonly #longitude: number;
  /** The least and the greatest x and y. */
  #bounds: readonly [number, number, number, number] | undefined;

  /** Throws OptionError where there are no columns of places, or there is another one of geometries. */
  constructor(elements: readonly ParquetElement[]) {
    const indexOf = (name: string) =>
      elements.findIndex((element) => element.name === name && NUMBERS.includes(element.type));
    this.#latitude = indexOf('latitude');
    this.#longitude = indexOf('longitude');
    const names = elements.map(({ name }) => name);
    if (names.includes(GEOMETRY)) {
      throw new OptionError({
        subject: `column ${GEOMETRY}`,
        problem: 'is there already',
        allowed: 'a table without it',
      });
    }
    if (this.#latitude >= 0 && this.#longitude >= 0) return;
    throw new OptionError({
      ...{ subject: 'table', problem: 'has no places, which are the points of GeoParquet', received: names },
      allowed: 'columns latitude and longitude, of numbers',
    });
  }

  /** The points of a row group, from the values of the columns before. */
  points(group: readonly GroupValues[]): GroupValues {
    const [latitude, longitude] = [valuesByRow(group[this.#latitude]), valuesByRow(group[this.#longitude])];
    const rows = group[this.#latitude].rows;
    const isPresent = new Uint8Array(rows);
    const values = new Int32Array(rows);
    const points: Uint8Array[] = [];
    const known = new Map<string, number>();
    let count = 0;
    for (let row = 0; row < rows; row++) {
      const [x, y] = [within180(longitude(row)), latitude(row)];
      if (!Number.isFinite(x + y)) continue;
      const key = `${x} ${y}`;
      let point = known.get(key);
      if (point === undefined) {
        point = points.push(pointBytes(x, y)) - 1;
        known.set(key, point);
        this.#extend(x, y);
      }
      isPresent[row] = 1;
      values[count++] = point;
    }
    return {
      rows,
      isPresent: count < rows ? isPresent : undefined,
      values: values.subarray(0, count),
      texts: points,
    };
  }

  /** What the file states about the column: without a reference system, which is OGC:CRS84 then. */
  metadata(): string {
    const column = { encoding: 'WKB', geometry_types: ['Point'], ...(this.#bounds && { bbox: this.#bounds }) };
    return JSON.stringify({ version: '1.1.0', primary_column: GEOMETRY, columns: { [GEOMETRY]: column } });
  }

  #extend(x: number, y: number): void {
    const [left, bottom, right, top] = this.#bounds ?? [x, y, x, y];
    this.#bounds = [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)];
  }
}

/** Reads the values of a column from the first row on; NaN where there is none. */
function valuesByRow({ isPresent, values }: GroupValues): (row: number) => number {
  let next = 0;
  return (row) => (isPresent === undefined || isPresent[row] === 1 ? Number(values[next++]) : Number.NaN);
}

function within180(longitude: number): number {
  return longitude >= 180 && longitude <= 360 ? longitude - 360 : longitude;
}

function pointBytes(x: number, y: number): Uint8Array {
  const bytes = new Uint8Array(WKB_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 1);
  view.setUint32(1, WKB_POINT, true);
  view.setFloat64(5, x, true);
  view.setFloat64(13, y, true);
  return bytes;
}
