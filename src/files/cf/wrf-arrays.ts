import { DataError } from '../../errors.js';
import { parseDateText } from '../../table/columns/day-column.js';
import type { ArrayFile, Attributes, Box, StoredArray } from '../array/array-file.js';
import { elements } from '../array/copy-box.js';
import { textAttribute } from './attribute-values.js';
import { toPlainArray } from './coordinates.js';
import { createArray } from './value-coding.js';

/*
 * Output of WRF, which follows no convention: times are characters, latitudes and longitudes have a dimension of time, and rain is in
 * several arrays that grow from the start of the run. Source: Users' guide of WRF, "WRF output fields"; Registry.EM_COMMON.
 */

const TIME = 'Time';
/** Degrees of the mass points, and of the sides of cells. */
const DEGREES = /^XL(AT|ONG)(_[UV])?$/;
/** Parts of the rain since the start of the run: of cumulus, grid scale and shallow cumulus. */
const RAIN = ['RAINC', 'RAINNC', 'RAINSH'];

/**
 * The file with coordinates as other files have them: times that count from 1970, the start of the run, one latitude and longitude for
 * each cell, and `RAIN`, the sum of its parts. Values are of instants. Throws DataError where the grid moves.
 */
export async function wrfArrays(file: ArrayFile): Promise<ArrayFile> {
  const arrays = new Map<string, StoredArray>();
  const times = await timesOf(file);
  const start = millisecondsOf(textAttribute(file.attributes, 'SIMULATION_START_DATE') ?? '');
  for (const [name, array] of file.arrays) {
    if (name === 'Times' || name === 'XTIME') continue;
    const isAlong = array.dimensions[0] === TIME && array.type !== 'text';
    if (isAlong && DEGREES.test(name)) arrays.set(name, await firstOf(file, array));
    else arrays.set(name, isAlong ? withAttributes(array, [['cell_methods', 'time: point']]) : array);
  }
  arrays.set(TIME, numbers(TIME, [TIME], times, 'time'));
  if (Number.isFinite(start)) {
    const init = 'forecast_reference_time';
    arrays.set(init, numbers(init, [], [start], init));
  }
  const parts = RAIN.flatMap((name) => file.arrays.get(name) ?? []).filter(({ type }) => type === 'float32');
  if (parts.length > 0 && !arrays.has('RAIN')) arrays.set('RAIN', rain(parts));
  const { format, source, attributes, notices, notes } = file;
  return { format, source, attributes, arrays, ...{ notices, notes }, close: () => file.close() };
}

/** The times of the file, in milliseconds. */
async function timesOf({ arrays, source }: ArrayFile): Promise<number[]> {
  const texts = await (arrays.get('Times') as StoredArray).readTexts();
  return texts.map((text) => {
    const time = millisecondsOf(text);
    if (Number.isFinite(time)) return time;
    const [problem, allowed] = ['is not a time of WRF', '2026-03-02_06:00:00'];
    throw new DataError({ source, column: 'Times', problem, received: text, allowed });
  });
}

function millisecondsOf(text: string): number {
  const date = parseDateText(text.trim().replace('_', 'T'));
  return 'time' in date ? date.time : Number.NaN;
}

function numbers(
  name: string,
  dimensions: readonly string[],
  times: readonly number[],
  standardName: string,
): StoredArray {
  const attributes: Attributes = new Map([
    ['standard_name', standardName],
    ['units', 'seconds since 1970-01-01'],
  ]);
  return {
    ...{ name, type: 'float64', dimensions, shape: dimensions.map(() => times.length), attributes },
    async read({ start: [first = 0], count: [count = 1] }, into) {
      for (let i = 0; i < count; i++) into[i] = times[first + i] / 1_000;
      return [];
    },
    readTexts: async () => [],
  };
}

/** The values of the first time. Throws DataError where the last ones differ, as of a nest that moves. */
async function firstOf({ source }: ArrayFile, array: StoredArray): Promise<StoredArray> {
  const shape = array.shape.slice(1);
  const at = async (time: number) => {
    const into = createArray(array.type, elements(shape));
    await array.read({ start: [time, ...shape.map(() => 0)], count: [1, ...shape] }, into);
    return into;
  };
  const last = array.shape[0] - 1;
  const [first, other] = last > 0 ? await Promise.all([at(0), at(last)]) : [];
  if (first !== undefined && other !== undefined && first.some((value, i) => value !== other[i])) {
    throw new DataError({
      ...{ source, column: array.name, problem: 'the grid moves' },
      allowed: 'latitudes and longitudes that are the same at all times',
    });
  }
  const ofFirst = ({ start, count }: Box): Box => ({ start: [0, ...start], count: [1, ...count] });
  return {
    ...toPlainArray(array),
    ...{ dimensions: array.dimensions.slice(1), shape, chunk: array.chunk?.slice(1) },
    read: async (box, into) => (await array.read(ofFirst(box), into)).map((absent) => withoutTime(absent)),
  };
}

function withoutTime({ start, count }: Box): Box {
  return { start: start.slice(1), count: count.slice(1) };
}

function withAttributes(array: StoredArray, added: readonly (readonly [string, string])[]): StoredArray {
  return { ...toPlainArray(array), attributes: new Map([...array.attributes, ...added]) };
}

/** The sum of the parts of rain since the start of the run. */
function rain(parts: readonly StoredArray[]): StoredArray {
  const names = parts.map(({ name }) => name).join(' + ');
  const [first] = parts;
  return {
    ...withAttributes(first, [
      ['standard_name', 'precipitation_amount'],
      ['long_name', `precipitation since the start of the run: ${names}`],
      ['cell_methods', 'time: sum'],
    ]),
    name: 'RAIN',
    async read(box, into) {
      const absent = [...(await first.read(box, into))];
      const other = new Float32Array(elements(box.count));
      for (const part of parts.slice(1)) {
        absent.push(...(await part.read(box, other)));
        for (let i = 0; i < other.length; i++) (into as Float32Array)[i] += other[i];
      }
      return absent;
    },
  };
}
