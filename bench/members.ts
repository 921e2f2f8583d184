import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { createRandomStream, type RandomStream } from '../src/demo/random.js';
import { DAYS, MEMBERS, type Workload } from './workloads.js';

/**
 * One array per member, day after day for each cell in turn, as in the columns of an Arrow table sorted by location.
 */
export type Members = readonly Float32Array[];

const SEED = 20_260_201;

/** Memory for `cells` cells, some 22 kB each: allocated once, and filled again for each kind of data. */
export function createMembers(cells: number): Members {
  return Array.from({ length: MEMBERS }, () => new Float32Array(cells * DAYS));
}

/** The values of the first cells, without copying. */
export function firstCells(members: Members, cells: number): Members {
  return members.map((values) => values.subarray(0, cells * DAYS));
}

/** The first cells in `count` parts of `cells` cells, without copying. */
export function splitMembers(members: Members, cells: number, count: number): Members[] {
  return Array.from({ length: count }, (_, part) =>
    members.map((values) => values.subarray(part * cells * DAYS, (part + 1) * cells * DAYS)),
  );
}

/** Fills all members with seeded values; the values of a cell do not depend on the number of cells. */
export function fillMembers(members: Members, data: Workload['data']): void {
  members.forEach((values, m) => {
    if (data === 'rain') fillRain(values, createRandomStream([SEED, 0, m]));
    else fillTemperature(values, createRandomStream([SEED, 1, m]));
  });
}

/** Daily rain in mm: 60 % dry days, else Weibull amounts of shape 0.7 (median 3.6 mm, one in a hundred above 53 mm). */
function fillRain(values: Float32Array, random: RandomStream): void {
  for (let i = 0; i < values.length; i++) {
    values[i] = random.nextUniform() < 0.6 ? 0 : 6 * (-Math.log(random.nextUniform())) ** (1 / 0.7);
  }
}

/** Daily temperature in degC: rises from winter to summer and over each hundred cells, with nearly normal noise. */
function fillTemperature(values: Float32Array, random: RandomStream): void {
  for (let i = 0; i < values.length; i++) {
    const season = -12 * Math.cos((Math.PI * (i % DAYS)) / DAYS);
    const cell = (Math.floor(i / DAYS) % 100) / 5 - 8;
    const noise = random.nextUniform() + random.nextUniform() + random.nextUniform() - 1.5;
    values[i] = 6 + season + cell + 8 * noise;
  }
}

/** Writes members one after the other as little-endian float32. */
export function writeMembers(path: string, members: Members): void {
  const file = openSync(path, 'w');
  for (const { buffer, byteOffset, byteLength } of members) {
    let done = 0;
    while (done < byteLength) done += writeSync(file, new Uint8Array(buffer, byteOffset + done, byteLength - done));
  }
  closeSync(file);
}

/** All values of a file of little-endian float32. */
export function readFloats(path: string): Float32Array {
  const file = openSync(path, 'r');
  const bytes = new Uint8Array(fstatSync(file).size);
  let done = 0;
  while (done < bytes.length) done += readSync(file, bytes, done, bytes.length - done, null);
  closeSync(file);
  return new Float32Array(bytes.buffer);
}
