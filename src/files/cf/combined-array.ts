import { DataError, OptionError } from '../../errors.js';
import { countedConversion } from '../../variable/counted-unit.js';
import {
  type Combination,
  type CombinationInput,
  combinationFor,
  combine,
  variableByName,
} from '../../variable/find-variable.js';
import type { UnitConversion } from '../../variable/unit-conversion.js';
import type { ArrayFile, Attributes, Box, StoredArray } from '../array/array-file.js';
import { elements } from '../array/copy-box.js';
import { readNumbers } from './array-reader.js';
import { isOfOtherLevel } from './array-variable.js';
import { textAttribute } from './attribute-values.js';
import { meansSinceStartError } from './days/growing-values.js';
import type { DailyPlan } from './days/reduce-days.js';
import { timeMethod } from './time/time-axis.js';
import { decodeRow, scaleValues, type ValueCoding, valueCoding } from './value-coding.js';

/** An array whose values are computed from two others of its file, element by element, and notes on it. */
export interface CombinedArray {
  readonly array: StoredArray;
  readonly combination: Combination;
  readonly notes: readonly string[];
}

/** What names an array. */
export type NamedArray = Pick<StoredArray, 'name' | 'attributes'>;

/** The number of values combined at a time. */
const PIECE = 2 ** 19;

/**
 * Creates the array of a variable that is computed from two others of a file (wind speed from its components, relative
 * humidity from temperature and dew point); undefined where the file does not have them. Its values are float64, NaN
 * where either is missing, and computed when they are read.
 *
 * Throws OptionError where several arrays hold one of the two, and DataError where their axes, cell methods or units do
 * not match.
 */
export function combinedArray(
  file: ArrayFile,
  candidates: readonly StoredArray[],
  slug: string,
): CombinedArray | undefined {
  const combination = combinationFor(slug);
  if (combination === undefined) return undefined;
  const found = combination.inputs.map((input) => candidates.filter((array) => isInput(array, input)));
  if (found.some(({ length }) => length === 0)) return undefined;
  for (const [i, arrays] of found.entries()) {
    if (arrays.length > 1) throw severalInputsError(file, combination, combination.inputs[i], arrays);
  }
  const [[first], [second]] = found;
  assertAlike(file, combination, first, second);
  const [ofFirst, ofSecond] = [first, second].map((array, i) => findConversion(file, array, combination.inputs[i]));
  const codings = [first, second].map((array) => valueCoding(array, file.source));
  const name = `${first.name} and ${ownName(second)}`;
  return {
    combination,
    notes: [
      `${combination.slug} from ${ownName(first)} and ${ownName(second)}`,
      ...new Set([...ofFirst.notes, ...ofSecond.notes]),
    ],
    array: {
      ...{ name, type: 'float64', dimensions: first.dimensions, shape: first.shape },
      ...(first.chunk && { chunk: first.chunk }),
      ...(first.chunkPart && { chunkPart: first.chunkPart }),
      ...(first.severalRuns && { severalRuns: first.severalRuns }),
      attributes: toAttributes(combination, first),
      isAbsent: (box) => isAbsent(first, box) || isAbsent(second, boxIn(second, first, box)),
      read: async (box, into) => {
        let at = 0;
        for (const piece of pieces(box, first.chunkPart ?? first.chunk)) {
          const a = await valuesIn(first, codings[0], piece, ofFirst.conversion);
          const b = await valuesIn(second, codings[1], boxIn(second, first, piece), ofSecond.conversion);
          for (let i = 0; i < a.length; i++) into[at++] = combine(combination, a[i], b[i]);
        }
        return [];
      },
      readTexts: async () => [],
    },
  };
}

/**
 * Throws a DataError where a combined array has only one value a day, and its formula is not valid for daily means; and
 * where it has means since the start of a run, for which no formula is valid.
 */
export function assertSteps(
  { source }: ArrayFile,
  { array, combination: { slug, needsSteps } }: CombinedArray,
  { rule, steps: { steps } }: DailyPlan,
): void {
  if (rule.growth !== undefined) throw meansSinceStartError(source, array.name, slug);
  if (needsSteps === undefined || steps.some((count) => count > 1)) return;
  throw new DataError({
    ...{ source, column: array.name, problem: `${slug} cannot be computed from one value a day: ${needsSteps}` },
    allowed: `steps shorter than a day, or an array of ${slug} itself`,
  });
}

/** Whether an array holds one of the two quantities of a combination, by its names, cell method and level. */
export function isInput({ name, attributes }: NamedArray, { isNamed }: CombinationInput): boolean {
  const method = timeMethod(attributes);
  const isMean = method === undefined || method === 'point' || method === 'mean';
  const isLevel = /isobaric|hybrid|pressure/i.test(textAttribute(attributes, 'GRIB_typeOfLevel') ?? '');
  if (!isMean || isLevel) return false;
  const own = name.slice(name.lastIndexOf('/') + 1);
  const names = [own, textAttribute(attributes, 'GRIB_shortName') ?? ''];
  if (names.some(isNamed)) return true;
  // `tasmax` has the standard name of temperature, too.
  if (names.some((each) => variableByName(each) !== undefined)) return false;
  return !isOfOtherLevel({ name, attributes }) && isNamed(textAttribute(attributes, 'standard_name') ?? '');
}

