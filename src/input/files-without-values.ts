import type { Core } from '../core/load.js';
import { hasValues } from '../ensemble/has-values.js';
import { isPlumecastError } from '../errors.js';
import { readDailyEnsemble } from './daily-ensembles.js';
import { openInput } from './input.js';
import type { DailyRequest } from './input-request.js';

/** The files without a daily value, of some that are one table together: each is read by itself. */
export async function filesWithoutValues(
  core: Core,
  files: readonly string[],
  request: DailyRequest,
): Promise<readonly string[]> {
  const empty: string[] = [];
  for (const file of files) if (await isEmpty(core, file, request)) empty.push(file);
  return empty;
}

async function isEmpty(core: Core, file: string, request: DailyRequest): Promise<boolean> {
  try {
    const input = await openInput(file, request.values, () => {});
    try {
      const { parts } = await readDailyEnsemble(core, input, request);
      return !parts.some(hasValues);
    } finally {
      await input.close();
    }
  } catch (error) {
    // What a part alone is too little for shows nothing.
    if (isPlumecastError(error)) return false;
    throw error;
  }
}
