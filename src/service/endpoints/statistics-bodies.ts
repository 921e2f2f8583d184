import type { Point } from '../../ensemble/nearest-place.js';
import type { StatisticsAnswer } from '../../respond/answer-data.js';
import { MAX_SHORT_CELLS } from '../../respond/body.js';
import type { JsonWriter } from '../../respond/json-writer.js';
import { StatisticsSkeleton } from '../../respond/v2/statistics-skeleton.js';
import { columnCount } from '../../statistics/statistics-columns.js';
import { isDerived } from '../point/available-variables.js';
import type { CoreBuffers } from '../point/buffers.js';
import type { Pause } from '../point/pause.js';
import { cellLocation } from '../point/place.js';
import { memberRequest } from '../point/statistics-plans.js';
import type { Snapshot } from '../source/source.js';
import type { BodyPlan, PlannedVariable } from './body-plan.js';
import type { StatisticsQuery } from './forecast-statistics.js';
import { PointsBodies, type WrittenPoints } from './points-bodies.js';
import { isPreparable } from './query-fields.js';

/** So many shapes of requests are remembered. */
const MAX_SHAPES = 64;

interface KnownPlan extends BodyPlan {
  /** What writes the bodies of several points; made when it is first needed. */
  several?: PointsBodies;
}

/**
 * Writes the JSON bodies of `/v2/forecast/statistics` for requests that differ in their points only, as most do. What
 * does not depend on the point is prepared once: the windows, the computation and the text between the numbers. Values
 * are read to their place in the core's memory, and results are written from theirs.
 */
export class StatisticsBodies {
  readonly #buffers: CoreBuffers;
  /** By the shape of a request: a plan, or that it came once, or that it cannot have one. */
  readonly #plans = new Map<string, KnownPlan | 'once' | 'none'>();
  /** The data that the plans are for. */
  #data: Snapshot | undefined;

  constructor(buffers: CoreBuffers) {
    this.#buffers = buffers;
  }

  /**
   * The body of a request of this shape. Undefined where nothing is prepared for it, the point is not covered, or the
   * values are not at hand or unusual: then it is answered in the usual way. Throws what reading throws, and DataError for
   * an infinite value.
   */
  write(
    data: Snapshot,
    shape: string,
    { point }: StatisticsQuery,
    writer: JsonWriter,
  ): Uint8Array<ArrayBuffer> | undefined {
    const plan = this.#data === data ? this.#plans.get(shape) : undefined;
    if (plan === undefined || plan === 'once' || plan === 'none') return undefined;
    const { timeline, skeleton, variables } = plan;
    const cell = timeline.places.covering(point);
    if (cell === undefined) return undefined;
    return skeleton.write(writer, point, cellLocation(timeline.places, cell), (v) => {
      const variable = variables[v];
      if (variable.values.length === 0) variable.values = this.#buffers.place(variable.axis)?.values ?? variable.values;
      if (!timeline.readNow?.(variable.slug, cell, variable.values)) return undefined;
      const { field, windows, request } = variable;
      return this.#buffers.plans.writer(field, windows, request, skeleton.variables[v])();
    });
  }

  /**
   * The bodies of some points from the one at `from` on, as many as are written together, as `write` has them. Undefined
   * where that of the first one cannot be written. Between the points are pauses.
   */
  writeSome(
    data: Snapshot,
    shape: string,
    points: readonly Point[],
    from: number,
    writer: JsonWriter,
    pause: Pause,
  ): WrittenPoints | undefined {
    const plan = this.#data === data ? this.#plans.get(shape) : undefined;
    if (plan === undefined || plan === 'once' || plan === 'none') return undefined;
    plan.several ??= new PointsBodies(plan, this.#buffers);
    return plan.several.write(points, from, writer, pause);
  }

  /** Prepares for requests of a shape that comes a second time, by the answer to one of them. */
  learn(data: Snapshot, shape: string, query: StatisticsQuery, answer: StatisticsAnswer): void {
    if (this.#data !== data) {
      this.#plans.clear();
      this.#data = data;
    }
    const known = this.#plans.get(shape);
    if (known === undefined) {
      if (this.#plans.size === MAX_SHAPES) this.#plans.delete(this.#plans.keys().next().value as string);
      this.#plans.set(shape, 'once');
    } else if (known === 'once') {
      this.#plans.set(shape, this.#plan(data, query, answer) ?? 'none');
    }
  }

  #plan(data: Snapshot, query: StatisticsQuery, answer: StatisticsAnswer): BodyPlan | undefined {
    if (!isPreparable(query)) return undefined;
    const { downscaling } = query;
    const { timeline, fineTimeline } = data.forecast ?? {};
    if (timeline?.readNow === undefined || (downscaling && fineTimeline !== undefined)) return undefined;
    const skeleton = StatisticsSkeleton.of(answer);
    if (skeleton === undefined || answer.variables.length === 0) return undefined;
    const variables: PlannedVariable[] = [];
    let numbers = 0;
    for (const [v, { variable, windows }] of answer.variables.entries()) {
      const axis = timeline.variables.get(variable.slug);
      const held = axis && this.#buffers.place(axis);
      if (axis === undefined || held === undefined || isDerived(variable) || windows.count === 0) return undefined;
      const request = memberRequest(variable.window, answer.quantiles);
      const { columns, texts } = skeleton.variables[v];
      // What the kernels compute is written in their order.
      if (columns !== columnCount(request)) return undefined;
      const { field, values } = held;
      variables.push({ slug: variable.slug, axis, windows, request, field, values });
      numbers += texts.length;
    }
    return numbers <= MAX_SHORT_CELLS ? { timeline, skeleton, variables, numbers } : undefined;
  }
}
