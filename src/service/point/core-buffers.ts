import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import { MemberColumn } from '../../core/member-column.js';
import { type Granularity, type WindowTable, windowTable } from '../../period/period.js';
import { NumberText, type NumberTextShape } from '../../respond/v2/statistics-skeleton.js';
import type { Categories } from '../../statistics/categories.js';
import { type HeldResults, type PreparedStatistics, prepareStatistics } from '../../statistics/compute.js';
import type { Threshold } from '../../statistics/options.js';
import type { StatisticsRequest } from '../../statistics/statistics-request.js';
import type { WindowRule } from '../../variable/variable.js';
import type { Axis } from '../source/dataset.js';

/** So many plans are kept: those of every variable, granularity and list of quantiles that are often requested. */
const MAX_PLANS = 64;

/** What writes the statistics of the field that is held, as a text with numbers; undefined where that cannot be done. */
type WriteStatistics = () => Uint8Array | undefined;

/** The statistics of a variable at the cells of a field that is held, and what is written around them. */
export interface CellStatistics {
  readonly field: EnsembleField;
  readonly windows: WindowTable;
  readonly request: StatisticsRequest;
  readonly shape: NumberTextShape;
  /** Fills columns that follow the results. */
  readonly more?: MoreColumns | undefined;
}

/** Columns of numbers behind the results of a computation, which are filled for each point. */
export interface MoreColumns {
  readonly count: number;
  fill(columns: readonly Float32Array[]): void;
}

/** Writes the statistics of a variable at several cells. */
interface CellTexts {
  /** Computes those of the first cells. Throws DataError for an infinite value. */
  compute(cells: number): void;
  /** The text of one of these cells, valid until the next one; undefined where it cannot be written. */
  write(cell: number): Uint8Array | undefined;
}

/** Writes the results of a cell; undefined as \`NumberText\`. */
type ResultText = Pick<NumberText, 'write'>;

type Plan = PreparedStatistics | WriteStatistics | readonly CellTexts[];

/**
 * Statistics of fields that all lie at the same address in the core's memory. What does not depend on the values is
 * prepared once for each shape of field, windows and request.
 */
class StatisticsPlans {
  readonly #core: Core;
  /** Those that write, by the shapes that they write. */
  readonly #plans = new Map<string | NumberTextShape | readonly CellStatistics[], Plan>();
  /** Where the scratch of the plans begins; undefined while there are none. */
  #mark: number | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /** What computes a request without categories and thresholds. */
  find(field: EnsembleField, windows: WindowTable, request: StatisticsRequest): PreparedStatistics {
    const name = planName(field, windows, request);
    return this.#kept(name, () => prepareStatistics(this.#core, field, windows, request));
  }

