import { createRandomStream, type RandomStream } from '../src/demo/random.js';
import { DAYS, MEMBERS, type Workload } from './workloads.js';

/** One array per member, day after day for each cell in turn, as the columns of an Arrow table by location. */
export type Members = readonly Float32Array[];

const SEED = 20_260_201;

/** Room for `cells` cells: some 22 kB each, taken once and filled anew for each kind of data. */
export function createMembers(cells: number): Members {
  return Array.from({ length: MEMBERS }, () => new Float32Array(cells * DAYS));
}

/** The first cells in `count` parts of `cells` cells, without copying. */
export function partsOf(members: Members, cells: number, count: number): Members[] {
  return Array.from({ length: count }, (_, part) =>
    members.map((values) => values.subarray(part * cells * DAYS, (part + 1) * cells * DAYS)),
  );
}

/** Fills all members with seeded values; a cell's values do not depend on how many cells there are. */
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

/** Daily temperature in degC: from winter to summer, warmer from cell to cell of a hundred, nearly normal around that. */
function fillTemperature(values: Float32Array, random: RandomStream): void {
  for (let i = 0; i < values.length; i++) {
    const season = -12 * Math.cos((Math.PI * (i % DAYS)) / DAYS);
    const cell = (Math.floor(i / DAYS) % 100) / 5 - 8;
    const noise = random.nextUniform() + random.nextUniform() + random.nextUniform() - 1.5;
    values[i] = 6 + season + cell + 8 * noise;
  }
}
