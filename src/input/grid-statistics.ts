import type { Table } from 'apache-arrow';
import { MemberUse } from '../blend/member-use.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { somePlaces } from '../ensemble/nearest-place.js';
import { assertMemberCount } from '../ensemble/whole-members.js';
import { mentionOption, OptionError } from '../errors.js';
import { cellPlaces } from '../files/cf/cells/cell-places.js';
import type { ResultColumn, ResultCube } from '../files/cf/content/result-cube.js';
import type { Block, GridEnsemble } from '../files/cf/grid-ensemble.js';
import type { WindowTable } from '../period/period.js';
import type { CheckedStatisticsOptions } from '../statistics/options.js';
import { StatisticsPlan } from '../statistics/statistics-plan.js';
import { valueUnits } from '../statistics/window-value.js';
import { placeColumns, someWindows, type WindowedPart, windowedParts } from '../statistics/windowed-part.js';
import { createTable, type NewColumn } from '../table/build/create-table.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { WINDOW_RULES } from '../variable/variable.js';
import type { ArrayInput } from './input.js';
import {
  type CheckedRequest,
  checkRequest,
  describeFewMembers,
  type InputRequest,
  referenceOf,
} from './input-request.js';
import { DaySpan, describeCoincidingLimits, describeConditions, noWindowError, ResultCheck } from './notice.js';
import { openGrid } from './open-grid.js';
import { type ResultBox, type ResultBuffer, resultValues, toResultColumn } from './result-buffer.js';
import { seriesOfPart } from './series-of-part.js';
import { ValueCoverage } from './value-coverage.js';

/** Statistics of a grid, and where their results are written. */
export interface ComputedGrid {
  readonly statistics: GridStatistics;
  readonly results: Pick<ResultBuffer, 'write'>;
}

/** About how many results make up one table. */
const ROWS_AT_ONCE = 65_536;

/** The input that is reported on. */
type Watched = Pick<ArrayInput, 'source' | 'report'> & Partial<Pick<ArrayInput, 'arrays'>>;

/**
 * Statistics of a gridded ensemble, computed block by block in any order: the values are those of `statistics`, or with
 * a climatology as `statistics` gives with it, and do not depend on the blocks.
 */
export class GridStatistics {
  readonly kind = 'arrays';
  readonly ensemble: GridEnsemble;
  readonly windows: WindowTable;
  readonly columns: readonly ResultColumn[];
  readonly #plan: StatisticsPlan;
  readonly #options: CheckedStatisticsOptions;
  /** Of a timeline with all members: which of them windows use. */
  readonly #use: MemberUse | undefined;
  readonly #input: Watched;
  readonly #coverage = new ValueCoverage();
  /** All cells, without their values. */
  readonly #allCells: WindowedPart;