  /**
   * What computes such a request and writes the results as text: a shape belongs to one field and request. `more` fills
   * columns that follow the results.
   */
  writer(
    field: EnsembleField,
    windows: WindowTable,
    request: StatisticsRequest,
    shape: NumberTextShape,
    more?: MoreColumns,
  ): WriteStatistics {
    return this.#kept(shape, () => {
      const statistics = prepareStatistics(this.#core, field, windows, request);
      const text = this.#resultText(shape, windows.count, more);
      return () => {
        const results = statistics.computeInPlace();
        return results && text.write(results);
      };
    });
  }

  /** What writes the results of a cell, whose number of rows all cells have; with more columns, from a buffer for all. */
  #resultText(shape: NumberTextShape, rows: number, more: MoreColumns | undefined): ResultText {
    const text = new NumberText(this.#core, shape);
    if (more === undefined) return text;
    const { memory } = this.#core;
    const { columns } = shape;
    const own = columns - more.count;
    const columnBytes = rows * Float32Array.BYTES_PER_ELEMENT;
    const address = memory.scratch(columns * columnBytes);
    const viewsAt = (first: number, bytes: number, count: number) =>
      Array.from({ length: count }, (_, c) => memory.float32(first + c * bytes, rows));
    // Views, which are empty once the memory has grown: of the results of each cell, and of the buffer.
    let from: Float32Array[][] = [];
    let into: { readonly own: Float32Array[]; readonly more: Float32Array[] } | undefined;
    const write: ResultText['write'] = (results, cell = 0) => {
      if (into === undefined || into.own[0].length !== rows) {
        from = [];
        into = {
          own: viewsAt(address, columnBytes, own),
          more: viewsAt(address + own * columnBytes, columnBytes, more.count),
        };
      }
      from[cell] ??= viewsAt(results.address + cell * columnBytes, results.columnBytes, own);
      for (let c = 0; c < own; c++) into.own[c].set(from[cell][c]);
      more.fill(into.more);
      return text.write({ address, columnBytes });
    };
    return { write };
  }

  /**
   * What computes and writes the statistics of several variables, whose results are held at the same time; the same
   * list is the same plan.
   */
  cellTexts(variables: readonly CellStatistics[]): readonly CellTexts[] {
    return this.#kept(variables, () =>
      variables.map(({ field, windows, request, shape, more }) => {
        const statistics = prepareStatistics(this.#core, field, windows, request);
        const text = this.#resultText(shape, windows.count, more);
        let results: HeldResults | undefined;
        return {
          compute(cells) {
            results = statistics.computeInPlace(cells);
          },
          write(cell) {
            return results && text.write(results, cell);
          },
        };
      }),
    );
  }

  #kept<Kept extends Plan>(name: string | NumberTextShape | readonly CellStatistics[], prepare: () => Kept): Kept {
    const known = this.#plans.get(name) as Kept | undefined;
    if (known !== undefined) return known;
    const { memory } = this.#core;
    // The memory is a stack: all plans go together. Between requests, nothing else lies above them.
    if (this.#plans.size === MAX_PLANS && this.#mark !== undefined) {
      this.#plans.clear();
      memory.release(this.#mark);
    }
    if (this.#plans.size === 0) this.#mark = memory.mark();
    const plan = prepare();
    this.#plans.set(name, plan);
    return plan;
  }
}

/** A field in the core's memory, and its values there: a view, which is empty once the memory has grown. */
export interface HeldField {
  readonly field: EnsembleField;
  readonly values: Float32Array<ArrayBuffer>;
}

/** The fields of several places in the core's memory, and the values of each: views, empty once it has grown. */
export interface HeldCells {
  readonly field: EnsembleField;
  readonly values: readonly Float32Array<ArrayBuffer>[];
}

/** The most values that a held field may have, and the most shapes whose columns are kept. */
const MAX_VALUES = 262_144;
const MAX_SHAPES = 32;

/**
 * A buffer in the core's memory for the ensemble of one point: there the kernels use values in place. One megabyte
 * serves all fields, one after the other. Only the columns are kept, for the most recently used numbers of days and
 * members. Nothing is held in a core that others use, too: the memory is a stack, and they may release what is in it.
 */
export class CoreBuffers {
  readonly #core: Core;
  readonly #isShared: boolean;
  readonly #columns = new Map<string, readonly MemberColumn[]>();
  #address: number | undefined;
  /** What is prepared for the fields that are held. */
  readonly plans: StatisticsPlans;

  constructor(core: Core, { isShared = false } = {}) {
    this.#core = core;
    this.#isShared = isShared;
    this.plans = new StatisticsPlans(core);
  }

  /**
   * Returns the field with its values in the core's memory, where they stay until the next field is held; `values` are
   * those of all members, one after the other. Returns the field itself where there are too many values, or the core is
   * shared.
   */
  hold(field: EnsembleField, values: Float32Array): EnsembleField {
    const { firstDay, days, members } = field;
    const place = this.place({ firstDay, days, members: members.length });
    if (place === undefined) return field;
    place.values.set(values);
    return place.field;
  }

