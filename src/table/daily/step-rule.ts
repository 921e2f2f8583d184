import { variables as builtIn } from '../../variable/built-in.js';
import { unitConversion } from '../../variable/unit-conversion.js';
import type { Variable } from '../../variable/variable.js';
import { variableByName } from '../../variable/variable-by-name.js';

/** How the values of a day's time steps become the value of the day. */
export type StepRule = 'sum' | 'mean' | 'min' | 'max';

/**
 * How the time steps of a variable make its daily value: the lowest or highest if its window rule or the end of its
 * slug (`_min`,
 * `_max`) says so, the sum if it is a total over a day (a depth of water, an energy over an area), else the mean.
 */
export function stepRule({ slug, window, units }: Variable): StepRule {
  if (window === 'min' || slug.endsWith('_min')) return 'min';
  if (window === 'max' || slug.endsWith('_max')) return 'max';
  const isTotal = window === 'sum' || unitConversion('W m-2', units)?.perSecond === true;
  return isTotal ? 'sum' : 'mean';
}

const IN_WORDS: Record<StepRule, string> = { sum: 'sums', mean: 'means', min: 'minima', max: 'maxima' };

/** What is done to steps of `seconds` seconds, for people: `3-hourly values to daily means`. */
export function stepsInWords(seconds: number, rule: StepRule): string {
  const hours = seconds / 3_600;
  const steps = Number.isInteger(hours) && hours > 0 ? (hours === 1 ? 'hourly' : `${hours}-hourly`) : 'sub-daily';
  return `${steps} values to daily ${IN_WORDS[rule]}`;
}

/**
 * A variable with the names of its time steps in addition to its own: the daily maximum of temperature is made from
 * values that are just called temperature.
 */
export function namedAsSteps(variable: Variable): Variable {
  const { standardName, fileNames } = variable;
  const plain = standardName === undefined ? undefined : variableByName(standardName);
  const names = plain === undefined || plain.slug === variable.slug ? [] : [plain.slug, ...plain.fileNames];
  return { ...variable, fileNames: [...fileNames, ...names, ...(standardName === undefined ? [] : [standardName])] };
}

/** The slugs of the built-in variables, for messages. */
export function knownSlugs(): string {
  return builtIn.map(({ slug }) => slug).join(', ');
}
