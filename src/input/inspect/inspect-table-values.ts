import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Stamps } from '../../ensemble/daily-steps.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { findGrid } from '../../files/cf/cells/grid-of-places.js';
import { originalNames } from '../../table/columns/column-name.js';
import { statedCalendar } from '../../table/columns/day-column.js';
import type { Variable } from '../../variable/variable.js';
import { dailyEnsembles, type ReadEnsemble } from '../daily-ensembles.js';
import type { TableInput } from '../input.js';
import type { Report } from '../notice.js';
import { type CoveredDays, missingDays } from './inspect-days.js';
import { inspectPlaces, LabelScan, withLabels } from './inspect-places.js';
import { ValueScan } from './inspect-values.js';
import type { InspectedVariable, InspectRequest } from './inspection.js';

/** The days of a table. */
interface KnownDays {
  readonly days: CoveredDays;
  readonly steps: string;
}

/** What is known of a table besides its values. */
export interface KnownOfTable {
  /** The days of rows, and a description of their steps, by what times stand for; undefined if not understood. */
  readonly covered: (stamps: Stamps | undefined) => KnownDays | undefined;
  /** All rows, if they are in memory already. */
  readonly all: Table | undefined;
}

/**
 * Summarises the daily values of a variable of a table, and its members and places. Throws what statistics of them
 * would throw.
 */
export async function inspectTableValues(
  core: Core,
  input: TableInput,
  { options, columns }: InspectRequest,
  variable: Variable | undefined,
  { covered, all }: KnownOfTable,
): Promise<
  Pick<
    InspectedVariable,
    'units' | 'conversions' | 'accumulation' | 'times' | 'warnings' | 'members' | 'places' | 'values'
  >
> {
  const warnings: string[] = [];
  const report: Report = ({ kind, text }) => {
    if (kind === 'warning' && !warnings.includes(text)) warnings.push(text);
  };
  const rows =
    all === undefined ? { ...input, report } : { ...input, report, form: 'short' as const, read: async () => all };
  let findings: ReadEnsemble['findings'] = { notes: [], accumulation: undefined, times: undefined };
  const [latitude, longitude]: [number[], number[]] = [[], []];
  const labels = new LabelScan();
  let names: readonly string[] | undefined;
  let units: string | undefined;
  let scan: ValueScan | undefined;
  for await (const { ensemble, ...read } of dailyEnsembles(core, rows, { variable, columns, values: options })) {
    findings = read.findings;
    names ??= memberNames(ensemble);
    units ??= ensemble.units;
    // A variable that is defined in place has no bounds.
    const isDefined = ensemble.variable?.units !== '';
    scan ??= new ValueScan(isDefined ? ensemble.variable : undefined, names, statedCalendar(ensemble.metadata));
    for (const part of ensemble.parts) {
      const { firstDay, days } = part.field;
      const ofRows = covered(findings.times?.stamps)?.days;
      scan.add(part, ofRows === undefined ? 0 : missingDays(ofRows, firstDay, days));
      labels.add(part.labels);
      for (const degrees of part.latitude) latitude.push(degrees);
      for (const degrees of part.longitude) longitude.push(degrees);
    }
  }
  const { grid } = findGrid(Float64Array.from(latitude), Float64Array.from(longitude));
  return {
    ...(units !== undefined && { units }),
    conversions: findings.notes,
    ...(findings.accumulation !== undefined && { accumulation: findings.accumulation }),
    ...(findings.times && { times: { stamps: findings.times.stamps, by: findings.times.by } }),
    ...(warnings.length > 0 && { warnings }),
    ...(names && { members: { count: names.length, first: names[0], last: names[names.length - 1] } }),
    places: withLabels(inspectPlaces(grid), labels),
    ...(scan && { values: scan.end() }),
  };
}

function memberNames({ parts, metadata }: Ensemble): readonly string[] {
  return originalNames(
    metadata,
    parts[0].field.members.map(({ name }) => name),
  );
}
