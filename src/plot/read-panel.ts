import type { Table } from 'apache-arrow';
import { assertObject, assertShape } from '../check/option-checks.js';
import { checkPoint } from '../ensemble/nearest-cell.js';
import type { Point } from '../ensemble/nearest-place.js';
import { idsOf } from '../ensemble/place-labels.js';
import { DataError, OptionError, unusable } from '../errors.js';
import { assertTable, ownTable } from '../table/arrow/own-table.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import type { VariableSlug } from '../variable/slug.js';
import type { Variable } from '../variable/variable.js';
import type { PanelData, TableTexts, Windows } from './panel-data.js';
import { placeName } from './panel-texts.js';
import { readClimate } from './read-climate.js';
import { readMembers } from './read-members.js';
import { readStatistics, spanOf } from './read-statistics.js';
import { seamsOf } from './seams.js';

/** What one panel of a meteogram shows: one variable at one place. At least members or statistics. */
export interface PlotPanel {
  /**
   * Members as thin lines: daily values in any form that `statistics` takes, or a result of `memberWindows`. Null and
   * NaN are gaps.
   */
  ensemble?: Table;
  /**
   * Results of `statistics`: quantiles of days as nested bands, those of weeks and months as box plots, the median as
   * a line, the mean as a broken one; with a climatology they have the shares below, near and above normal as
   * bars. One table, or several, such as days and weeks of a temperature.
   */
  statistics?: Table | readonly Table[];
  /** The table of a climatology: the span of its quantiles as a band behind, the limits of terciles as dots. */
  climatology?: Table;
  /** Values to mark by a line, in the unit of the data. */
  thresholds?: readonly number[];
  /** Selects the place nearest to it, where tables have several. */
  point?: Point;
  /** What the place is called. Default: its id, where tables have ids. */
  place?: string | undefined;
  /** The variable of `ensemble`, if that does not state it. */
  variable?: VariableSlug | Variable;
  /** Names of columns of `ensemble` that are not the usual ones. */
  columns?: ColumnRoles;
}

const PANEL_KINDS = { ensemble: 'object?', climatology: 'object?', thresholds: 'list?', place: 'text?' } as const;

/** More panels than this are a mistake. */
const MAX_PANELS = 100;

/** Reads one panel or several. Throws as `meteogram` does. */
export function readPanels(panels: PlotPanel | readonly PlotPanel[]): PanelData[] {
  const list = Array.isArray(panels) ? (panels as readonly PlotPanel[]) : [panels as PlotPanel];
  if (list.length === 0 || list.length > MAX_PANELS) throw unusable('panels', list.length, `1 to ${MAX_PANELS} panels`);
  const read = list.map((panel, i) => readPanel(panel, list.length === 1 ? 'panel' : `panel ${i + 1}`));
  const isOfSeveral = new Set(read.map(placeName)).size > 1;
  return read.map((panel) => ({ ...panel, isOfSeveral }));
}

/** Reads the tables of a panel. Throws OptionError and DataError for what cannot be shown in one panel. */
function readPanel(panel: PlotPanel, subject: string): PanelData {
  assertObject(subject, panel, '{ ensemble, statistics }');
  assertShape(subject, panel, PANEL_KINDS);
  const { ensemble, climatology, thresholds = [], variable, columns, point } = panel;
  if (point !== undefined) checkPoint(point, `${subject}.point`);
  const tables = statisticsTables(panel, subject);
  if (ensemble === undefined && tables.length === 0) {
    throw new OptionError({ subject, problem: 'shows nothing', allowed: 'an ensemble, statistics, or both' });
  }
  assertThresholds(thresholds, subject);
  const members =
    ensemble === undefined
      ? undefined
      : readMembers(checkedTable(ensemble, `${subject}.ensemble`), {
          point,
          variable,
          columns,
          source: `${subject}.ensemble`,
        });
  const statistics = tables.map((table) =>
    readStatistics(checkedTable(table, `${subject}.statistics`), { point, source: `${subject}.statistics` }),
  );
  const all = [...statistics, ...(members === undefined ? [] : [members])].map(({ texts }) => texts);
  const texts = commonTexts(all, subject);
  const shown: Windows[] = [...statistics.map((each) => each.statistics), ...(members ? [members.members] : [])];
  const span = spanOf(shown, subject);
  const climate =
    climatology === undefined
      ? undefined
      : readClimate(checkedTable(climatology, `${subject}.climatology`), { texts, shown, ...span });
  assertOneScale([...shown, ...(climate ? [climate] : [])], texts, subject);
  return {
    ...{ texts, members: members?.members, statistics: statistics.map((each) => each.statistics), climate, thresholds },
    ...{ place: panel.place ?? idsOf(texts.labels)?.[0], seams: seamsOf(texts) },
    memberCount: members?.members.values.length ?? statistics.find(({ memberCount }) => memberCount)?.memberCount,
    ...span,
  };
}

function checkedTable(table: Table, source: string): Table {
  assertTable(table, source);
  return ownTable(table, source);
}

function statisticsTables({ statistics }: PlotPanel, subject: string): readonly Table[] {
  if (statistics === undefined) return [];
  if (Array.isArray(statistics)) return statistics;
  if (typeof statistics === 'object' && statistics !== null) return [statistics as Table];
  throw unusable(`${subject}.statistics`, statistics, 'a table, or a list of tables');
}

function assertThresholds(thresholds: readonly number[], subject: string): void {
  const wrong = thresholds.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw unusable(`${subject}.thresholds`, thresholds[wrong], 'finite numbers');
}

/** What the tables say, which has to agree. */
function commonTexts([first, ...others]: readonly TableTexts[], subject: string): TableTexts {
  const merged = { ...first };
  for (const other of others) {
    for (const key of ['variable', 'units', 'calendar'] as const) {
      if (merged[key] === undefined) Object.assign(merged, { [key]: other[key] });
      else if (other[key] !== undefined && other[key] !== merged[key]) {
        const problem = `tables of another ${key === 'units' ? 'unit' : key}`;
        throw new DataError({ subject, problem, received: other[key], allowed: merged[key] });
      }
    }
    assertSamePlace(merged, other, subject);
    merged.window ??= other.window;
  }
  return merged;
}

function assertSamePlace(first: TableTexts, other: TableTexts, subject: string): void {
  for (const key of ['latitude', 'longitude'] as const) {
    if (!(Math.abs(first[key] - other[key]) > 1e-4)) continue;
    throw new DataError({
      subject,
      problem: `tables of another ${key}`,
      received: other[key],
      allowed: String(first[key]),
    });
  }
}

/** Sums of weeks and daily amounts have no common scale. */
function assertOneScale(shown: readonly Windows[], { window }: TableTexts, subject: string): void {
  const granularities = [...new Set(shown.map(({ granularity }) => granularity))];
  if (granularities.length < 2 || (window !== 'sum' && window !== 'count')) return;
  throw new DataError({
    subject,
    problem: `${window === 'sum' ? 'sums' : 'counts'} over windows of different lengths have no common scale`,
    received: granularities.join(', '),
    allowed: 'tables of one granularity, and members of the same windows',
  });
}
