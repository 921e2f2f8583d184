import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = process.env.PLUMECAST_REFERENCE_DATA ?? resolve(import.meta.dirname, '../../../shared/data');

/** Where a data set of the reference data lies; undefined, with a line printed, where it is absent. */
export function referenceFolder(name: string): string | undefined {
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  console.log(`skipped: no reference data in ${folder}`);
  return undefined;
}