  /** Throws OptionError and DataError as `statistics` does, for problems that are known before values are read. */
  constructor(core: Core, ensemble: GridEnsemble, requested: CheckedRequest, input: Watched) {
    this.ensemble = ensemble;
    this.#input = input;
    const empty = withoutValues(ensemble);
    [this.#allCells] = windowedParts(empty, requested.options);
    this.windows = this.#allCells.windows;
    this.#options = requested.options;
    this.#use = MemberUse.of(ensemble.metadata);
    const computed = this.#use === undefined ? requested.options : { ...requested.options, minMemberShare: 0 };
    this.#plan = new StatisticsPlan(empty, computed, referenceOf(core, requested, empty));
    this.columns = this.#compute(core, noCells(this.#allCells)).map(toResultColumn);
  }

  get members(): number {
    return this.ensemble.members.length;
  }

  /** The metadata of the results. */
  get metadata(): ReadonlyMap<string, string> {
    return this.#plan.metadata;
  }

  /**
   * The blocks to compute, each of at most `bytes` bytes, and with complete windows also of `others`, statistics of the
   * same ensemble; none if there are no windows.
   */
  blocks(bytes: number, others: readonly GridStatistics[] = []): readonly Block[] {
    if (this.windows.count === 0) return [];
    const [first, ...rest] = [this, ...others].map(({ windows }) => windowCuts(windows, this.ensemble.firstDay));
    const shared = rest.map((cuts) => new Set(cuts));
    return this.ensemble.blocks(
      bytes,
      first.filter((cut) => shared.every((cuts) => cuts.has(cut))),
    );
  }

  /** Whether other statistics are of the same values, so that both can be computed from blocks that are read once. */
  hasValuesOf({ ensemble: other }: GridStatistics): boolean {
    const { ensemble } = this;
    const isDaily = ensemble.granularity === undefined && other.granularity === undefined;
    const keys = ['source', 'array', 'type', 'units', 'firstDay', 'days', 'cells'] as const;
    return isDaily && keys.every((key) => ensemble[key] === other[key]);
  }

  /** The windows and cells of the results of a block. */
  boxOf(block: Block): ResultBox {
    const [window, end] = this.#windowsIn(block);
    return { window, windows: end - window, cell: block.cell, cells: block.cells };
  }

  /**
   * Computes the windows in a block, also those of other statistics of the same values, and writes them to the results
   * of each. Throws as `statistics` does.
   */
  async compute(
    core: Core,
    block: Block,
    results: Pick<ResultBuffer, 'write'>,
    others: readonly ComputedGrid[] = [],
  ): Promise<void> {
    const mark = core.memory.mark();
    try {
      const part = await this.ensemble.read(block, core);
      this.#coverage.see(part, this.ensemble.members);
      for (const each of [{ statistics: this, results }, ...others])
        each.statistics.#computePart(core, block, part, each.results);
    } finally {
      core.memory.release(mark);
    }
  }

  #computePart(core: Core, block: Block, part: EnsemblePart, results: Pick<ResultBuffer, 'write'>): void {
    const mark = core.memory.mark();
    try {
      const box = this.boxOf(block);
      const windows = someWindows(this.windows, box.window, box.window + box.windows);
      for (const { from, part: some } of windows.rolling ? seriesOfPart(core, part) : [{ from: 0, part }]) {
        const columns = this.#compute(core, { ...some, windows });
        const own = { ...box, cell: box.cell + from, cells: some.field.cells };
        for (const [index, column] of columns.entries())
          results.write(index, own, resultValues(column), some.field.order);
      }
    } finally {
      core.memory.release(mark);
    }
  }

