import type { Table } from 'apache-arrow';
import { DataError, OptionError } from '../errors.js';
import type { PanelData } from '../plot/panel-data.js';
import { panelOfStatistics } from '../plot/read-statistics.js';
import { hasWindows } from '../plot/window-rows.js';
import { readStatistic } from '../statistics/result-column.js';
import { assertTable, ownTable } from '../table/arrow/own-table.js';
import type { PlumeChart } from './chart-element.js';
import type { ChartRequest } from './chart-request.js';
import { variableRows } from './variable-rows.js';

/** More panels than this are a mistake. */
const MAX_PANELS = 24;

/**
 * Reads the panels of a chart from a table: one for each variable of results, or of members, whose statistics are computed
 * first. Throws OptionError and DataError for what cannot be shown.
 */
export async function tablePanels(given: Table, request: ChartRequest): Promise<PanelData[]> {
  assertTable(given, 'table');
  const table = ownTable(given, 'table');
  if (table.numRows === 0) {
    throw new DataError({ source: 'table', problem: 'has no rows', allowed: 'results, or members by day' });
  }
  const parts = variableRows(table, request.variables);
  if (parts.length > MAX_PANELS) {
    const [received, allowed] = [parts.length, `up to ${MAX_PANELS}, or some of them by variable`];
    throw new DataError({ source: 'table', problem: 'has too many variables', received, allowed });
  }
  const { thresholds } = request;
  if (thresholds.length > 0 && parts.length > 1) {
    const problem = 'it is not clear which variable they are of';
    throw new OptionError({ subject: 'thresholds', problem, received: thresholds, allowed: 'a chart of one variable' });
  }
  if (!isOfResults(table)) return (await import('./member-panels.js')).memberPanels(parts, request);
  return parts.map((part) => panelOfStatistics(part.table, { point: request.point, thresholds, source: 'table' }));
}

/**
 * Throws OptionError where a property came as an attribute: React writes the text of an object where the element is not
 * defined yet, and the object is lost.
 */
export function rejectTexts(element: PlumeChart): void {
  for (const name of ['table', 'headers'] as const) {
    if (element[name] !== undefined || !element.hasAttribute(name)) continue;
    const allowed = 'a property of the element; in React, define the element before it is rendered';
    throw new OptionError({
      subject: name,
      problem: 'is a text, as an attribute',
      received: element.getAttribute(name),
      allowed,
    });
  }
}

/** Whether a table has windows, and their mean or quantiles. */
function isOfResults(table: Table): boolean {
  const isShown = (kind: string | undefined) => kind === 'mean' || kind === 'quantile';
  return hasWindows(table) && table.schema.fields.some((field) => isShown(readStatistic(field)?.kind));
}
