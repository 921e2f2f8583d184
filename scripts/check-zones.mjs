/**
 * Compares the days of every time zone over twenty years with pandas, made of steps of 1, 3 and 6 hours of known values: sums
 * and means. They must be those of resample or, where pandas contradicts itself (a few midnights that clocks skip), of its
 * local dates. Needs Python with pandas: python3, or PLUMECAST_PYTHON.
 *
 *   node scripts/check-zones.mjs [ZONE...]     only these zones
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeData, makeVector, Schema, Table, TimestampMillisecond, vectorFromArray } from 'apache-arrow';
import { dailyTable } from '../dist/index.js';

const PYTHON = process.env.PLUMECAST_PYTHON ?? 'python3';
const SCRIPT = 'test/reference/local_days.py';
const [START, END] = ['2005-01-01', '2025-01-01'];
const HOURS = [1, 3, 6];
/** Hourly means are as hourly sums, and take as long. */
const VARIABLES = { 1: ['precipitation'], 3: ['precipitation', 'temp_mean'], 6: ['precipitation', 'temp_mean'] };
const DAY = 86_400_000;
/** Zones that pandas is requested for at a time: their days are in a file of some 20 MB. */
const BATCH = 50;

if (spawnSync(PYTHON, ['-c', 'import numpy, pandas']).status !== 0) {
  console.log(`skipped: days of zones as pandas has them (${PYTHON} has no pandas)`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'plumecast-zones-'));
const file = join(folder, 'days.bin');

function python(...args) {
  const { status, stdout, stderr } = spawnSync(PYTHON, args, { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${PYTHON} exited with ${status}: ${stderr}`);
  return stdout;
}

/** The steps of a length, with values that pandas has, too: `precipitation` per step, `temp_mean` of each. */
function stepsOf(hours) {
  const length = hours * 3_600_000;
  const count = (Date.parse(END) - Date.parse(START)) / length;
  const ticks = BigInt64Array.from({ length: count }, (_, i) => BigInt(Date.parse(START) + i * length));
  const values = vectorFromArray(Float64Array.from({ length: count }, (_, i) => ((i * 7919) % 1009) / 16));
  const time = makeVector(makeData({ type: new TimestampMillisecond(), data: ticks }));
  return new Table({ time, member_00: values });
}

/** The days of a zone: their values by day number. */
function daysOf(table, variable, timeZone) {
  const given = new Table(new Schema(table.schema.fields), table.batches);
  const units = variable === 'temp_mean' ? 'degC' : 'mm';
  const { table: days } = dailyTable(given, { variable, units, stamps: 'start', accumulation: 'per-step', timeZone });
  return { first: Number(days.getChild('date').get(0)) / DAY, values: days.getChild('member_00') };
}

const zones =
  process.argv.length > 2
    ? process.argv.slice(2)
    : JSON.parse(python('-c', 'import json, zoneinfo; print(json.dumps(sorted(zoneinfo.available_timezones())))'));
const problems = [];
let [days, compared, largest, contradictions] = [0, 0, 0, 0];
const unknown = new Set();
for (let at = 0; at < zones.length; at += BATCH) {
  const some = zones.slice(at, at + BATCH);
  const requested = { zones: some, start: START, end: END, hours: HOURS, file };
  const known = JSON.parse(python(SCRIPT, JSON.stringify(requested)));
  const numbers = new Float64Array(readFileSync(file).buffer.slice(0));
  let offset = 0;
  let steps = { hours: 0 };
  for (const { zone, hours, first, days: count, others = [], problem } of known) {
    if (problem !== undefined) {
      problems.push(`${zone}: pandas: ${problem}`);
      continue;
    }
    if (steps.hours !== hours) steps = { hours, table: stepsOf(hours) };
    const expected = { precipitation: numbers.subarray(offset, offset + count) };
    expected.temp_mean = numbers.subarray(offset + count, offset + 2 * count);
    offset += 2 * count;
    for (const variable of VARIABLES[hours]) {
      let found;
      try {
        found = daysOf(steps.table, variable, zone);
      } catch (error) {
        if (!error.message.includes('no such time zone')) throw error;
        unknown.add(zone);
        continue;
      }
      compared++;
      const shift = Date.parse(first) / DAY - found.first;
      let differences = 0;
      let example = '';
      for (let day = 0; day < count; day++) {
        // A date that the zone skips has no value.
        const [own, other] = [found.values.get(day + shift) ?? Number.NaN, expected[variable][day]];
        const isSkipped = Number.isNaN(own) && Number.isNaN(expected.temp_mean[day]);
        const byDate = others.find(([which]) => which === day)?.[variable === 'temp_mean' ? 2 : 1];
        const isByDate = byDate === null ? Number.isNaN(own) : byDate !== undefined && Math.abs(own - byDate) <= 1e-9;
        if (isByDate) contradictions++;
        const difference = isByDate ? 0 : Math.abs(own - other);
        if (isSkipped || difference <= 1e-9) largest = Math.max(largest, isSkipped ? 0 : difference);
        else if (differences++ === 0)
          example = `${new Date(DAY * (day + shift + found.first)).toISOString().slice(0, 10)}: ${own}, pandas ${other}`;
      }
      days += count;
      const beside = found.values.length - count;
      if (differences > 0)
        problems.push(`${zone}, ${hours} h, ${variable}: ${differences} days differ, first ${example}`);
      else if (shift < 0 || shift > 1 || beside < 0 || beside > 2) problems.push(`${zone}, ${hours} h: other days`);
    }
  }
}
rmSync(folder, { recursive: true });
for (const problem of problems) console.log(problem);
if (unknown.size > 0) console.log(`not known to this platform: ${[...unknown].join(', ')}`);
console.log(
  `${zones.length} zones, ${compared} series, ${days} days compared with pandas: ${problems.length} problems, largest difference ${largest}; ${contradictions} days as its dates, not as resample`,
);
process.exitCode = problems.length > 0 || compared === 0 ? 1 : 0;
