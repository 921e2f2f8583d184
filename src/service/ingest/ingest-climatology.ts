import type { Table } from 'apache-arrow';
import { assertOneOf } from '../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../check/work.js';
import type { Climatology } from '../../climate/climatology.js';
import { isOfStart, type RunStart, startOf, startText } from '../../climate/hindcast-runs.js';
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
 * known variable, and of runs that start on another day of the year than the forecast of their horizon; OptionError where the store would lose places or periods and `input` does not allow it, and the reason of
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
    assertStart(writer, of, climatology, source);
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

/** Throws DataError for a climatology by start and lead that the forecast of its horizon is not compared with. */
function assertStart(
  writer: StoreWriter,
  of: 'observations' | HorizonName,
  { metadata }: Climatology,
  source: string,
): void {
  const initTime = of === 'observations' ? undefined : writer.stored?.forecast?.horizonInitTimes[of];
  if (isOfStart(metadata, initTime)) return;
  throw new DataError({
    source,
    problem: `is of runs that start on another day of the year than the ${of} forecast of the store, and is by start and lead`,
    received: startText(startOf(metadata) as RunStart),
    allowed: `runs that start on ${initTime?.slice(5, 10)}; or the forecast that it is for, in the same ingestion`,
  });
}

/**
 * What the store has of climatologies by start and lead that are not of the runs of some horizons, which are compared with
 * the observations instead: a sentence for each horizon.
 */
export async function describeOtherStarts(writer: StoreWriter, horizons: readonly HorizonName[]): Promise<string[]> {
  const { forecast, climatologies } = writer.stored;
  const texts: string[] = [];
  for (const horizon of horizons) {
    const initTime = forecast?.horizonInitTimes[horizon];
    for (const { granularity, slug } of climatologies.filter(({ of }) => of === horizon)) {
      const metadata = (await writer.storedClimatology(horizon, granularity, slug))?.schema.metadata ?? new Map();
      if (isOfStart(metadata, initTime)) continue;
      const start = startText(startOf(metadata) as RunStart);
      texts.push(
        `the ${horizon} climatology of the store is of runs that start on ${start}: the run of ${initTime} is compared with observations, unless a climatology of its start is ingested`,
      );
      break;
    }
  }
  return texts;
}
