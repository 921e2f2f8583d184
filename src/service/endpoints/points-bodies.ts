import type { Point } from '../../ensemble/nearest-place.js';
import type { WrittenBodies } from '../../respond/answer-data.js';
import type { JsonWriter } from '../../respond/json-writer.js';
import type { CoreBuffers, HeldCells } from '../point/buffers.js';
import { cellLocation } from '../point/place.js';
import type { CellStatistics } from '../point/statistics-plans.js';
import type { BodyPlan, PlannedVariable } from './statistics-bodies.js';

/** So many points are computed together, of so many numbers: more are not faster, and take more memory. */
const MAX_CELLS = 16;
const MAX_NUMBERS = 4096;

const COMMA = /* @__PURE__ */ Uint8Array.of(44);

/**
 * Writes the bodies of several points of one request, some at a time: their values are read one after the other, then
 * computed by one call of the kernels. Nothing is held from one call to the next.
 */
export class PointsBodies {
  readonly #plan: BodyPlan;
  readonly #buffers: CoreBuffers;
  readonly #statistics: readonly CellStatistics[];
  /** By variable: where its values are read to. */
  #held: readonly HeldCells[];
  readonly #maxCells: number;
  /** The places of the points that are written. */
  readonly #cells: number[] = [];

  constructor(plan: BodyPlan, buffers: CoreBuffers) {
    this.#plan = plan;
    this.#buffers = buffers;
    this.#maxCells = Math.max(1, Math.min(MAX_CELLS, Math.floor(MAX_NUMBERS / plan.numbers)));
    this.#held = this.#hold();
    this.#statistics = plan.variables.map(({ windows, request }, v) => ({
      ...{ windows, request },
      field: this.#held[v].field,
      shape: plan.skeleton.variables[v],
    }));
  }

  /** The bodies of the points from `from` on, up to one that has to be answered in the usual way. Throws as reading. */
  write(points: readonly Point[], from: number, writer: JsonWriter): WrittenBodies | undefined {
    const { timeline, skeleton, numbers } = this.#plan;
    const count = this.#compute(points, from);
    if (count === 0) return undefined;
    const texts = this.#buffers.plans.cellTexts(this.#statistics);
    writer.begin();
    for (let i = 0; i < count; i++) {
      const start = writer.length;
      if (i > 0) writer.continue(COMMA);
      const closest = cellLocation(timeline.places, this.#cells[i]);
      if (skeleton.append(writer, points[from + i], closest, (v) => texts[v].write(i))) continue;
      if (i === 0) return undefined;
      writer.cut(start);
      return { bytes: writer.finish(), points: i, numbers: i * numbers };
    }
    return { bytes: writer.finish(), points: count, numbers: count * numbers };
  }

  /** Reads and computes the values of the first points, and returns how many these are. */
  #compute(points: readonly Point[], from: number): number {
    const { timeline, variables } = this.#plan;
    let count = 0;
    const most = Math.min(points.length - from, ...this.#held.map(({ values }) => values.length));
    for (; count < most; count++) {
      const cell = timeline.places.covering(points[from + count]);
      if (cell === undefined) break;
      this.#cells[count] = cell;
    }
    if (count === 0) return 0;
    const texts = this.#buffers.plans.cellTexts(this.#statistics);
    if (this.#held[0].values[0].length === 0) this.#held = this.#hold();
    for (let v = 0; v < variables.length && count > 0; v++) {
      count = this.#read(variables[v], this.#held[v], count);
      if (count > 0) texts[v].compute(count);
    }
    return count;
  }

  /** Reads the values of a variable at the first places, and returns of how many they are at hand. */
  #read({ slug }: PlannedVariable, { values }: HeldCells, count: number): number {
    const { timeline } = this.#plan;
    for (let i = 0; i < count; i++) {
      if (!timeline.readNow?.(slug, this.#cells[i], values[i])) return i;
    }
    return count;
  }

  #hold(): readonly HeldCells[] {
    return this.#plan.variables.map(({ axis }) => this.#buffers.placeCells(axis, this.#maxCells) as HeldCells);
  }
}
