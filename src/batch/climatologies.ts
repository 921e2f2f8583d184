import type { Climatology } from '../climate/climatology.js';
import { OptionError } from '../errors.js';
import type { Granularity } from '../period/window-table.js';
import { readClimatologyFile } from './run/read-climatology-file.js';

/** Reads the files of climatologies. Throws FileError, FormatError and DataError. */
export function readClimatologies(paths: readonly string[], calendar: string | undefined): Promise<Climatology[]> {
  return Promise.all(paths.map((path) => readClimatologyFile(path, calendar)));
}

/** The one that results of a granularity and variable are set against. Throws OptionError where there is none, or more than one. */
export function openClimatology(
  climatologies: readonly Climatology[],
  granularity: Granularity,
  variable: string | undefined,
  source: string,
): Climatology {
  const meant = climatologies.filter((of) => {
    return (
      of.granularity === granularity &&
      (of.variable === undefined || variable === undefined || of.variable.slug === variable)
    );
  });
  if (meant.length === 1) return meant[0];
  throw new OptionError({
    subject: 'climatologies',
    problem: `${meant.length === 0 ? 'none' : 'more than one'} is ${granularity} and of ${variable ?? 'the variable'} of ${source}`,
    received: climatologies.map((of) => `${of.granularity} ${of.variable?.slug ?? 'of an unnamed variable'}`),
    allowed: 'one for each variable and granularity that is asked',
  });
}
