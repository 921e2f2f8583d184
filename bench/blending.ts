import { blendFields, blendInGroups } from '../src/blend/blend-fields.js';
import type { Horizon } from '../src/blend/horizon.js';
import type { PairFieldsOptions } from '../src/blend/pair-fields.js';
import type { EnsembleField } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';
import { MemberColumn } from '../src/core/member-column.js';
import { createRandomStream } from '../src/demo/random.js';
import { windowTable } from '../src/period/window-table.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { plainBlend } from './contestants/plain-blend.js';
import { medianTurns } from './turns.js';
import { FIRST_DAY, MEMBERS, PROBABILITIES } from './workloads.js';

/** Days of a short-term, a subseasonal and a seasonal forecast. */
const HORIZON_DAYS = [15, 46, 215];
const OPTIONS: PairFieldsOptions = { method: 'rank', overlaps: [3, 7], lastLeads: [14, 41, 214], keepGaps: false };
const SEED = 20_260_202;

/** Three horizons become one timeline, beside one weekly pass of statistics over it and plain TypeScript: a Markdown table. */
export function blendingReport(core: Core, cells: number, turns: number): string {
  const horizons = HORIZON_DAYS.map(
    (days, h): Horizon => ({ name: `horizon ${h}`, field: temperatures(h, days, cells) }),
  );
  const plain = horizons.map(({ field }) => ({ days: field.days, members: field.members.map(valuesOf) }));
  const { field: timeline, pairing } = blendFields(core, horizons, OPTIONS);
  assertConsistent(timeline, plainBlend(plain, pairing, cells));
  const windows = windowTable('weekly', timeline.firstDay, timeline.firstDay + timeline.days - 1);
  const weekly = (field: EnsembleField) =>
    computeStatistics(core, field, windows, {
      window: 'mean',
      quantiles: PROBABILITIES,
      quantileType: 7,
      thresholds: [],
      spread: false,
      minMemberShare: 0.8,
    });
  const jobs = [
    { name: 'weekly statistics of the timeline', run: () => void weekly(timeline) },
    { name: 'blend, a group of cells at a time', run: () => drain(blendInGroups(core, horizons, OPTIONS)) },
    { name: 'blend, with the pairing of another variable', run: () => drain(blendInGroups(core, horizons, pairing)) },
    { name: 'blend, the whole in new arrays', run: () => void blendFields(core, horizons, OPTIONS) },
    {
      name: 'blend and weekly statistics, a group of cells at a time',
      run: () => {
        for (const { field } of blendInGroups(core, horizons, OPTIONS)) weekly(field);
      },
    },
    { name: 'JavaScript: blend, the whole in new arrays', run: () => void plainBlend(plain, pairing, cells) },
  ];
  const times = medianTurns(jobs, turns);
  const rows = jobs.map(({ name }, j) => {
    return `| ${name} | ${times[j].toFixed(0)} | ${(times[j] / times[0]).toFixed(2)} |`;
  });
  return [
    `### Blending: ${cells.toLocaleString('en')} cells, ${MEMBERS} members, ${HORIZON_DAYS.join(', ')} days to one timeline of ${timeline.days}`,
    '',
    '| | ms | times the weekly pass |',
    '|---|---:|---:|',
    ...rows,
  ].join('\n');
}

function drain(groups: Iterable<unknown>): void {
  for (const _ of groups);
}

function temperatures(horizon: number, days: number, cells: number): EnsembleField {
  const members = Array.from({ length: MEMBERS }, (_, m) => {
    const random = createRandomStream([SEED, horizon, m]);
    const values = new Float32Array(cells * days);
    let x = 0;
    for (let row = 0; row < values.length; row++) {
      x = 0.7 * x + random.nextUniform() - 0.5;
      values[row] = 10 + 8 * x;
    }
    return new MemberColumn(`member ${m}`, [{ values }]);
  });
  return { type: 'float32', order: 'day-fastest', firstDay: FIRST_DAY, days, cells, members };
}

function valuesOf({ chunks }: MemberColumn): Float32Array {
  return chunks[0].values as Float32Array;
}

function assertConsistent({ members }: EnsembleField, expected: readonly Float32Array[]): void {
  members.forEach((member, m) => {
    const values = valuesOf(member);
    const row = expected[m].findIndex((value, at) => value !== values[at]);
    if (row >= 0) throw new Error(`member ${m}, row ${row}: ${values[row]} instead of ${expected[m][row]}`);
  });
}
