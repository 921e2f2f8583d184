import { OptionError } from '../errors.js';
import { nearestName } from '../variable/nearest-name.js';

/*
 * Checks of options that several functions share.
 */

/** Throws OptionError where options are not an object, and for the first option that is not one of `keys`. */
export function assertKnownKeys(options: object, keys: readonly string[], subject = 'options'): void {
  assertObject('options', options, '{ granularity: "weekly" }, or nothing');
  for (const key of Object.keys(options)) {
    if (keys.includes(key)) continue;
    const nearest = nearestName(key, keys);
    throw new OptionError({
      subject,
      problem: nearest === undefined ? 'unknown option' : `unknown option, the nearest is ${nearest}`,
      received: key,
      allowed: keys.join(', '),
    });
  }
}

/** Throws OptionError unless `received` is an object with fields; `example` shows one. */
export function assertObject(subject: string, received: unknown, example: string): asserts received is object {
  if (typeof received === 'object' && received !== null && !Array.isArray(received)) return;
  throw new OptionError({ subject, problem: 'is not an object', received, allowed: `an object, such as ${example}` });
}

/** Throws OptionError unless `received` is one of `allowed`. */
export function assertOneOf(subject: string, received: string, allowed: readonly string[]): void {
  if (!allowed.includes(received)) {
    throw new OptionError({ subject, problem: 'unknown', received, allowed: allowed.join(', ') });
  }
}

/** Throws OptionError unless `received` is a number from 0 to 1. */
export function checkShare(subject: string, received: unknown): void {
  if (typeof received === 'number' && received >= 0 && received <= 1) return;
  throw new OptionError({ subject, problem: 'not a share', received, allowed: 'a number from 0 to 1' });
}

/**
 * The numbers that stand for missing values, one or several; none by default. Throws OptionError for anything but
 * numbers.
 */
export function missingList(missing: unknown): readonly number[] {
  if (missing === undefined) return [];
  const list = Array.isArray(missing) ? missing : [missing];
  if (list.every((value) => typeof value === 'number' && !Number.isNaN(value))) return list;
  const [problem, allowed] = ['is neither a number nor a list of numbers', 'such as -9999, or [-9999, -99.9]'];
  throw new OptionError({ subject: 'missing', problem, received: missing, allowed });
}

/** Throws OptionError unless `received` is a boolean. */
export function trueOrFalse(subject: string, received: unknown): void {
  if (typeof received !== 'boolean') {
    throw new OptionError({ subject, problem: 'neither true nor false', received, allowed: 'true or false' });
  }
}
