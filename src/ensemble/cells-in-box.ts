import { copyCells } from '../core/copy-cells.js';
import { MemberColumn } from '../core/member-column.js';
import { floatArray } from '../core/number-arrays.js';
import { DataError, OptionError } from '../errors.js';
import { type BoundingBox, boxText, isWithinBox } from './bounding-box.js';
import type { Ensemble, EnsemblePart } from './ensemble.js';
import type { Places } from './nearest-place.js';

/** Selects the cells of ensembles of one input within a box, and knows whether there were any. */
export class CellsInBox {
  readonly #box: BoundingBox;
  readonly #source: string;
  #found = 0;
  #all = 0;
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;
  #west = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;

  constructor(box: BoundingBox, source: string) {
    this.#box = box;
    this.#source = source;
  }

  /** The ensemble with the cells within the box only; undefined where there are none. */
  select(ensemble: Ensemble): Ensemble | undefined {
    const parts = ensemble.parts.flatMap((part) => this.#within(part) ?? []);
    return parts.length === 0 ? undefined : { ...ensemble, parts };
  }

  /** For people: how many cells were selected. */
  get note(): string {
    return `${this.#found} of ${this.#all} cells are within ${boxText(this.#box)}`;
  }

  /** Throws OptionError where no cell was within the box, and DataError where cells had no coordinates. */
  assertFound(): void {
    if (this.#found > 0 || this.#all === 0) return;
    const { longitude, latitude } = this.#extent();
    throw noCellError(this.#source, this.#box, { latitude, longitude });
  }

  #extent(): Places {
    const isKnown = this.#south <= this.#north;
    return {
      latitude: isKnown ? Float64Array.of(this.#south, this.#north) : Float64Array.of(Number.NaN),
      longitude: isKnown ? Float64Array.of(this.#west, this.#east) : Float64Array.of(Number.NaN),
    };
  }

  #within(part: EnsemblePart): EnsemblePart | undefined {
    const { latitude, longitude } = part;
    const inside: number[] = [];
    for (const [cell, lat] of latitude.entries()) {
      const lon = longitude[cell];
      if (lat < this.#south) this.#south = lat;
      if (lat > this.#north) this.#north = lat;
      if (lon < this.#west) this.#west = lon;
      if (lon > this.#east) this.#east = lon;
      if (isWithinBox(this.#box, lat, lon)) inside.push(cell);
    }
    this.#found += inside.length;
    this.#all += latitude.length;
    if (inside.length === latitude.length) return part;
    return inside.length === 0 ? undefined : someCells(part, Int32Array.from(inside));
  }
}

/** The error for a box without cells; `places` are those that there are. */
export function noCellError(source: string, box: BoundingBox, { latitude, longitude }: Places): Error {
  const known = (values: Float64Array) => values.filter((value) => !Number.isNaN(value));
  if (known(latitude).length === 0) {
    return new DataError({
      ...{ source, problem: 'has no coordinates to find a box by' },
      allowed: 'latitudes and longitudes of cells; without a box, all are used',
    });
  }
  const extent = (values: Float64Array) =>
    `${known(values).reduce((a, b) => Math.min(a, b))} to ${known(values).reduce((a, b) => Math.max(a, b))}`;
  const cells = `latitude ${extent(latitude)}, longitude ${extent(longitude)}`;
  return new OptionError({
    ...{ subject: `${source}, bbox`, problem: 'no cell has its centre within the box', received: boxText(box) },
    allowed: `a box with cells, which are at ${cells}`,
  });
}

/** Some cells of a part, copied. */
export function someCells({ field, latitude, longitude, labels }: EnsemblePart, cells: Int32Array): EnsemblePart {
  const { days, type, order } = field;
  const values = field.members.map(() => floatArray(type, cells.length * days));
  copyCells(field, { from: cells }, values);
  const rowOf = (row: number) => {
    const [cell, day] = [cells[Math.floor(row / days)], row % days];
    return order === 'day-fastest' ? cell * days + day : day * field.cells + cell;
  };
  return {
    field: {
      ...field,
      order: 'day-fastest',
      cells: cells.length,
      members: field.members.map(({ name }, m) => new MemberColumn(name, [{ values: values[m] }])),
      place: (member, row) => field.place?.(member, rowOf(row)) ?? { row: rowOf(row) + 1 },
    },
    latitude: Float64Array.from(cells, (cell) => latitude[cell]),
    longitude: Float64Array.from(cells, (cell) => longitude[cell]),
    labels: labels && { ...labels, of: cells.map((cell) => labels.of[cell]) },
  };
}
