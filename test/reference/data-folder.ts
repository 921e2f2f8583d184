import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = process.env.PLUMECAST_REFERENCE_DATA ?? resolve(import.meta.dirname, '../../../shared/data');
const cases = resolve(root, '../cases');

/** Where a data set of the reference data lies; undefined, with a line printed, where it is absent. */
export function referenceFolder(name: string): string | undefined {
  return existing(join(root, name), 'reference data');
}

/** Where an input that goes wrong lies, such as `days/cet.nc`; undefined, with a line printed, where it is absent. */
export function casePath(name: string): string | undefined {
  return existing(join(cases, name), 'cases');
}

function existing(path: string, what: string): string | undefined {
  if (existsSync(path)) return path;
  console.log(`skipped: no ${what} in ${path}`);
  return undefined;
}
