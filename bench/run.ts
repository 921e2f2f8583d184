/**
 * All contestants on the same seeded data, as Markdown tables, then what else plumecast computes.
 *
 *   node build/bench/run.js [--quick] [--json] [--only PART] [--contestants PATTERN] [--cells COUNT]
 *
 * PART is statistics, members, missing, sizes, point, pool, blending or climatology. `--quick` measures up to 2,000 cells, for less long.
 * PATTERN is a regular expression: only contestants and rivals whose names match take part in the statistics. COUNT is the largest
 * number of cells. The first table of the statistics is the one in README.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCore } from '../src/core/load.js';
import { blendingReport } from './blending.js';
import { climatologyReport } from './climatologies.js';
import { allContestants, plainContestants } from './contestants/all.js';
import { observed } from './measure.js';
import { memberCountsReport } from './member-counts.js';
import { missingValuesReport } from './missing-values.js';
import { installPeers } from './peers.js';
import { pointQueryReport } from './point-query.js';
import { poolReport } from './pool.js';
import { announce } from './progress.js';
import { describeRun, machineLine } from './report.js';
import { findRivals } from './rivals/find-rivals.js';
import { settingsFor } from './settings.js';
import { sizesReport } from './sizes.js';
import { statisticsReports } from './statistics.js';
import { summaryTable } from './summary-table.js';
import { workloadTable } from './workload-table.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    contestants: { type: 'string', default: '' },
    cells: { type: 'string' },
  },
});

const core = await loadCore();
const { quick } = options;
/** What there is beside the statistics, as Markdown. */
const parts: Record<string, () => string | Promise<string>> = {
  members: () => memberCountsReport(core, quick ? 200 : 2_000, 9),
  missing: () => missingValuesReport(core, quick ? 200 : 2_000, 9),
  sizes: () => sizesReport(core, quick ? [100, 2_000] : [100, 2_000, 20_000, 100_000], 5),
  point: () => pointQueryReport(core, plainContestants, quick ? 15 : 60),
  pool: () => poolReport(quick ? [100, 2_000] : [100, 2_000, 20_000], 10),
  blending: () => blendingReport(core, quick ? 1_000 : 10_000, 5),
  climatology: () => climatologyReport(core, quick ? [1, 10] : [1, 100, 1_000], 5),
};

const isRequested = (part: string) => options.only === undefined || options.only === part;
if (isRequested('statistics')) await printStatistics();
for (const [part, report] of Object.entries(parts)) {
  if (options.json || !isRequested(part)) continue;
  announce(part);
  console.log(`\n${await report()}`);
}

async function printStatistics(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-bench-'));
  try {
    const largest = Number(options.cells ?? (options.quick ? 2_000 : 20_000));
    const settings = settingsFor(options.quick, largest, options.contestants);
    installPeers();
    const { contestants, absent } = await allContestants(core);
    const { rivals, absent: absentRivals } = await findRivals(folder, settings.isRequested);
    const run = describeRun(rivals, [...absent, ...absentRivals]);
    const reports = await statisticsReports({ contestants, rivals, folder }, settings);
    announce(`statistics done; the sum of what was looked at is ${observed()}`);
    if (options.json) return console.log(JSON.stringify({ run, reports }, undefined, 2));
    const notes = [
      'Nanoseconds per output (one cell and window; mean and five quantiles over 31 members; 180 days), one thread: the median of',
      'a turn, and the best turn where contestants take several. Timed: from float32 values in memory, in the layout that suits',
      'the contestant best, to new arrays of results.',
      ...run.timed,
      ...run.absent.map((text) => `Absent: ${text}.`),
    ];
    console.log(
      [summaryTable(reports), machineLine(run), notes.join('\n'), ...reports.map(workloadTable)].join('\n\n'),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
