import { DataError, isPlumecastError, mentionOption, OptionError } from '../../errors.js';
import type { Variable } from '../../variable/variable.js';
import type { StoredArray } from '../array/array-file.js';
import type { ArrayReader } from './array-reader.js';
import type { CheckedGridOptions } from './grid-options.js';
import { laggedEnsemble } from './lagged-ensemble.js';
import { type ArrayEnsemble, NO_COMPLETE_DAY, openArray } from './open-array.js';
import { readRuns } from './time/time-axis.js';
import { modelPart, utcText } from './time/time-units.js';

/** The value of the option `init` for all runs. */
export const ALL_RUNS = 'all';

/**
 * Opens an array as `openArray` does; with `init: 'all'` all of its runs as one lagged ensemble, whose members are
 * those of each run, and whose days are those of any run. Each run's daily values are computed on its own. Runs without
 * a complete day are left out, with a note.
 *
 * Throws what `openArray` throws, OptionError where runs seem to count amounts in different ways, and DataError where a
 * run occurs twice, and where none has a complete day.
 */
export async function openRuns(
  reader: ArrayReader,
  array: StoredArray,
  variable: Variable | undefined,
  options: CheckedGridOptions,
): Promise<ArrayEnsemble | undefined> {
  if (options.init !== ALL_RUNS) return openArray(reader, array, variable, options);
  const runs = await readRuns(reader, array);
  if (runs === undefined) return openArray(reader, array, variable, { ...options, init: undefined });
  const opened: { name: string; ensemble: ArrayEnsemble }[] = [];
  const leftOut: { name: string; error: DataError }[] = [];
  for (const run of [...runs.seconds.keys()].sort((a, b) => runs.seconds[a] - runs.seconds[b])) {
    const name = utcText(runs.seconds[run], modelPart(runs.calendar)).replace(/:00Z$/, 'Z');
    try {
      const ensemble = await openArray(reader, array, variable, options, run);
      if (ensemble === undefined) return undefined;
      opened.push({ name, ensemble });
    } catch (error) {
      if (!isPlumecastError(error, 'data') || error.problem !== NO_COMPLETE_DAY) throw error;
      leftOut.push({ name, error });
    }
  }
  if (opened.length === 0) throw leftOut[0].error;
  const ensembles = opened.map(({ ensemble }) => ensemble);
  assertSameAmounts(reader.file.source, ensembles);
  assertSamePeriods(ensembles);
  return laggedEnsemble(
    opened,
    leftOut.map(({ name }) => `run ${name} has no complete day, and is left out`),
  );
}

/** What amounts count is decided for each run, and must be the same for all where it makes a difference. */
function assertSameAmounts(source: string, ensembles: readonly ArrayEnsemble[]): void {
  const kinds = new Set(ensembles.flatMap(({ accumulation }) => accumulation ?? []));
  kinds.delete('either');
  if (kinds.size < 2) return;
  throw new OptionError({
    ...{ subject: `${source}, accumulation`, problem: 'runs seem to count amounts in different ways' },
    received: [...kinds].join(', '),
    allowed: mentionOption('accumulation', 'per-step', 'since-start', 'buckets-6h'),
  });
}

function assertSamePeriods(ensembles: readonly ArrayEnsemble[]): void {
  const [{ source, array: column, granularity }] = ensembles;
  const other = ensembles.find((each) => each.granularity !== granularity);
  if (other === undefined) return;
  throw new DataError({
    ...{ source, column, problem: 'runs have values of different periods' },
    ...{ received: `${granularity}, and ${other.granularity}`, allowed: 'the same periods in all runs' },
  });
}
