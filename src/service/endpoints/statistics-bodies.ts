import type { EnsembleField } from '../../core/field.js';
import { type Point, pointOf } from '../../ensemble/nearest-place.js';
import type { WindowTable } from '../../period/period.js';
import type { Location, StatisticsAnswer } from '../../respond/answer-data.js';
import { beginPoints, endPoints, MAX_SHORT_CELLS } from '../../respond/body.js';
import type { JsonWriter } from '../../respond/json-writer.js';
import { periodText, SKILL_COLUMNS } from '../../respond/v2/statistics-answer.js';
import { StatisticsSkeleton } from '../../respond/v2/statistics-skeleton.js';
import { columnCount } from '../../statistics/statistics-columns.js';
import type { StatisticsRequest } from '../../statistics/statistics-request.js';
import { isDerived } from '../point/available-variables.js';
import {
  type CellStatistics,
  type CoreBuffers,
  type HeldCells,
  type MoreColumns,
  memberRequest,
} from '../point/core-buffers.js';
import type { Pause } from '../point/pause.js';
import { PreparedSkill } from '../point/prepared-skill.js';
import type { Axis, Dataset } from '../source/dataset.js';
import type { Snapshot } from '../source/source.js';
import type { StatisticsParameters } from './forecast-statistics.js';
import type { WrittenPoints } from './point-answers.js';
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
  /** The days that skill was of the last time, and their text: most places have the same, and dates are slow to write. */
  #period = { first: 0, last: 0, text: '' };

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
    { point }: StatisticsParameters,
    writer: JsonWriter,
  ): Uint8Array<ArrayBuffer> | undefined {
    const plan = this.#data === data ? this.#plans.get(shape) : undefined;
    if (plan === undefined || plan === 'once' || plan === 'none') return undefined;
    const { timeline, skeleton, variables } = plan;
    const cell = timeline.places.covering(point);
    if (cell === undefined) return undefined;
    const closest = pointOf(timeline.places, cell);
    const period = skeleton.skillPeriodAt === undefined ? undefined : this.#readPeriod(variables, closest);
    if (skeleton.skillPeriodAt !== undefined && period === undefined) return undefined;
    const isWritten = skeleton.write(writer.begin(), point, closest, (v) => {
      const variable = variables[v];
      if (variable.values.length === 0) variable.values = this.#buffers.place(variable.axis)?.values ?? variable.values;
      if (!timeline.readNow?.(variable.slug, cell, variable.values)) return undefined;
      const { field, windows, request, skill } = variable;
      const text = this.#buffers.plans.writer(field, windows, request, skeleton.variables[v], skill)();
      if (v === 0 && text !== undefined && period !== undefined) writeAscii(text, skeleton.skillPeriodAt, period);
      return text;
    });
    return isWritten ? writer.finish() : undefined;
  }

  /**
   * Reads the skill of all variables at a place, and returns the days that it is of; undefined where it is not at hand, or
   * there is none.
   */
  #readPeriod(variables: readonly PlannedVariable[], place: Location): string | undefined {
    let first = Infinity;
    let last = -Infinity;
    for (const { skill } of variables) {
      if (!skill?.prepared.read(place)) return undefined;
      first = Math.min(first, skill.prepared.firstDay);
      last = Math.max(last, skill.prepared.lastDay);
    }
    if (first > last) return undefined;
    const known = this.#period;
    if (known.first !== first || known.last !== last) this.#period = { first, last, text: periodText(first, last) };
    return this.#period.text;
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
    plan.several ??= new PointsBodies(plan, this.#buffers, (place) => this.#readPeriod(plan.variables, place));
    return plan.several.write(points, from, writer, pause);
  }

  /** Prepares for requests of a shape that comes a second time, by the answer to one of them. */
  learn(data: Snapshot, shape: string, query: StatisticsParameters, answer: StatisticsAnswer): void {
    if (this.#data !== data) {
      this.#plans.clear();
      this.#data = data;
    }
    const known = this.#plans.get(shape);
    if (known === undefined) {
      if (this.#plans.size === MAX_SHAPES) this.#plans.delete(this.#plans.keys().next().value as string);
      this.#plans.set(shape, 'once');
    } else if (known === 'once') {
      // Where nothing was scored at the point, its answer lacks what other answers have.
      if (query.skill && answer.variables.every(({ skill }) => skill?.period === undefined)) return;
      this.#plans.set(shape, this.#plan(data, query, answer) ?? 'none');
    }
  }

  #plan(data: Snapshot, query: StatisticsParameters, answer: StatisticsAnswer): BodyPlan | undefined {
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
      const skill = query.skill
        ? preparedSkill(data, { slug: variable.slug, windows, horizons: axis.horizons })
        : undefined;
      if (columns !== columnCount(request) + (skill?.count ?? 0)) return undefined;
      const { field, values } = held;
      variables.push({ slug: variable.slug, axis, windows, request, field, values, skill });
      numbers += texts.length;
    }
    return numbers <= MAX_SHORT_CELLS ? { timeline, skeleton, variables, numbers } : undefined;
  }
}

