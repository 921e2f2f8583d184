import type { Horizon } from '../blend/horizon.js';
import { MAX_REPORTED_CELLS } from '../blend/seam-report.js';
import type { TimelineGroup } from '../blend/timeline-groups.js';
import { copyCells } from '../core/copy-cells.js';
import type { EnsembleField } from '../core/field.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import type { Places } from '../ensemble/nearest-place.js';
import type { Cells } from './daily-input.js';
import type { HorizonSet } from './horizon-set.js';

/** Samples the horizons and the timeline at some places, block by block, for a report on seams. */
export class TimelineSample {
  readonly horizons: readonly Horizon[];
  readonly field: EnsembleField;
  readonly places: Places;
  /** The distance between sampled places. */
  readonly #step: number;
  readonly #ofHorizons: readonly (readonly FloatArray[])[];
  readonly #ofTimeline: readonly FloatArray[];

  constructor(
    { inputs, heads, type }: HorizonSet,
    { firstDay, days, cells: all }: { readonly firstDay: number; readonly days: number; readonly cells: number },
    { latitude, longitude }: Places,
  ) {
    this.#step = Math.ceil(all / MAX_REPORTED_CELLS);
    const cells = Math.ceil(all / this.#step);
    const ofSample = (degrees: Float64Array) => Float64Array.from({ length: cells }, (_, i) => degrees[i * this.#step]);
    this.places = { latitude: ofSample(latitude), longitude: ofSample(longitude) };
    this.#ofHorizons = inputs.map(({ members, days: own }) => members.map(() => floatArray(type, cells * own)));
    this.#ofTimeline = inputs[0].members.map(() => floatArray(type, cells * days));
    const fieldOf = (
      span: Pick<EnsembleField, 'firstDay' | 'days'>,
      names: readonly string[],
      values: readonly FloatArray[],
    ) => {
      const members = names.map((name, m) => new MemberColumn(name, [{ values: values[m] }]));
      return { type, order: 'day-fastest' as const, firstDay: span.firstDay, days: span.days, cells, members };
    };
    this.horizons = inputs.map((input, h) => {
      const { name, source } = heads[h];
      return { name, source, field: fieldOf(input, input.members, this.#ofHorizons[h]) };
    });
    this.field = fieldOf({ firstDay, days }, inputs[0].members, this.#ofTimeline);
  }

  addHorizons(horizons: readonly Horizon[], block: Cells): void {
    const cells = this.#sampled(block);
    for (const [h, { field }] of horizons.entries()) copyCells(field, cells, this.#ofHorizons[h]);
  }

  addTimeline({ cell, field }: TimelineGroup): void {
    copyCells(field, this.#sampled({ cell, cells: field.cells }), this.#ofTimeline);
  }

  /** The sampled cells of a block, and their indices in the sample. */
  #sampled({ cell, cells }: Cells): { from: Int32Array; to: Int32Array } {
    const first = Math.ceil(cell / this.#step);
    const count = Math.max(0, Math.ceil((cell + cells) / this.#step) - first);
    const to = Int32Array.from({ length: count }, (_, i) => first + i);
    return { from: to.map((place) => place * this.#step - cell), to };
  }
}