  /** Reports members and days without a value, when all blocks are computed. */
  reportCoverage(): void {
    const { source, report, arrays } = this.#input;
    const calendar = statedCalendar(this.ensemble.metadata);
    if (this.#use === undefined) this.#coverage.report(report, source, calendar, arrays?.filesWithin);
  }

  /**
   * All results as tables of some locations each, location by location; warns of what is not plausible. There is at
   * least one table.
   */
  *tables(results: ResultBuffer): Generator<Table> {
    const { windows, cells } = results;
    const check = this.#resultCheck();
    const labels = this.#plan.labels([this.#allCells]);
    const step = Math.max(1, Math.floor(ROWS_AT_ONCE / Math.max(1, windows)));
    for (let cell = 0; cell < cells; cell += step) {
      const box = { window: 0, windows, cell, cells: Math.min(step, cells - cell) };
      const columns = results.columns.map((_, index) => results.columnByCell(index, box));
      const table = createTable([...placeColumns([this.#placesOf(box)], labels), ...columns], this.metadata);
      check.check(table);
      yield table;
    }
  }

  /** The results on their grid; warns of what is not plausible as values are read. */
  onGrid(results: ResultBuffer): ResultCube {
    const { variable, units, grid, cells } = this.ensemble;
    const { windows, columns, metadata } = this;
    const { window: value } = this.#plan;
    const rule = WINDOW_RULES.find((each) => each === value);
    const check = this.#resultCheck();
    return {
      ...{ variable, units: valueUnits(value, units), grid, windows, columns, metadata, window: rule },
      read: (column, window, count) => {
        const values = results.read(column, { window, windows: count, cell: 0, cells });
        check.checkColumn({ windows, columns, cells, window: `${value}` }, column, window, values);
        return values;
      },
    };
  }

  #resultCheck(): ResultCheck {
    return new ResultCheck(this.ensemble.variable, this.#input.source, this.#input.report);
  }

  #compute(core: Core, part: WindowedPart): readonly NewColumn[] {
    const columns = this.#plan.columns([part], [this.#plan.compute(core, part)]);
    return this.#use?.completeColumns(columns, part, this.#options) ?? columns;
  }

  /** The range of windows whose days are in a block: the first one, and the one after the last. */
  #windowsIn({ day, days }: Block): [number, number] {
    const { first, days: lengths, count, firstDay } = this.windows;
    const shift = firstDay - this.ensemble.firstDay;
    let from = 0;
    while (from < count && shift + first[from] < day) from++;
    let to = from;
    while (to < count && shift + first[to] + lengths[to] <= day + days) to++;
    return [from, to];
  }

  #placesOf({ cell, cells }: ResultBox): WindowedPart {
    const all = this.#allCells;
    const { field, windows } = all;
    return {
      field: { ...field, cells },
      ...somePlaces(all, cell, cell + cells),
      windows,
    };
  }
}

/**
 * The days on which windows begin and none goes on, and the day after the last, counted from the first day of the data.
 */
function windowCuts({ first, days, count, firstDay }: WindowTable, dataFirstDay: number): number[] {
  const shift = firstDay - dataFirstDay;
  const cuts: number[] = [];
  let end = first[0];
  for (let w = 0; w < count; w++) {
    if (first[w] >= end) cuts.push(shift + first[w]);
    end = Math.max(end, first[w] + days[w]);
  }
  return [...cuts, shift + end];
}

/** The ensemble of a grid before its values are read: variable, days and places. */
function withoutValues(ensemble: GridEnsemble): Ensemble {
  const { variable, units, metadata, type, firstDay, days, cells } = ensemble;
  const field: EnsembleField = { type, order: 'day-fastest', firstDay, days, cells, members: [] };
  return { variable, units, metadata, parts: [{ field, ...cellPlaces(ensemble.grid, 0, cells) }] };
}

/** The error for names of columns, which arrays do not have. */
function noColumnsError(source: string, columns: object): OptionError {
  return new OptionError({
    ...{ subject: `${source}, columns`, problem: 'the file holds arrays', received: Object.keys(columns).join(', ') },
    allowed: `${mentionOption('columns')} for tables, and for files of points`,
  });
}

function noCells(part: WindowedPart): WindowedPart {
  return { ...part, field: { ...part.field, cells: 0 }, ...somePlaces(part, 0, 0) };
}

/**
 * Prepares the statistics of a file of arrays. Reports conversions and warnings. Throws OptionError and DataError for
 * problems that are known before values are read, and DataError if there is no window at all.
 */
export async function openGridStatistics(
  core: Core,
  input: ArrayInput,
  request: InputRequest,
): Promise<GridStatistics> {
  const { source, report } = input;
  const requested = checkRequest(request, source);
  const { native, values, climatology, part } = request;
  // A climatology has no cells without a place.
  const keepsGrid = request.keepsGrid === true && climatology === undefined;
  const ensemble = await openGrid(input, { ...requested.options, values, native, keepsGrid, use: request.use });
  if (part?.members !== undefined) assertMemberCount(ensemble.members.length, part.members, source);
  const { columns } = request.statistics;
  if (columns !== undefined && values.points === undefined) throw noColumnsError(source, columns);
  const { granularity = requested.options.granularity } = ensemble;
  if (climatology !== undefined && `${granularity}` !== `${requested.options.granularity}`) {
    throw new OptionError({
      ...{
        subject: `${source}, climatology`,
        problem: `is of other windows than the values, which are ${granularity}`,
      },
      ...{
        received: `${requested.options.granularity}`,
        allowed: `a climatology of such values: ${mentionOption('granularity', 'native')} with both`,
      },
    });
  }
  const checked = { ...requested, options: { ...requested.options, granularity } };
  const statistics = new GridStatistics(core, ensemble, checked, input);
  const span = new DaySpan().add({ metadata: ensemble.metadata, parts: [{ field: ensemble }] });
  if (statistics.windows.count === 0) throw noWindowError(span, checked.options);
  const leftOut = native || part !== undefined ? undefined : span.leftOut(checked.options);
  if (leftOut !== undefined) report({ kind: 'note', source, text: leftOut });
  const conditions = native || part !== undefined ? undefined : describeConditions(ensemble, checked.options);
  if (conditions !== undefined) report({ kind: 'note', source, text: conditions });
  const few = describeFewMembers(checked, { metadata: ensemble.metadata, members: ensemble.members.length });
  if (few !== undefined) report({ kind: 'note', source, text: few });
  const coinciding = describeCoincidingLimits(statistics.metadata);
  if (coinciding !== undefined) report({ kind: 'warning', source, text: coinciding });
  return statistics;
}
