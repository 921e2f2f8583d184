import type { Table } from 'apache-arrow';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { OptionError } from '../errors.js';
import { checkStatisticsOptions, type StatisticsOptions } from '../statistics/options.js';
import { statistics } from '../statistics/statistics.js';
import { StatisticsPlan } from '../statistics/statistics-plan.js';
import { windowedParts } from '../statistics/windowed-part.js';
import { blend, countOfTables, pairOptions, type Timeline } from './blend.js';
import { planBlend } from './blend-fields.js';
import { blendedColumns, timelineShape } from './compute-blended-statistics.js';
import { horizonHead } from './horizon.js';
import { type BlendOptions, checkBlendOptions } from './options.js';
import { readHorizons } from './read-horizons.js';
import { timelineMetadata } from './timeline-metadata.js';

/** How to read tables is an option of blending. */
const READING = ['variable', 'variables', 'columns', 'calendar'] as const;

/**
 * Statistics of the timeline of some horizons, without making the timeline: the table that `statistics` returns for the
 * table of `blend`, in less time and memory. `blending` are the options of `blend`, which also say what the variable
 * is; `options` are those of `statistics`. Throws as both do.
 */
export function blendedStatistics(
  core: Core,
  tables: readonly Table[],
  blending: BlendOptions = {},
  options: Omit<StatisticsOptions, (typeof READING)[number]> = {},
): Pick<Timeline, 'table' | 'pairing' | 'notes'> {
  assertCore(core);
  assertNoReading(options);
  const checkedBlending = checkBlendOptions(blending, countOfTables(tables));
  const { variable, variables } = blending;
  const checked = checkStatisticsOptions({ ...options, variable, variables });
  if (checked.point !== undefined) {
    const { table, pairing, notes } = blend(core, tables, blending);
    return { table: statistics(core, table, { ...options, variable, variables }), pairing, notes };
  }
  const read = readHorizons(tables, checkedBlending);
  const { horizons, ensembles, units, latitude, longitude, notes } = read;
  const plan = planBlend(core, horizons, checkedBlending.pairing ?? pairOptions(read, checkedBlending));
  const { pairing } = plan;
  const field = timelineShape(plan);
  const names = field.members.map(({ name }) => name);
  const metadata = timelineMetadata(ensembles, horizons.map(horizonHead), names, pairing, plan.days);
  const ensemble = { variable: read.variable, units, metadata, parts: [{ field, latitude, longitude }] };
  const results = new StatisticsPlan(ensemble, checked);
  const [part] = windowedParts(ensemble, checked);
  const columns = blendedColumns(core, plan, part.windows, results.request(part));
  return { table: results.table([part], [columns]), pairing, notes };
}

function assertNoReading(options: StatisticsOptions): void {
  const found = READING.find((name) => options?.[name] !== undefined);
  if (found === undefined) return;
  throw new OptionError({
    subject: found,
    problem: 'not an option of the statistics of a timeline',
    received: options[found],
    allowed: 'among the options of blending, which say how tables are read',
  });
}