function ownName({ name }: StoredArray): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function toAttributes({ standardName, units }: Combination, { attributes }: StoredArray): Attributes {
  const kept = ['cell_methods', 'coordinates', 'GRIB_stepType', 'grid_mapping'];
  const own = [...attributes].filter(([name]) => kept.includes(name));
  return new Map([...own, ['standard_name', standardName], ['units', units]]);
}

/** Dimensions of one element may differ, such as heights of 2 m and 10 m. */
function longAxes({ dimensions, shape }: StoredArray): string[] {
  return dimensions.flatMap((name, d) => (shape[d] > 1 ? `${name} (${shape[d]})` : []));
}

function assertAlike({ source }: ArrayFile, { slug }: Combination, first: StoredArray, second: StoredArray): void {
  const group = ({ name }: StoredArray) => name.slice(0, name.lastIndexOf('/') + 1);
  const axes = (array: StoredArray) => longAxes(array).join(', ') || 'none';
  const methods = (array: StoredArray) => timeMethod(array.attributes) ?? 'none';
  const fail = (what: string, of: (array: StoredArray) => string) =>
    new DataError({
      ...{ source, column: `${first.name} and ${second.name}` },
      problem: `${slug} cannot be computed: ${first.name} has the ${what} ${of(first)}, but ${second.name} ${of(second)}`,
      allowed: `the same ${what} for both`,
    });
  if (group(first) !== group(second) || axes(first) !== axes(second)) throw fail('dimensions', axes);
  if (methods(first) !== methods(second)) throw fail('cell method of time', methods);
}

function findConversion(
  { source }: ArrayFile,
  { name: column, attributes }: StoredArray,
  { what, units: wanted }: CombinationInput,
): { conversion: UnitConversion; notes: string[] } {
  const stated = textAttribute(attributes, 'units') ?? textAttribute(attributes, 'GRIB_units');
  const conversion = countedConversion(stated ?? wanted, wanted);
  if (conversion === undefined) {
    const allowed = `${wanted}, or units that can be converted to it`;
    throw new DataError({ source, column, problem: `units are not those of ${what}`, received: stated, allowed });
  }
  if (stated === undefined) return { conversion, notes: [`no units of ${column} in the file: taken as ${wanted}`] };
  return { conversion, notes: conversion.text === undefined ? [] : [conversion.text] };
}

/** The box of an array that corresponds to `box` of another array with the same long axes. */
function boxIn(array: StoredArray, other: StoredArray, box: Box): Box {
  const of = (counts: readonly number[], single: number) =>
    array.dimensions.map((name, d) => (array.shape[d] > 1 ? counts[other.dimensions.indexOf(name)] : single));
  return { start: of(box.start, 0), count: of(box.count, 1) };
}

function isAbsent(array: StoredArray, box: Box): boolean {
  return array.isAbsent?.(box) ?? false;
}

async function valuesIn(
  array: StoredArray,
  coding: ValueCoding,
  box: Box,
  { factor, offset }: UnitConversion,
): Promise<Float64Array> {
  const stored = await readNumbers(array, box, coding);
  const values = new Float64Array(stored.length);
  decodeRow(stored, 0, 1, values, coding);
  scaleValues(values, factor, offset);
  return values;
}

/** Divides a box into parts, in the order of its elements, which begin and end with stored chunks where possible. */
function* pieces(box: Box, chunk: readonly number[] | undefined): Generator<Box> {
  const { start, count } = box;
  const outer = count.findIndex((length) => length > 1);
  if (outer < 0 || elements(count) <= PIECE) return yield box;
  const inner = elements(count) / count[outer];
  const unit = chunk?.[outer] ?? 1;
  const length = Math.max(unit, Math.floor(PIECE / inner / unit) * unit);
  const end = start[outer] + count[outer];
  for (let from = start[outer]; from < end; ) {
    const to = Math.min(end, Math.floor(from / unit) * unit + length);
    const cut = (values: readonly number[], value: number) => values.map((each, d) => (d === outer ? value : each));
    const part = { start: cut(start, from), count: cut(count, to - from) };
    if (to - from === 1) yield* pieces(part, chunk);
    else yield part;
    from = to;
  }
}

function severalInputsError(
  { source }: ArrayFile,
  { slug }: Combination,
  { what }: CombinationInput,
  arrays: readonly StoredArray[],
): OptionError {
  return new OptionError({
    subject: `${source}, ${slug}`,
    problem: `several arrays hold ${what}, from which it would be computed`,
    received: arrays.map(({ name }) => name).join(', '),
    allowed: `one array of ${what}; or the option array, to name an array of ${slug}`,
  });
}
