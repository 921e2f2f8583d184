import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { DataError, NoWindowError } from '../errors.js';
import { isStatisticsFile } from '../files/cf/content/statistics-netcdf.js';
import { isStatisticsTable } from '../files/cf/content/table-results.js';
import { NoCompleteDayError } from '../files/cf/days/array-days.js';
import { dateText, parseCalendarDate } from '../period/calendar.js';
import { daysOfSteps } from '../plot/step-times.js';
import { checkWindowOptions } from '../statistics/options.js';
import { stepStatistics } from '../statistics/step-statistics.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { timedTable } from '../table/daily/timed-table.js';
import { resolveVariable } from '../variable/find-variable.js';
import { stepsOfTable } from './daily-ensembles.js';
import { gridInput, readAllCells } from './daily-input.js';
import { type Input, openInput } from './input.js';
import type { InputFile } from './input-file.js';
import type { DailyRequest } from './input-request.js';
import { assertDrawable, labelsOf, namedPlaces, type PlacesToDraw } from './named-places.js';
import type { Report } from './notice.js';
import { openGridSteps } from './open-grid.js';
import {
  assertSomeValue,
  GRID_BYTES,
  type PlotRequest,
  type PlotTables,
  plotTables,
  tableOfPlace,
} from './plot-tables.js';
import { collectTable } from './table-ensembles.js';

/**
 * Reads what two panels of each place show: the time steps of an ensemble, and beside them its windows, as `plotTables` reads
 * them; these are left out, with a note, where steps cover no window. Throws as both do.
 */
export async function plotStepsAndWindows(
  core: Core,
  file: string | InputFile,
  request: PlotRequest,
  report: Report,
): Promise<PlotTables[]> {
  const steps = await plotSteps(core, file, request, report);
  try {
    const windows = await plotTables(core, file, request, report);
    return steps.flatMap((each, place) => [each, windows[place]]);
  } catch (error) {
    if (!(error instanceof NoWindowError || error instanceof NoCompleteDayError)) throw error;
    const source = error.source ?? '';
    report({ kind: 'note', source, text: `${error.problem}: only time steps are drawn` });
    return steps;
  }
}

/**
 * Reads what panels of time steps show: the members of an ensemble by step, and their statistics, at each place. Throws as
 * `plotTables` does, and DataError for daily values and for results of statistics.
 */
async function plotSteps(
  core: Core,
  file: string | InputFile,
  request: PlotRequest,
  report: Report,
): Promise<PlotTables[]> {
  const { variable, statistics: options, ...others } = request;
  const { values, use } = others;
  const input = await openInput(file, values, report, { use });
  try {
    const { columns, point, quantiles, quantileType, minMemberShare } = options;
    const named = variable === undefined ? {} : resolveVariable(variable, [], options.window);
    const { ensemble, edges } = await readSteps(core, input, { ...others, ...named, columns, point });
    const computed = { quantiles, quantileType, minMemberShare, source: input.source };
    const tables = namedPlaces(ensemble, input.source, request).map(({ ensemble: one, id }) => {
      const members = withinDates(timedTable(tableOfPlace(one), edges), options, input.source);
      return { ensemble: members, statistics: stepStatistics(core, members, computed), place: id };
    });
    assertSomeValue(
      tables.map((each) => each.ensemble),
      input.source,
    );
    return tables;
  } finally {
    await input.close();
  }
}

/** The steps from one date to another, which are days of the zone of a table. Throws DataError where there is none. */
function withinDates(steps: Table, options: PlotRequest['statistics'], source: string): Table {
  const { startDate, endDate } = checkWindowOptions({ startDate: options.startDate, endDate: options.endDate });
  if (startDate === undefined && endDate === undefined) return steps;
  const days = daysOfSteps(steps);
  const calendar = statedCalendar(steps.schema.metadata);
  const [first, last] = [startDate, endDate].map((date) =>
    date === undefined ? undefined : parseCalendarDate(calendar, date, 'startDate'),
  );
  const from = days.findIndex((day) => day >= (first ?? day));
  const to = days.findLastIndex((day) => day <= (last ?? day)) + 1;
  if (from >= 0 && to > from) return steps.slice(from, to);
  const received = [days[0], days[days.length - 1]].map((day) => dateText(calendar, day)).join(' to ');
  throw new DataError({
    source,
    problem: 'has no time steps between the dates',
    received,
    allowed: 'dates of its steps',
  });
}

async function readSteps(
  core: Core,
  input: Input,
  request: DailyRequest & PlacesToDraw,
): Promise<ReturnType<typeof stepsOfTable>> {
  if (input.kind === 'arrays') {
    if (isStatisticsFile(input.arrays)) throw resultsHaveNone(input.source);
    const grid = await openGridSteps(input, request);
    assertDrawable(grid.cells, labelsOf(grid.grid), input.source, request);
    return { ensemble: await readAllCells(gridInput(core, grid), GRID_BYTES), edges: grid.edges };
  }
  const table = await collectTable(core, input, 'it is drawn');
  if (isStatisticsTable(table)) throw resultsHaveNone(input.source);
  return stepsOfTable(table, input, request);
}

function resultsHaveNone(source: string): DataError {
  const problem = 'holds results of statistics, which have no time steps';
  return new DataError({ source, problem, allowed: 'the file of the ensemble' });
}
