import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as arrow from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-zones-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 86_400_000;
/** Switches of an hour and of half of one, at midnight and after it; scripts/check-zones.mjs compares all zones. */
const ZONES = [
  'Europe/Berlin',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
];
const [start, end] = ['2010-01-01', '2011-07-01'];

/** Steps of some hours, with the values that test/reference/local_days.py has. */
function stepsOf(hours: number): arrow.Table {
  const count = (Date.parse(end) - Date.parse(start)) / 3_600_000 / hours;
  const ticks = BigInt64Array.from({ length: count }, (_, i) => BigInt(Date.parse(start) + i * hours * 3_600_000));
  return new arrow.Table({
    time: arrow.makeVector(arrow.makeData({ type: new arrow.TimestampMillisecond(), data: ticks })),
    member_00: arrow.vectorFromArray(Float64Array.from({ length: count }, (_, i) => ((i * 7919) % 1009) / 16)),
  });
}

interface DaysOfPandas {
  readonly zone: string;
  readonly hours: number;
  readonly first: string;
  readonly days: number;
}

describe.skipIf(!hasPython('pandas', 'numpy'))('days of a zone', () => {
  it.each([1, 3, 6])(
    'are those of pandas, from steps of %d hours',
    (hours) => {
      const file = join(folder, `${hours}.bin`);
      const requested = JSON.stringify({ zones: ZONES, start, end, hours: [hours], file });
      const known: DaysOfPandas[] = JSON.parse(pythonFile('test/reference/local_days.py', [requested]));
      expect(known.map(({ zone }) => zone)).toEqual(ZONES);
      const numbers = new Float64Array(readFileSync(file).buffer.slice(0));
      const steps = stepsOf(hours);
      let offset = 0;
      for (const { zone, first, days } of known) {
        expect(days).toBeGreaterThan(540);
        for (const variable of ['precipitation', 'temp_mean'] as const) {
          const units = variable === 'temp_mean' ? 'degC' : 'mm';
          const options = { variable, units, stamps: 'start', accumulation: 'per-step', timeZone: zone } as const;
          const { table } = dailyTable(steps, options);
          const [date, values] = ['date', 'member_00'].map((name) => table.getChild(name) as arrow.Vector);
          const shift = Date.parse(first) / DAY - Number(date.get(0)) / DAY;
          const differences = Array.from({ length: days }, (_, day) =>
            Math.abs(values.get(day + shift) - numbers[offset + day]),
          );
          expect(Math.max(...differences), `${zone}, ${variable}`).toBeLessThan(1e-9);
          offset += days;
        }
      }
    },
    60_000,
  );
});
