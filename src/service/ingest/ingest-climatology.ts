import type { Table } from 'apache-arrow';
import { assertOneOf } from '../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../check/work.js';
import { readClimatology } from '../../climate/read-climatology.js';
import { DataError } from '../../errors.js';
import { GRANULARITIES } from '../../period/period.js';
import { assertUtcDays } from '../../period/stated-days.js';
import { assertRealDates } from '../../table/columns/day-column.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import { assertClimatologyKept } from './assert-kept.js';
import { assertInput, assertWriter, type ReplaceOptions, type StoreWriter } from './store-writer.js';

/** A climatology, as `climatologyTable` writes it, read on demand. */
export interface ClimatologyFile {
  /** Its name in messages. */
  readonly source: string;
  load(): Promise<Table>;
}

/** Climatologies for a store. `onProgress` counts the files that are written. */
export interface ClimatologyInput extends Pick<ReplaceOptions, 'replace'>, WorkOptions {
  readonly files: readonly ClimatologyFile[];
  /** Additional variables that files may name. */
  readonly variables?: readonly Variable[];
}

/**
 * Writes climatologies to a store, as `climatologyTable` makes them: of the observations, or of the model of a horizon,
 * which removes the model's bias from its tercile probabilities. Throws DataError for what is not a climatology of a
 * known variable, OptionError where the store would lose places or periods and `input` does not allow it, and the reason of
 * `signal`.
 */
export async function ingestClimatology(
  writer: StoreWriter,
  of: 'observations' | HorizonName,
  input: ClimatologyInput,
): Promise<void> {
  assertWriter(writer, 'setClimatology');
  assertOneOf('climatology', of, ['observations', ...HORIZONS]);
  assertInput(input);
  const { files, variables } = input;
  const { work } = beginWork(input, 'files', files.length);
  for (const { source, load } of files) {
    await work.pause();
    const table = await work.run(load);
    const climatology = readClimatology(table, { variables, source });
    const { variable, granularity, metadata } = climatology;
    assertRealDates(metadata, 'the service', source);
    assertUtcDays(metadata, 'the service', source);
    if (typeof granularity !== 'string') {
      const problem = 'is a climatology of windows that the service does not have';
      throw new DataError({ source, problem, received: `${granularity}`, allowed: GRANULARITIES.join(', ') });
    }
    if (variable === undefined) {
      throw new DataError({
        source,
        problem: 'does not state its variable',
        allowed: 'a column or metadata named variable',
      });
    }
    const before = await writer.storedClimatology?.(of, granularity, variable.slug);
    if (before !== undefined)
      assertClimatologyKept(
        `climatology of ${of}, ${source}`,
        readClimatology(before, { variables }),
        climatology,
        input,
      );
    await writer.setClimatology(of, granularity, variable.slug, table);
    work.advance(1);
  }
}
