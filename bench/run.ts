/**
 * All contestants on the same seeded data, then what else plumecast computes, as Markdown tables; docs/benchmarks.md
 * shows the figures of one run.
 *
 *   node build/bench/run.js [--quick] [--only PART] [--contestants PATTERN]
 *
 * PART is statistics, members, missing, sizes, windows, point, pool, blending, climatology or grib. `--quick` measures fewer cells,
 * for less long. PATTERN is a regular expression: only contestants and rivals whose names match take part in the
 * statistics.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCore } from '../src/core/load.js';
import { blendingReport } from './blending.js';
import { climatologyReport } from './climatologies.js';
import { plainContestants } from './contestants/networks.js';
import { memberCountsReport, missingDaysReport, sizesReport } from './costs.js';
import { findEntrants } from './entrants.js';
import { gribReport } from './grib.js';
import { installPeers } from './peers.js';
import { pointQueryReport } from './point-query.js';
import { poolReport } from './pool.js';
import { machineLine, notes, summaryTable, workloadTable } from './report.js';
import { observedSum, statisticsReports } from './statistics.js';
import { announce } from './timing.js';
import { windowsReport } from './windows.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    contestants: { type: 'string', default: '' },
  },
});

const core = await loadCore();
const { quick } = options;
/** The parts, each as Markdown. */
const parts: Record<string, () => string | Promise<string>> = {
  statistics: statisticsTables,
  members: () => memberCountsReport(core, quick ? 200 : 2_000, 9),
  missing: () => missingDaysReport(core, quick ? 200 : 2_000, 9),
  sizes: () => sizesReport(core, quick ? [100, 2_000] : [100, 2_000, 20_000, 100_000], 5),
  windows: () => windowsReport(core, quick ? 200 : 1_000, quick ? 8 : 40),
  point: () => pointQueryReport(core, plainContestants, quick ? 15 : 60),
  pool: () => poolReport(quick ? [100, 2_000] : [100, 2_000, 20_000], 10),
  blending: () => blendingReport(core, quick ? 1_000 : 10_000, 5),
  climatology: () => climatologyReport(core, quick ? [1, 10] : [1, 100, 1_000], 5),
  grib: () => gribReport(quick ? 3 : 30),
};

if (options.only !== undefined && !(options.only in parts)) {
  throw new Error(`${options.only}: no part; allowed: ${Object.keys(parts).join(', ')}`);
}
for (const [part, report] of Object.entries(parts)) {
  if (options.only !== undefined && options.only !== part) continue;
  announce(part);
  console.log(`${await report()}\n`);
}

async function statisticsTables(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-bench-'));
  try {
    installPeers();
    const { contestants, rivals, absent } = await findEntrants(core, folder, new RegExp(options.contestants));
    const machine = machineLine(rivals);
    const reports = await statisticsReports({ contestants, rivals, folder }, quick);
    announce(`statistics done; the sum of the observed results is ${observedSum()}`);
    return [summaryTable(reports), machine, notes(rivals, absent), ...reports.map(workloadTable)].join('\n\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
