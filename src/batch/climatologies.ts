import type { Climatology } from '../climate/climatology.js';
import { OptionError } from '../errors.js';
import { readClimatologyFile } from '../input/read-climatology-file.js';

/** Reads the files of climatologies. Throws FileError, FormatError and DataError. */
export function readClimatologies(paths: readonly string[], calendar: string | undefined): Promise<Climatology[]> {
  return Promise.all(paths.map((path) => readClimatologyFile(path, calendar)));
}

/** Selects the climatology of a granularity and variable. Throws OptionError if there is none, or more than one. */
export function selectClimatology(
  climatologies: readonly Climatology[],
  granularity: string,
  variable: string | undefined,
  source: string,
): Climatology {
  const matching = climatologies.filter((each) => {
    return (
      `${each.granularity}` === granularity &&
      (each.variable === undefined || variable === undefined || each.variable.slug === variable)
    );
  });
  if (matching.length === 1) return matching[0];
  throw new OptionError({
    subject: 'climatologies',
    problem: `${matching.length === 0 ? 'no' : 'more than one'} ${granularity} climatology of ${variable ?? 'the variable'} of ${source}`,
    received: climatologies.map((each) => `${each.granularity} ${each.variable?.slug ?? 'of an unnamed variable'}`),
    allowed: 'one for each requested variable and granularity',
  });
}
