import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { giveTableKernels, takeTableKernels } from '../../core/table-kernels.js';
import { assertOnePlace, CellsInBox } from '../../ensemble/cells-in-box.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { DataError } from '../../errors.js';
import { readArrowFileInto } from '../../files/arrow/read-arrow-file-into.node.js';
import { requestedEnsemble } from '../../statistics/statistics.js';
import { dailyTable } from '../../table/daily/daily-table.js';
import { ROWS_SORTED } from '../../table/daily/sorted-table.js';
import { gridInput, readAllCells } from './daily-input.js';
import { type DailyRequest, dailyOptions, rowOptions } from './daily-request.js';
import { type DailyTables, dailyTables } from './daily-tables.js';
import { GATHERING, type GatheredEnsemble, type Gathering, gatheredEnsembles } from './gathered-ensembles.js';
import type { Input, TableInput } from './input.js';
import { STANDARD } from './input-file.js';
import { reportNotes } from './notice.js';
import { openGrid } from './open-grid.js';
import { readRowsOfVariable } from './rows-of-variable.js';
import { sortedEnsembles } from './sorted-ensembles.js';
import { TableCollector } from './table-collector.js';
import { ensemblesOfTables, type LongReading, type StreamedEnsemble } from './table-ensembles.js';
import { GrowthCheck } from './table-growth.js';
import { readVariableTables, tablesOfVariable } from './variable-tables.js';

/** An ensemble of daily values, and what is known of them: `findings` may grow until the last one is read. */
export interface ReadEnsemble extends StreamedEnsemble {
  readonly findings: Findings;
}

/** What was done to values, and what amounts of steps count. */
type Findings = Pick<DailyTables, 'notes' | 'accumulation'>;

/** How the rows of a table are read as they come. */
export interface TableReading {
  /** Whether rows that have to be read together give nothing. */
  readonly onlyAsTheyCome?: boolean;
  /** How long tables are read, as `ensemblesOfTables` does; without it, their rows are read together. */
  readonly longOrder?: LongReading['order'];
  readonly gathering?: Gathering;
}

/** The bytes of values of a file of arrays that are read at a time when all are needed. */
const GRID_BYTES = 134_217_728;

/**
 * Reads all daily values of one variable of an input, in the variable's unit. Reports what was done to them, and warns
 * of daily amounts that never fall. Throws OptionError, DataError, and what reading throws.
 */
export async function readDailyEnsemble(core: Core, input: Input, request: DailyRequest): Promise<Ensemble> {
  if (input.kind === 'arrays') return readAllCells(gridInput(core, await openGrid(input, request)), GRID_BYTES);
  return dailyEnsembleOfTable(await input.read(), input, request).ensemble;
}

/** As `readDailyEnsemble`, for a table that was read. */
export function dailyEnsembleOfTable(
  table: Table,
  input: Pick<Input, 'source' | 'report'>,
  request: DailyRequest,
): ReadEnsemble {
  const { point, values } = request;
  assertOnePlace(point, values.bbox);
  const all = ensembleOfTable(table, input, request);
  if (values.bbox === undefined) return all;
  const cells = new CellsInBox(values.bbox, input.source);
  const ensemble = cells.select(all.ensemble);
  cells.assertFound();
  reportNotes(input.report, input.source, [cells.note]);
  return { ...all, ensemble: ensemble as Ensemble };
}

function ensembleOfTable(given: Table, input: Pick<Input, 'source' | 'report'>, request: DailyRequest): ReadEnsemble {
  const options = dailyOptions(request, input.source);
  return readRowsOfVariable(given, options, (table) => ensembleOfRows(table, input, request));
}

function ensembleOfRows(
  table: Table,
  { source, report }: Pick<Input, 'source' | 'report'>,
  request: DailyRequest,
): ReadEnsemble {
  const daily = dailyTable(table, dailyOptions(request, source));
  reportNotes(report, source, daily.conversions);
  const ensemble = requestedEnsemble(daily.table, rowOptions(request, source, daily.columns));
  const isGrowthKnown = request.values.accumulation !== undefined || daily.accumulation !== undefined;
  const growth = new GrowthCheck();
  if (!isGrowthKnown) growth.add(ensemble);
  if (growth.warning !== undefined) report({ kind: 'warning', source, text: growth.warning });
  const findings = { notes: daily.conversions, accumulation: daily.accumulation };
  return { ensemble: { ...ensemble, notes: undefined }, isAll: true, isOrderAssumed: false, findings };
}

