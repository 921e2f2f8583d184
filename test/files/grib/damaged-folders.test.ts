import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isPlumecastError } from '../../../src/errors.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { isFullCheck } from '../../full-check.js';
import { Dice } from '../../fuzz/dice.js';
import { gribFile, RAIN, T2M } from './write-grib.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CASES = isFullCheck ? 3000 : 40;
const [MEMBERS, STEPS] = [4, 5];
const RUN = Date.parse('2026-03-02T00:00Z');
const HOUR = 3_600_000;

/** A value that says which run, member and step it belongs to: thousands, tens, and steps of 6 hours. */
function codedValue(run: number, member: number, step: number): number {
  return 1000 * run + 10 * member + step / 6;
}

/** The file of a member and step: a temperature, and from the second step on an amount of rain. */
function fileOf(run: number, member: number, step: number): Uint8Array {
  const field = {
    reference: new Date(RUN + 24 * HOUR * run).toISOString(),
    member,
    value: codedValue(run, member, step),
  };
  const rain = { ...RAIN, ...field, step: step - 6, end: step };
  return gribFile([{ ...T2M, ...field, step }, ...(step === 0 ? [] : [rain])]);
}

/** What may become of a file. */
const DAMAGES: readonly ((bytes: Uint8Array, dice: Dice) => Uint8Array | undefined)[] = [
  (bytes, dice) => bytes.slice(0, dice.below(bytes.length)),
  () => new Uint8Array(),
  (bytes) => new Uint8Array(bytes.length),
  () => undefined,
  (bytes, dice) => bytes.map((byte) => (dice.chance(0.01) ? dice.below(256) : byte)),
  (_, dice) => fileOf(1, dice.below(MEMBERS), 6 * dice.below(STEPS)),
  (_, dice) => fileOf(0, dice.below(MEMBERS), 6 * dice.below(STEPS)),
  (bytes) => new Uint8Array([...bytes, ...bytes]),
];

it(`${CASES} folders with damaged, missing and foreign files give no value of another member or time`, {
  timeout: 1_800_000,
}, async () => {
  let [errors, missing, found] = [0, 0, 0];
  for (let index = 0; index < CASES; index++) {
    const dice = new Dice([81, index]);
    const path = join(folder, String(index));
    mkdirSync(path);
    const damaged = new Set(Array.from({ length: 1 + dice.below(3) }, () => dice.below(MEMBERS * STEPS)));
    let isChanged = false;
    for (let at = 0; at < MEMBERS * STEPS; at++) {
      const bytes = fileOf(0, at % MEMBERS, 6 * Math.floor(at / MEMBERS));
      const damage = DAMAGES[damaged.has(at) ? dice.below(DAMAGES.length) : -1];
      isChanged ||= damage === DAMAGES[4];
      const written = damage === undefined ? bytes : damage(bytes, dice);
      if (written !== undefined) writeFileSync(join(path, `${at}.grib2`), written);
    }
    try {
      for (const [value, expected] of await readFolder(path)) {
        if (Number.isNaN(value)) missing++;
        else if (value === expected) found++;
        // A byte of a value may be what was changed.
        else if (!isChanged) throw new Error(`case ${index}: ${value} instead of ${expected}`);
      }
    } catch (error) {
      if (!isPlumecastError(error) || error.tag === 'core') throw new Error(`case ${index}`, { cause: error });
      errors++;
    }
    rmSync(path, { recursive: true });
  }
  expect(errors).toBeGreaterThan(CASES / 10);
  expect(missing).toBeGreaterThan(CASES / 4);
  expect(found).toBeGreaterThan(CASES * MEMBERS);
});

/** Each value of the temperature and of the rain, with the one that belongs to its run, member and time. */
async function readFolder(path: string): Promise<[value: number, expected: number][]> {
  const file = await openArrays(path);
  try {
    const numbers = async (name: string) => {
      const array = file.arrays.get(name);
      const length = array?.shape.reduce((product, along) => product * along, 1) ?? 0;
      const values = array?.type === 'int32' ? new Int32Array(length) : new Float64Array(length);
      await array?.read({ start: array.shape.map(() => 0), count: array.shape }, values);
      return values;
    };
    const pairs: [number, number][] = [];
    for (const array of file.arrays.values()) {
      if (!['2t', 'tp'].includes(array.name) || array.dimensions.join().startsWith('forecast_reference_time')) continue;
      if (array.dimensions.length !== 4 || file.arrays.get(array.dimensions[0])?.type === 'text') continue;
      const [members, times, values] = [
        await numbers(array.dimensions[0]),
        await numbers(array.dimensions[1]),
        await numbers(array.name),
      ];
      for (const [m, member] of members.entries()) {
        for (const [t, time] of times.entries()) {
          const value = values[2 * (m * times.length + t)];
          // A later run gives other values to the same times.
          const run = Math.floor(value / 1000) || 0;
          pairs.push([value, codedValue(run, member, time / 3600 - RUN / HOUR - 24 * run)]);
        }
      }
    }
    return pairs;
  } finally {
    await file.close();
  }
}
