import type { Table } from 'apache-arrow';
import type { Command } from 'commander';
import type { OutputCompression } from '../batch/output-format.js';
import { loadCore } from '../core/load.js';
import { seriesKey, verifyStore } from '../service/record/verify-store.js';
import { describeStore, readRecord } from '../service/source/folder/index.node.js';
import { loadSkill } from '../skill/load-skill.js';
import { readVerified } from '../skill/pairing/merge-verified.js';
import { type TableOptions, verificationTable } from '../skill/verification-table.js';
import type { OutputForm } from './output-form.js';
import type { Reporter } from './reporter.js';
import { updateStore } from './update-store.js';
import { writeStatistics } from './write-tables.js';

/** Flags of `plumecast verify --store`. */
export interface VerifyStoreFlags {
  readonly store: string;
  readonly rescore?: boolean;
  readonly variable?: string;
  readonly granularity?: string;
  readonly confidence?: number;
  readonly samples?: number;
  readonly seed?: number;
  readonly table?: TableOptions['table'];
  readonly compression?: OutputCompression;
}

/** The names of these flags, and of others that say how results are written. */
const FLAGS = [
  ...['store', 'rescore', 'variable', 'granularity', 'confidence', 'samples', 'seed', 'table'],
  ...['format', 'out', 'compression', 'quiet'],
];

/** So often what was scored is published while more is scored, in milliseconds. */
const PUBLISHED_EACH_MS = 600_000;

/** Scores what came due of a store's issued forecasts, adds it to the store's record, and writes the scores of all of it. */
export async function verifyTheStore(
  command: Command,
  flags: VerifyStoreFlags,
  output: { readonly form: OutputForm; readonly out: string },
  reporter: Reporter,
): Promise<void> {
  const { store, rescore, variable, granularity, compression, confidence, samples, seed, table } = flags;
  const others = Object.keys(command.opts()).filter(
    (name) => !FLAGS.includes(name) && command.getOptionValueSource(name) === 'cli',
  );
  if (command.args.length > 0) command.error('error: --store has its own forecasts: name no others');
  if (others.length > 0) {
    const given = command.options.filter((option) => others.includes(option.attributeName()));
    command.error(`error: --store cannot be used with ${given.map(({ long }) => long).join(', ')}`);
  }
  await describeStore(store);
  const skill = await loadSkill();
  await score();
  const chosen = Object.entries({ confidence, samples, seed, table }).filter(([, value]) => value !== undefined);
  await writeStatistics(tables(), { ...output, compression, files: 1 });

  async function score(): Promise<void> {
    const core = await loadCore();
    const progress = reporter.progress();
    const without = new Set<string>();
    let isComplete = false;
    let cases = 0;
    try {
      while (!isComplete) {
        const began = Date.now();
        const made = { series: [] as readonly string[], cases: 0, isComplete: true };
        let share = { series: '', done: 0 };
        await updateStore(store, async (update) => {
          const scored = await verifyStore(core, skill, update, {
            ...{ again: rescore, without, variables: variable === undefined ? undefined : [variable] },
            isEnough: () => Date.now() - began > PUBLISHED_EACH_MS,
            onNotice: (text) => reporter.note(text),
            onProgress: (series, part) => {
              share = { series, done: part + (share.series === series ? share.done : 0) };
              progress.report(`${series} ${Math.round(100 * share.done)} %`);
            },
          });
          Object.assign(made, scored);
          return update.hasChanges;
        });
        for (const series of made.series) without.add(series);
        cases += made.cases;
        isComplete = made.isComplete;
      }
    } finally {
      progress.end();
    }
    reporter.note(cases === 0 ? 'nothing is due that was not scored' : `${cases} new cases were scored`);
  }

  async function* tables(): AsyncGenerator<Table> {
    for (const { series, state } of await readRecord(store)) {
      if (variable !== undefined && series.slug !== variable) continue;
      if (granularity !== undefined && series.granularity !== granularity) continue;
      const verified = readVerified(skill, await state(), `the record of ${seriesKey(series)}`);
      yield verificationTable(verified, Object.fromEntries(chosen));
    }
  }
}
