import type { Point } from '../../ensemble/nearest-place.js';
import type { WrittenBodies } from '../../respond/answer-data.js';
import { beginPoints, endPoints } from '../../respond/body.js';
import type { JsonWriter } from '../../respond/json-writer.js';
import type { CoreBuffers, HeldCells } from '../point/buffers.js';
import type { Pause } from '../point/pause.js';
import { cellLocation } from '../point/place.js';
import type { CellStatistics } from '../point/statistics-plans.js';
import type { BodyPlan, PlannedVariable } from './body-plan.js';

/** So many points are computed together, of so many numbers: more are not faster, and take more memory. */
const MAX_CELLS = 8;
const MAX_NUMBERS = 4096;

/** About so many bytes are written at a time. */
const MAX_WRITTEN_BYTES = 524_288;

/** The bodies of some of several points, and what to wait for before the next ones are written. */
export interface WrittenPoints extends WrittenBodies {
  /** Whether `bytes` are the body of the request. */
  readonly isBody: boolean;
  readonly paused: Promise<void> | undefined;
}

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

  /**
   * The bodies of the points from `from` on, up to one that has to be answered in the usual way, or up to a pause.
   * Undefined where that is the first one: it is not covered, its values are not at hand or unusual, or reading fails.
   */
  write(points: readonly Point[], from: number, writer: JsonWriter, pause: Pause): WrittenPoints | undefined {
    beginPoints(writer.begin());
    const start = writer.length;
    let end = from;
    let paused: Promise<void> | undefined;
    while (end < points.length && paused === undefined && writer.length < MAX_WRITTEN_BYTES) {
      const written = this.#writeGroup(points, end, writer);
      if (written === 0) break;
      end += written;
      paused = end < points.length ? pause() : undefined;
    }
    if (end === from) return undefined;
    const isBody = from === 0 && end === points.length;
    if (isBody) endPoints(writer);
    const bytes = writer.finish();
    return { bytes: isBody ? bytes : bytes.subarray(start), points: end - from, isBody, paused };
  }

  /** Writes the bodies of the first points, after a comma where others are written already; returns how many. */
  #writeGroup(points: readonly Point[], from: number, writer: JsonWriter): number {
    const { timeline, skeleton } = this.#plan;
    let start = writer.length;
    let written = 0;
    try {
      const count = this.#compute(points, from);
      const texts = this.#buffers.plans.cellTexts(this.#statistics);
      for (; written < count; written++) {
        const closest = cellLocation(timeline.places, this.#cells[written]);
        writer.separate();
        if (!skeleton.append(writer, points[from + written], closest, (v) => texts[v].write(written))) break;
        start = writer.length;
      }
    } catch {
      // The usual way finds out which point it is, and what to say.
    }
    writer.cut(start);
    return written;
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
