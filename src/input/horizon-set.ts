import type { Horizon, HorizonHead } from '../blend/horizon.js';
import type { CheckedBlendOptions } from '../blend/options.js';
import type { PairFieldsOptions } from '../blend/pairing/pair-fields.js';
import type { HasValues } from '../blend/pairing/sampled-cells.js';
import type { DayRange } from '../blend/pairing/seam-anomalies.js';
import { commonVariable, horizonNames } from '../blend/timeline-metadata.js';
import type { FloatType } from '../core/number-arrays.js';
import { matchingCells, type NamedPlaces } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import { assertRealDates } from '../table/columns/day-column.js';
import type { Cells, DailyInput } from './daily-input.js';

/** The horizons of one variable, with the places of all in one order. */
export class HorizonSet {
  readonly inputs: readonly DailyInput[];
  readonly heads: readonly HorizonHead[];
  readonly type: FloatType;
  /** For each input, the cell of each place; undefined if they are in order. */
  readonly orders: readonly (Int32Array | undefined)[];
  readonly #options: CheckedBlendOptions;

  /** Throws DataError if inputs differ in variable, units or calendar, or do not have the `places`. */
  constructor(inputs: readonly DailyInput[], options: CheckedBlendOptions, places: NamedPlaces) {
    for (const { metadata, source } of inputs) assertRealDates(metadata, 'blending', source);
    assertConsistent(inputs.map((ensemble) => ({ source: ensemble.source, ensemble })));
    const names = options.names ?? horizonNames(inputs);
    this.inputs = inputs;
    this.heads = inputs.map(({ source, firstDay, days, members }, h) => {
      return { name: names[h], source, firstDay, days, members: members.length };
    });
    this.type = inputs.every(({ type }) => type === 'float32') ? 'float32' : 'float64';
    this.orders = inputs.map((input) => matchingCells(places, input));
    this.#options = options;
  }

  /** The options to pair its members, each place by itself or before its values are read. */
  get pairOptions(): PairFieldsOptions {
    const { variable } = commonVariable(this.inputs);
    return { ...this.#options, pairBy: variable && [variable.slug], also: [] };
  }

  /** Which places have a value of the first horizon on a day. */
  async valuesOnDay(day: number): Promise<HasValues> {
    const [first] = this.inputs;
    const [order] = this.orders;
    const hasValues = await first.valuesOnDay(day);
    return order === undefined ? hasValues : (cell) => hasValues(order[cell]);
  }

  /** Reads all horizons at single places, each on at least the days that `daysOf` gives. */
  async sample(cells: Int32Array, daysOf: (horizon: number) => DayRange): Promise<Horizon[]> {
    const horizons: Horizon[] = [];
    for (const [h, input] of this.inputs.entries()) {
      const { name, source } = this.heads[h];
      horizons.push({ name, source, field: await input.sample(cells, daysOf(h), this.type, this.orders[h]) });
    }
    return horizons;
  }

  /** Reads all horizons at some places; the values are valid until the next read. */
  async read(cells: Cells): Promise<Horizon[]> {
    const horizons: Horizon[] = [];
    for (const [h, input] of this.inputs.entries()) {
      const { name, source } = this.heads[h];
      horizons.push({ name, source, field: await input.read(cells, this.type, this.orders[h]) });
    }
    return horizons;
  }
}
