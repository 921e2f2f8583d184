import { GRANULARITIES } from '../period/period.js';
import { windowsOf } from '../period/windows.js';
import { type ClimateWindows, climateKeys } from './climatology.js';
import { toClimateWindows } from './options.js';

/** Forms of keys of periods of the year that are no days, weeks or months. */
const DEKAD = /^D\d\d$/;
const ROLLING = /^P(\d+)D\/\d\d-\d\d$/;
const YEAR = /^year( from \d+)?$/;
const MONTHS = /^[JFMASOND]{2,12}$/;

/**
 * The windows of a climatology by the keys of its periods of the year, and by what its metadata state where both agree;
 * undefined for keys that are none.
 */
export function windowsOfKeys(keys: readonly string[], stated: string | undefined): ClimateWindows | undefined {
  const text = textOfKeys(keys);
  if (text === undefined) return undefined;
  const found = toClimateWindows(windowsOf(text));
  // Seasons are the months of their keys.
  const named = stated === 'seasons' ? toClimateWindows(windowsOf(stated)) : found;
  return keys.every((key) => climateKeys(named).includes(key)) ? named : found;
}

function textOfKeys(keys: readonly string[]): string | undefined {
  const [first = ''] = keys;
  if (DEKAD.test(first)) return 'dekads';
  const days = ROLLING.exec(first)?.[1];
  if (days !== undefined) return `rolling ${days}`;
  if (YEAR.test(first)) return first.replace('year', 'years');
  if (MONTHS.test(first) && keys.every((key) => MONTHS.test(key))) return [...new Set(keys)].join(',');
  return undefined;
}

/** The windows of a climatology by their text. Throws OptionError for others. */
export function climateWindows(text: string): ClimateWindows {
  return GRANULARITIES.find((name) => name === text) ?? toClimateWindows(windowsOf(text));
}