/** A variable of the bodies of one shape. */
interface PlannedVariable {
  readonly slug: string;
  readonly axis: Axis;
  readonly windows: WindowTable;
  readonly request: StatisticsRequest;
  readonly field: EnsembleField;
  /** Where its values are read to: a view, which is empty once the memory has grown. */
  values: Float32Array<ArrayBuffer>;
  readonly skill: PlannedSkill | undefined;
}

/** The columns of skill, and what they are filled from. */
interface PlannedSkill extends MoreColumns {
  readonly prepared: PreparedSkill;
}

function preparedSkill(data: Snapshot, of: ConstructorParameters<typeof PreparedSkill>[1]): PlannedSkill {
  const prepared = new PreparedSkill(data, of);
  return { prepared, count: SKILL_COLUMNS, fill: ([crps, rps, cases]) => prepared.write(crps, rps, cases) };
}

/** Writes a text of ASCII over the bytes at a place. */
function writeAscii(bytes: Uint8Array, at = 0, text: string): void {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
}

/** What the bodies of one shape have in common while the data do not change. */
interface BodyPlan {
  readonly timeline: Dataset;
  readonly skeleton: StatisticsSkeleton;
  readonly variables: readonly PlannedVariable[];
  /** The numbers of one body. */
  readonly numbers: number;
}

/** So many points are computed together, of so many numbers: more are not faster, and take more memory. */
const MAX_CELLS = 8;
const MAX_NUMBERS = 4096;

/** About so many bytes are written at a time. */
const MAX_WRITTEN_BYTES = 524_288;

/**
 * Writes the bodies of several points of one request, some at a time: their values are read one after the other, then
 * computed by one call of the kernels. Nothing is held from one call to the next.
 */
class PointsBodies {
  readonly #plan: BodyPlan;
  readonly #buffers: CoreBuffers;
  readonly #statistics: readonly CellStatistics[];
  /** By variable: where its values are read to. */
  #held: readonly HeldCells[];
  readonly #maxCells: number;
  /** The places of the points that are written. */
  readonly #cells: number[] = [];
  readonly #readPeriod: (place: Location) => string | undefined;

  /** `readPeriod` reads the skill at a place, and returns the text of its days; undefined where there is none. */
  constructor(plan: BodyPlan, buffers: CoreBuffers, readPeriod: (place: Location) => string | undefined) {
    this.#plan = plan;
    this.#readPeriod = readPeriod;
    this.#buffers = buffers;
    this.#maxCells = Math.max(1, Math.min(MAX_CELLS, Math.floor(MAX_NUMBERS / plan.numbers)));
    this.#held = this.#hold();
    this.#statistics = plan.variables.map(({ windows, request, skill }, v) => ({
      ...{ windows, request, more: skill },
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
        const closest = pointOf(timeline.places, this.#cells[written]);
        const { skillPeriodAt } = skeleton;
        const period = skillPeriodAt === undefined ? undefined : this.#readPeriod(closest);
        if (skillPeriodAt !== undefined && period === undefined) break;
        writer.separate();
        const textOf = (v: number) => {
          const text = texts[v].write(written);
          if (v === 0 && text !== undefined && period !== undefined) writeAscii(text, skillPeriodAt, period);
          return text;
        };
        if (!skeleton.write(writer, points[from + written], closest, textOf)) break;
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