/**
 * Reads the daily values of one variable of a table as ensembles, as `readDailyEnsemble` does: of each location as soon
 * as all its rows are there, if the file is long and its rows go by location; else of all at once. Of rows that have to
 * be read together it reads at most 1 GiB, and of an Arrow file as much as the core's memory holds. Long tables are
 * read as they come, too, if their order is given.
 */
export async function* dailyEnsembles(
  core: Core,
  input: TableInput,
  request: DailyRequest,
  reading: TableReading = {},
): AsyncGenerator<ReadEnsemble> {
  const { source, report } = input;
  const { bbox } = request.values;
  assertOnePlace(request.point, bbox);
  if (bbox === undefined) return yield* allEnsembles(core, input, request, reading);
  const cells = new CellsInBox(bbox, source);
  for await (const read of allEnsembles(core, input, request, reading)) {
    const ensemble = cells.select(read.ensemble);
    if (ensemble !== undefined) yield { ...read, ensemble };
  }
  cells.assertFound();
  reportNotes(report, source, [cells.note]);
}

async function* allEnsembles(
  core: Core,
  input: TableInput,
  request: DailyRequest,
  reading: TableReading = {},
): AsyncGenerator<ReadEnsemble> {
  if (input.form === 'short') {
    if (!reading.onlyAsTheyCome) yield ensembleOfTable(await input.read(), input, request);
    return;
  }
  yield* readVariableTables(input.tables(core, { inTurn: true }), dailyOptions(request, input.source), (tables) =>
    ensemblesInParts(core, { ...input, first: tables }, request, reading),
  );
}

/** The ensembles of a file that is read part by part; `first` are its tables, which are read again where needed. */
async function* ensemblesInParts(
  core: Core,
  input: TableInput & { readonly first: AsyncIterable<Table> },
  request: DailyRequest,
  { onlyAsTheyCome = false, longOrder, gathering = GATHERING }: TableReading,
): AsyncGenerator<ReadEnsemble> {
  const { source, report, form } = input;
  const options = dailyOptions(request, source);
  async function* again() {
    const given = tablesOfVariable(input.tables(core, { inTurn: true }), options);
    yield* (await dailyTables(given, options, { areViews: true })).tables;
  }
  const daily = await dailyTables(input.first, options, { areViews: true });
  const tables = withNotices(daily, input);
  const rows = rowOptions(request, source, daily.columns);
  const collector = onlyAsTheyCome || form === 'arrow-file' ? undefined : new TableCollector(source, true);
  const growth = new GrowthCheck();
  let hasEnsembles = false;
  const ensembles = request.values.sort
    ? withNoteOnOrder(
        daily,
        input,
        // Standard input is read once.
        sortedEnsembles(tables, rows, { gathering, collector, again: input.path === STANDARD ? undefined : again }),
      )
    : ensemblesOfTables(tables, rows, {
        collector,
        long: longOrder && {
          order: longOrder,
          kernels: { take: takeTableKernels, give: giveTableKernels },
          gather: (rows, options) => gatheredEnsembles(rows, options, gathering, again),
        },
      });
  for await (const read of ensembles) {
    hasEnsembles = true;
    growth.add(read.ensemble);
    yield { findings: daily, ...read };
  }
  const isGrowthKnown = request.values.accumulation !== undefined || daily.accumulation !== undefined;
  if (growth.warning !== undefined && !isGrowthKnown) report({ kind: 'warning', source, text: growth.warning });
  if (hasEnsembles || onlyAsTheyCome) return;
  if (form !== 'arrow-file') throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
  const inCore = await readArrowFileInto(core, input.path, { source });
  try {
    yield ensembleOfTable(inCore.table, input, request);
  } finally {
    inCore.release();
  }
}

/** The ensembles of sorted rows; if these were not in order, that is reported. */
async function* withNoteOnOrder(
  daily: DailyTables,
  { source, report }: TableInput,
  ensembles: AsyncIterable<GatheredEnsemble>,
): AsyncGenerator<ReadEnsemble> {
  for await (const { ensemble, isAll, isInOrder } of ensembles) {
    const { notes, accumulation } = daily;
    const findings = { notes: isInOrder ? notes : [...notes, ROWS_SORTED], accumulation };
    reportNotes(report, source, findings.notes);
    yield { ensemble, isAll, isOrderAssumed: false, findings };
  }
}

/** The tables, with their notes reported as soon as they are known. */
async function* withNotices(daily: DailyTables, { source, report }: TableInput): AsyncGenerator<Table> {
  for await (const table of daily.tables) {
    reportNotes(report, source, daily.notes);
    yield table;
  }
  reportNotes(report, source, daily.notes);
}
