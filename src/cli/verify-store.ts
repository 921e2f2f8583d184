import type { Table } from 'apache-arrow';
import type { Command } from 'commander';
import type { OutputCompression } from '../batch/output-format.js';
import { loadCore } from '../core/load.js';
import { OptionError } from '../errors.js';
import { seriesKey, verifyStore } from '../service/record/verify-store.js';
import { describeStore, readRecord, type StoredRecord } from '../service/source/folder/index.node.js';
import { loadSkill } from '../skill/load-skill.js';
import { type NamedVerification, readVerified } from '../skill/pairing/merge-verified.js';
import { type TableOptions, verificationTable } from '../skill/verification-table.js';
import { drawVerification, type FigureFlags, type VerifyOutput } from './draw-verification.js';
import type { Reporter } from './reporter.js';
import { updateStore } from './update-store.js';
import { writeOutput } from './write-output.js';
import { writeStatistics } from './write-tables.js';

/** Flags of `plumecast verify --store`. */
export interface VerifyStoreFlags extends FigureFlags {
  readonly store: string;
  readonly rescore?: boolean;
  readonly variable?: string;
  readonly granularity?: string;
  readonly horizon?: string;
  readonly table?: TableOptions['table'];
  readonly compression?: OutputCompression;
}

/** The names of these flags, and of others that say how results are written. */
const FLAGS = [
  ...['store', 'rescore', 'variable', 'granularity', 'horizon', 'lead', 'confidence', 'samples', 'seed', 'table'],
  ...['figure', 'event', 'score', 'title', 'width', 'theme'],
  ...['format', 'out', 'compression', 'quiet'],
];

/** So often what was scored is published while more is scored, in milliseconds. */
const PUBLISHED_EACH_MS = 600_000;

/** Scores what came due of a store's issued forecasts, adds it to the store's record, and writes the scores of all of it. */
export async function verifyTheStore(
  command: Command,
  flags: VerifyStoreFlags,
  output: VerifyOutput,
  reporter: Reporter,
): Promise<void> {
  const { store, rescore, variable, granularity, horizon, compression, confidence, samples, seed, table } = flags;
  const others = Object.keys(command.opts()).filter(
    (name) =>
      !FLAGS.includes(name) &&
      !(name === 'by' && flags.figure !== undefined) &&
      command.getOptionValueSource(name) === 'cli',
  );
  if (command.args.length > 0) command.error('error: --store has its own forecasts: name no others');
  if (others.length > 0) {
    const given = command.options.filter((option) => others.includes(option.attributeName()));
    command.error(`error: --store cannot be used with ${given.map(({ long }) => long).join(', ')}`);
  }
  if (flags.lead !== undefined && flags.figure !== 'map') command.error('error: --lead needs --figure map');
  await describeStore(store);
  const skill = await loadSkill();
  await score();
  const chosen = Object.entries({ confidence, samples, seed, table }).filter(([, value]) => value !== undefined);
  if (output.form === undefined) await drawRecord(output);
  else await writeStatistics(tables(), { form: output.form, out: output.out, compression, files: 1 });

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

  /** All series that were requested. */
  async function recorded(): Promise<StoredRecord[]> {
    const wanted = { slug: variable, granularity, horizon };
    return (await readRecord(store)).filter(({ series }) =>
      Object.entries(wanted).every(
        ([key, value]) => value === undefined || series[key as keyof typeof wanted] === value,
      ),
    );
  }

  /** Their sums. */
  async function* verifications(): AsyncGenerator<NamedVerification> {
    for (const { series, state } of await recorded())
      yield readVerified(skill, await state(), `the record of ${seriesKey(series)}`);
  }

  async function* tables(): AsyncGenerator<Table> {
    for await (const verified of verifications()) yield verificationTable(verified, Object.fromEntries(chosen));
  }

  async function drawRecord(picture: Extract<VerifyOutput, { form?: undefined }>): Promise<void> {
    const records = await recorded();
    if (records.length === 0)
      throw new OptionError({
        subject: 'figure',
        problem: 'the record has nothing of what is requested',
        allowed: (await readRecord(store)).map(({ series }) => seriesKey(series)).join(', ') || 'issued forecasts',
      });
    if (flags.figure === 'map') {
      const { drawRecordMap } = await import('./draw-record-map.js');
      return writeOutput(picture.out, [await drawRecordMap(records, flags, picture)]);
    }
    const all: NamedVerification[] = [];
    for await (const verified of verifications()) all.push(verified);
    await writeOutput(picture.out, [await drawVerification(all, flags, picture)]);
  }
}