  /**
   * The place of a field in the core's memory: what is written to `values`, all members one after the other, are the
   * values of `field`. Undefined where there would be too many, or the core is shared.
   */
  place({ firstDay, days, members }: Axis): HeldField | undefined {
    const length = days * members;
    if (this.#isShared || length > MAX_VALUES) return undefined;
    const { memory } = this.#core;
    const values = memory.float32(this.#held(), length);
    const columns = this.#columnsOf(values, days, members);
    const field = { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members: columns } as const;
    return { field, values };
  }

  /**
   * Like `place`, for the fields of some places: what is written to `values[cell]`, member after member, are
   * the values of a cell of `field`. Fewer cells where not as many fit; undefined where none does.
   */
  placeCells({ firstDay, days, members }: Axis, maxCells: number): HeldCells | undefined {
    const stride = days * members;
    const cells = Math.min(maxCells, Math.floor(MAX_VALUES / stride));
    if (this.#isShared || cells === 0) return undefined;
    const { memory } = this.#core;
    const address = this.#held();
    // All that kernels know of a cell is how far it is from the one before: the values of its other members are as
    // further days, which no window has.
    const columns = Array.from({ length: members }, (_, m) => {
      const values = memory.float32(address + 4 * m * days, cells * stride - m * days);
      return new MemberColumn(`member ${m}`, [{ values }]);
    });
    return {
      field: { type: 'float32', order: 'day-fastest', firstDay, days: stride, cells, members: columns },
      values: Array.from({ length: cells }, (_, cell) => memory.float32(address + 4 * cell * stride, stride)),
    };
  }

  /** The address of the buffer. */
  #held(): number {
    this.#address ??= this.#core.memory.allocate(MAX_VALUES * Float32Array.BYTES_PER_ELEMENT);
    return this.#address;
  }

  #columnsOf(held: Float32Array, days: number, members: number): readonly MemberColumn[] {
    const shape = `${days} ${members}`;
    const columns = this.#columns.get(shape) ?? memberColumns(held, days);
    // The first entry of the map is the least recently used one.
    this.#columns.delete(shape);
    this.#columns.set(shape, columns);
    if (this.#columns.size > MAX_SHAPES) this.#columns.delete(this.#columns.keys().next().value as string);
    return columns;
  }
}

/** Statistics need at least this share of the members. */
export const MIN_MEMBER_SHARE = 0.8;

/** Whether names of plans have a field of a request: the compiler names a field that is left out. */
const IS_NAMED: Readonly<Record<keyof StatisticsRequest, boolean>> = {
  ...{ window: true, quantiles: true, quantileType: true, spread: true, minMemberShare: true },
  // Requests with these have no plan.
  ...{ thresholds: false, categories: false },
};
const NAMED = /* @__PURE__ */ (Object.keys(IS_NAMED) as (keyof StatisticsRequest)[]).filter((field) => IS_NAMED[field]);

/** A text that is the same for all fields, windows and requests with the same plan. */
function planName(
  { firstDay, days, members }: EnsembleField,
  { granularity, firstDay: from, lastDay: to }: WindowTable,
  request: StatisticsRequest,
): string {
  let name = `${granularity} ${firstDay} ${days} ${members.length} ${from} ${to}`;
  // The usual share is not written, which takes as long as all else.
  for (const field of NAMED) name += request[field] === MIN_MEMBER_SHARE ? ' ' : ` ${request[field]}`;
  return name;
}

const NO_THRESHOLDS: readonly Threshold[] = [];

/** What all endpoints request of a variable with a rule for windows. */
export function memberRequest(
  window: WindowRule,
  quantiles: readonly number[],
  categories?: readonly Categories[],
  thresholds: readonly Threshold[] = NO_THRESHOLDS,
): StatisticsRequest {
  const minMemberShare = MIN_MEMBER_SHARE;
  return { window, quantiles, quantileType: 7, thresholds, spread: false, minMemberShare, categories };
}

/** So many tables are kept: a run has one for each granularity and span of days that is requested. */
const MAX_TABLES = 64;

/** The tables of windows of the spans that were requested last: to make one takes a tenth of the time of an answer. */
export class WindowTables {
  readonly #tables = new Map<string, WindowTable>();

  /** Like `windowTable`; the table must not be changed. */
  find(granularity: Granularity, firstDay: number, lastDay: number): WindowTable {
    const name = `${granularity} ${firstDay} ${lastDay}`;
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = windowTable(granularity, firstDay, lastDay);
    if (this.#tables.size === MAX_TABLES) this.#tables.clear();
    this.#tables.set(name, table);
    return table;
  }
}
