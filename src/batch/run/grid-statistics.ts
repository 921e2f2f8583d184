import type { Table } from 'apache-arrow';
import type { CheckedAgainstOptions } from '../../climate/against-options.js';
import { ClimateReference } from '../../climate/climate-reference.js';
import type { Climatology } from '../../climate/climatology.js';
import type { EnsembleField } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { cellPlaces } from '../../files/cf/cell-places.js';
import type { ResultColumn, ResultCube } from '../../files/cf/content/result-cube.js';
import type { Block, GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { WindowTable } from '../../period/window-table.js';
import { computeColumns } from '../../statistics/compute.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';
import { placeColumns, resultLabels } from '../../statistics/place-columns.js';
import { resultMetadata, statisticColumns, windowRule } from '../../statistics/statistics.js';
import { someWindows, type WindowedPart, windowedParts } from '../../statistics/windowed-part.js';
import { createTable, type NewColumn } from '../../table/write-table.js';
import type { WindowRule } from '../../variable/variable.js';
import { columnOf, type ResultBox, type ResultBuffer, valuesOf } from './result-buffer.js';

/** A climatology that statistics are set against, and what of it is asked. */
export interface Against {
  readonly climatology: Climatology;
  readonly options: CheckedAgainstOptions;
}

/** Results that make up one table, about. */
const ROWS_AT_ONCE = 65_536;

/**
 * Statistics of a gridded ensemble, computed block by block in any order: values are those of `statistics`, or against a climatology of
 * `statisticsAgainst`, and do not depend on the blocks.
 */
export class GridStatistics {
  readonly ensemble: GridEnsemble;
  readonly options: CheckedStatisticsOptions;
  readonly windows: WindowTable;
  readonly columns: readonly ResultColumn[];
  /** What the metadata of the results say. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly #window: WindowRule;
  readonly #reference: ClimateReference | undefined;
  /** All cells, without their values. */
  readonly #whole: WindowedPart;

  /** Throws OptionError and DataError as `statistics` does for what can be told before values are read. */
  constructor(core: Core, ensemble: GridEnsemble, options: CheckedStatisticsOptions, against?: Against) {
    this.ensemble = ensemble;
    this.options = options;
    const whole = withoutValues(ensemble);
    [this.#whole] = windowedParts(whole, options);
    this.windows = this.#whole.windows;
    this.#window = windowRule(whole, options);
    this.#reference = against && new ClimateReference(against.climatology, whole, against.options);
    this.metadata = new Map([...resultMetadata(whole, options, this.#window), ...(this.#reference?.metadata ?? [])]);
    this.columns = this.#compute(core, noCells(this.#whole)).map(columnOf);
  }

  /** The blocks to be computed, which take at most `bytes` bytes each; none where no window is asked for. */
  blocks(bytes: number): readonly Block[] {
    return this.windows.count === 0 ? [] : this.ensemble.blocks(bytes, cutsOf(this.windows, this.ensemble.firstDay));
  }

  /** Computes the windows that lie in a block, and writes them where they belong. Throws as `statistics` does. */
  async compute(core: Core, block: Block, results: ResultBuffer): Promise<void> {
    const mark = core.memory.mark();
    try {
      const part = await this.ensemble.read(block, core);
      const [window, end] = this.#windowsIn(block);
      const columns = this.#compute(core, { ...part, windows: someWindows(this.windows, window, end) });
      const box = { window, windows: end - window, cell: block.cell, cells: block.cells };
      for (const [index, column] of columns.entries()) results.write(index, box, valuesOf(column), part.field.order);
    } finally {
      core.memory.release(mark);
    }
  }

  /** The table of all results, a location's together, some at a time. There is at least one table. */
  *tables(results: ResultBuffer): Generator<Table> {
    const { windows, cells } = results;
    const labels = resultLabels(this.ensemble.variable?.slug, this.ensemble.units, [this.#whole]);
    const step = Math.max(1, Math.floor(ROWS_AT_ONCE / Math.max(1, windows)));
    for (let cell = 0; cell < cells; cell += step) {
      const box = { window: 0, windows, cell, cells: Math.min(step, cells - cell) };
      const columns = results.columns.map((_, index) => results.columnByCell(index, box));
      yield createTable([...placeColumns([this.#placesOf(box)], labels), ...columns], this.metadata);
    }
  }

  /** The results on their grid. */
  onGrid(results: ResultBuffer): ResultCube {
    const { variable, units, grid, cells } = this.ensemble;
    const { windows, columns, metadata } = this;
    return {
      ...{ variable, units, grid, windows, columns, metadata, window: this.#window },
      read: (column, window, count) => results.read(column, { window, windows: count, cell: 0, cells }),
    };
  }

  #compute(core: Core, part: WindowedPart): NewColumn[] {
    const categories = this.#reference?.categories(part);
    const results = computeColumns(core, part.field, part.windows, {
      ...this.options,
      window: this.#window,
      categories,
    });
    return statisticColumns(this.options, this.#reference)([part], [results]);
  }

  /** The windows from the first on, and up to, not including, the second, whose days a block has. */
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
    const { field, latitude, longitude, windows } = this.#whole;
    return {
      field: { ...field, cells },
      latitude: latitude.subarray(cell, cell + cells),
      longitude: longitude.subarray(cell, cell + cells),
      windows,
    };
  }
}

/** Where windows begin and the last one ends, in days from the first of the data. */
function cutsOf({ first, days, count, firstDay }: WindowTable, dataFirstDay: number): number[] {
  const shift = firstDay - dataFirstDay;
  const last = count - 1;
  return [...Array.from(first, (day) => shift + day), shift + first[last] + days[last]];
}

/** The ensemble of a grid before its values are read: what it is of, when and where. */
function withoutValues(ensemble: GridEnsemble): Ensemble {
  const { variable, units, metadata, type, firstDay, days, cells } = ensemble;
  const field: EnsembleField = { type, order: 'day-fastest', firstDay, days, cells, members: [] };
  return { variable, units, metadata, parts: [{ field, ...cellPlaces(ensemble.grid, 0, cells) }] };
}

function noCells(part: WindowedPart): WindowedPart {
  const none = new Float64Array();
  return { ...part, field: { ...part.field, cells: 0 }, latitude: none, longitude: none };
}
