import { readFile } from 'node:fs/promises';
import type { Table } from 'apache-arrow';
import { Command, Option } from 'commander';
import type { OutputCompression } from '../batch/output-format.js';
import { loadCore } from '../core/load.js';
import { unreadable } from '../disk/file-fault.js';
import { isAddress } from '../disk/local-path.js';
import { OptionError } from '../errors.js';
import { readHead } from '../files/disk-file.node.js';
import { FILES } from '../files/formats.js';
import { STANDARD } from '../input/input-file.js';
import { VALUE_OPTIONS } from '../input/input-request.js';
import { joinFiles } from '../input/join-files.js';
import { VERIFICATION_FIGURES } from '../plot/verification/figure-names.js';
import { loadSkill, type Skill } from '../skill/load-skill.js';
import type { NamedVerification } from '../skill/pairing/merge-verified.js';
import { REFERENCES, VERIFY_OPTIONS, type VerifyOptions } from '../skill/pairing/options.js';
import { type TableOptions, VERIFICATION_TABLES, verificationTable } from '../skill/verification-table.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { HORIZONS } from '../variable/availability.js';
import { addArchiveOptions, assertArchiveOptions } from './archive-options.js';
import type { FigureFlags, VerifyOutput } from './draw-verification.js';
import { inputPaths } from './input-paths.js';
import { addOptions, takeOptions } from './library-options.js';
import { columnRoleList, leadNumber, pixelCount, plainNumber } from './option-values.js';
import { type OutputForm, outputForm } from './output-form.js';
import { type PictureForm, pictureForm } from './picture-output.js';
import { Reporter } from './reporter.js';
import { compressionOption, joinOption, quietOption } from './shared-options.js';
import { takeValues } from './take-values.js';
import { PLACES, VALUES } from './value-rows.js';
import { VERIFY } from './verify-rows.js';
import type { VerifyStoreFlags } from './verify-store.js';
import { addWindowOptions, takeWindows, type WindowFlags } from './window-options.js';
import { assertOutput, writeOutput } from './write-output.js';
import { writeStatistics } from './write-tables.js';

/** The forms of results: scores have no grid. */
const FORMS = ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet', 'table'] as const satisfies OutputForm[];
/** The forms of figures. */
const PICTURES = ['svg', 'png'] as const satisfies PictureForm[];

/** Values of flags, besides the options of the library. */
interface VerifyFlags extends WindowFlags, FigureFlags {
  store?: string;
  rescore?: boolean;
  horizon?: string;
  observed?: string[];
  observedColumns?: ColumnRoles;
  observedUnits?: string;
  observedArray?: string;
  match?: 'nearest' | 'bilinear';
  against?: string;
  table?: TableOptions['table'];
  state?: string;
  format?: (typeof FORMS)[number] | PictureForm;
  compression?: OutputCompression;
  out?: string;
  join?: string;
}

/** Options of the library, whose windows are texts. */
type VerifyTexts = Omit<VerifyOptions, 'granularity' | 'window'> & { granularity?: string; window?: string };

/** `plumecast verify`: scores of forecasts against observations. */
export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Score forecasts, or hindcasts, against observations: how good they were, by lead.')
    .argument(
      '[forecasts...]',
      `${FILES}: a run each, or several; or states of earlier verifications, which are merged`,
    )
    .addOption(
      new Option(
        '--observed <path>',
        'observations or an analysis, of all years that there are; may be repeated',
      ).argParser((path: string, before: readonly string[] = []) => [...before, path]),
    );
  addWindowOptions(addOptions(command, VERIFY_OPTIONS, VERIFY))
    .addOption(
      new Option('--confidence <level>', 'intervals of all scores by the block bootstrap: 0.9').argParser(plainNumber),
    )
    .addOption(new Option('--samples <number>', 'how often blocks are drawn (default: 1000)').argParser(plainNumber))
    .addOption(new Option('--seed <number>', 'what random draws begin with (default: 1)').argParser(plainNumber))
    .addOption(
      new Option(
        '--table <which>',
        'what is written: scores, reliability diagrams, ROC curves or rank histograms (default: scores)',
      ).choices(VERIFICATION_TABLES),
    )
    .addOption(
      new Option('--figure <name>', 'a picture in place of a table, as SVG or PNG').choices(VERIFICATION_FIGURES),
    )
    .addOption(
      new Option(
        '--event <name>',
        'the event that a figure shows: above, ">20"; may be repeated (default: all)',
      ).argParser((name: string, before: readonly string[] = []) => [...before, name]),
    )
    .option('--score <name>', 'the score of figures by lead and of maps, as its skill: rps, brier (default: crps)')
    .option('--title <text>', 'a line above a figure (default: what it shows)')
    .option('--width <number>', 'the width of a figure in pixels (default: 840)', pixelCount)
    .addOption(
      new Option('--theme <name>', 'colours of a figure; auto follows the reader').choices(['light', 'dark', 'auto']),
    )
    .addOption(
      new Option(
        '--state <file>',
        'a small file of sums, which is written; where it is there, what it does not have yet is added to it',
      ),
    )
    .addOption(
      new Option(
        '--store <dir>',
        'score what came due of the issued forecasts that a store keeps, each window once, and keep the record there',
      ),
    )
    .addOption(
      new Option('--horizon <name>', 'of --store, this horizon: short-term, subseasonal or seasonal').choices(HORIZONS),
    )
    .addOption(
      new Option('--lead <number>', 'of a map of --store, this lead in days, weeks or months (default: all)').argParser(
        leadNumber,
      ),
    )
    .addOption(
      new Option('--rescore', 'score all kept forecasts of the store anew, as after corrections of the history'),
    )
    .addOption(
      new Option(
        '--match <how>',
        'how a grid gives values at other places: nearest, or bilinear (default: nearest)',
      ).choices(['nearest', 'bilinear']),
    )
    .addOption(
      new Option(
        '--observed-columns <roles>',
        'columns of the observations by role: date=day,value=mm,latitude=y,longitude=x,id=station',
      ).argParser(columnRoleList),
    )
    .addOption(new Option('--observed-units <units>', 'units of observations that do not state them'))
    .addOption(new Option('--observed-array <name>', 'the array of gridded observations, if they have several'))
    .addOption(
      new Option('--format <name>', 'form of the result (default: a table on a terminal, else csv)').choices([
        ...FORMS,
        ...PICTURES,
      ]),
    )
    .addOption(new Option('--out <path>', 'file to write; its ending selects the format; - is standard output'))
    .addOption(compressionOption())
    .addOption(joinOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast verify 'hindcasts/*.nc' --observed era5.nc --granularity weekly --variable temp_mean
  $ plumecast verify 'hindcasts/*.nc' --observed stations.csv --windows seasons --by lead,season --confidence 0.9
  $ plumecast verify rain-*.arrow --observed gauges.parquet --condition ">20" --against persistence --out scores.parquet
  $ plumecast verify new.nc --observed era5.nc --against 'other/*.nc' --state skill.json
  $ plumecast verify north.json south.json --state all.json --table reliability
  $ plumecast verify skill.json --figure reliability --out reliability.svg
  $ plumecast verify 'hindcasts/*.nc' --observed era5.nc --figure map --confidence 0.9 --out skill.png
  $ plumecast verify --store data --variable temp_mean --granularity weekly`,
    )
    .action(verify);
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, { ...VALUES, ...PLACES }));
}

async function verify(given: string[], flags: VerifyFlags, command: Command): Promise<void> {
  const { out = STANDARD, format, compression, state, confidence, samples, seed, table } = flags;
  const reporter = new Reporter(command);
  const usual = process.stdout.isTTY ? 'table' : 'csv';
  assertFigureFlags(flags, command);
  const output: VerifyOutput =
    flags.figure === undefined
      ? {
          out,
          form: outputForm({
            ...{ format: tableFormat(format), out, forms: FORMS, usual },
            option: '--format',
            report: reporter.notice,
          }),
        }
      : { out, picture: pictureForm({ format, out, forms: PICTURES, usual: 'svg' }) };
  if (flags.store !== undefined) {
    await assertOutput(out, []);
    const { verifyTheStore } = await import('./verify-store.js');
    return verifyTheStore(command, flags as VerifyStoreFlags, output, reporter);
  }
  const [lone] = (['rescore', 'horizon', 'lead'] as const).filter((name) => flags[name] !== undefined);
  if (lone !== undefined) command.error(`error: --${lone} needs --store DIR`);
  if (given.length === 0) command.error('error: name forecasts, or a store with --store DIR');
  const paths = await inputPaths(given, command);
  const areStates = await Promise.all(paths.map(isState));
  const states = paths.filter((_, i) => areStates[i]);
  const forecasts = paths.filter((_, i) => !areStates[i]);
  const observed = flags.observed === undefined ? [] : await inputPaths(flags.observed, command);
  if (forecasts.length > 0 && observed.length === 0) command.error('error: forecasts need --observed PATH');
  if (forecasts.length === 0 && observed.length > 0)
    command.error('error: --observed needs forecasts, and all files are states');
  if (state !== undefined && states.includes(state))
    command.error('error: the file of --state is added to, and cannot be among the files that are merged');
  if ((samples ?? seed) !== undefined && confidence === undefined)
    command.error('error: --samples and --seed need --confidence LEVEL');
  const isFile = flags.against !== undefined && !(REFERENCES as readonly string[]).includes(flags.against);
  const against = isFile ? await inputPaths([flags.against as string], command) : [];
  assertArchiveOptions([...paths, ...observed, ...against], command);
  const read = [...paths, ...observed, ...against];
  await assertOutput(out, read);
  reporter.gather(read.length);
  if (state !== undefined) await assertOutput(state, read);
  if (state !== undefined && state === out) command.error('error: --state and --out cannot be one file');

  const skill = await loadSkill();
  const before = state === undefined ? undefined : await readState(skill, state);
  const computed = forecasts.length > 0 ? await compute(forecasts, observed, against) : undefined;
  const { addVerified, mergeVerified, readVerified, stateText } = await import('../skill/pairing/merge-verified.js');
  const own = before && computed ? addVerified(before, computed) : (before ?? computed);
  const others: NamedVerification[] = [];
  for (const path of states) others.push(readVerified(skill, await readFile(path, 'utf8'), path));
  const merged = mergeVerified([...(own === undefined ? [] : [own]), ...others]);
  if (output.form === undefined) {
    const { drawVerification } = await import('./draw-verification.js');
    const by = command.getOptionValueSource('by') === 'cli' ? flags.by : undefined;
    await writeOutput(out, [await drawVerification(merged, { ...flags, by }, output)]);
  } else {
    const chosen = Object.entries({ confidence, samples, seed, table }).filter(([, value]) => value !== undefined);
    const result = verificationTable(merged, Object.fromEntries(chosen));
    await writeStatistics(oneTable(result), { form: output.form, out, compression, files: 1 });
  }
  if (state !== undefined) await writeOutput(state, [new TextEncoder().encode(stateText(merged))]);

  async function compute(runs: string[], history: string[], other: string[]): Promise<NamedVerification> {
    const { verifyInputs } = await import('../input/verify-inputs.js');
    const { ScoredWindows } = await import('../skill/pairing/scored-windows.js');
    const { observedColumns: columns, observedUnits: units, observedArray: array, match } = flags;
    // A map is of places.
    const by = flags.by ?? (flags.figure === 'map' ? ['place'] : undefined);
    const chosen = { ...flags, by, ...(other.length > 0 && { against: undefined }) };
    const options = takeOptions<VerifyTexts>(VERIFY, chosen);
    const known = Object.entries({ columns, units, array }).filter(([, value]) => value !== undefined);
    const progress = reporter.progress();
    let done = 0;
    try {
      const found = await verifyInputs(
        await loadCore(),
        skill,
        {
          forecasts: await joinFiles(runs, flags.join, reporter.notice, true),
          observed: await joinFiles(history, undefined, reporter.notice),
          ...(other.length > 0 && { against: await joinFiles(other, flags.join, reporter.notice, true) }),
        },
        {
          options: (await takeWindows(options, flags, command)) as VerifyOptions,
          values: await takeValues({ ...VALUES, ...PLACES }, flags),
          observed: Object.fromEntries(known),
          ...(match !== undefined && { match }),
          ...(before !== undefined && { scored: ScoredWindows.read(before.about.scored, before.source) }),
          progress: (share) => progress.report(`${Math.round(100 * (done += share))} %`),
        },
        reporter.notice,
      );
      return { ...found, source: runs.length > 1 ? `${runs[0]} and others` : runs[0] };
    } finally {
      progress.end();
    }
  }
}

/** Ends the command for flags of figures without one, and for a figure and a table. */
function assertFigureFlags({ figure, table, event, score, title, width, theme }: VerifyFlags, command: Command): void {
  if (figure !== undefined && table !== undefined) command.error('error: --figure is in place of --table: choose one');
  const [name] = Object.entries({ event, score, title, width, theme }).find(([, value]) => value !== undefined) ?? [];
  if (figure === undefined && name !== undefined) command.error(`error: option --${name} needs --figure`);
}

/** The form of a table. Throws OptionError for the one of a picture. */
function tableFormat(format: VerifyFlags['format']): (typeof FORMS)[number] | undefined {
  if (format !== 'svg' && format !== 'png') return format;
  throw new OptionError({
    subject: '--format',
    problem: 'is a form of figures',
    received: format,
    allowed: '--figure NAME',
  });
}

async function* oneTable(table: Table): AsyncGenerator<Table> {
  yield table;
}

/** How a state begins. */
const STATE_HEAD = '{"format":"plumecast verification"';

/** Whether a file holds a state. */
async function isState(path: string): Promise<boolean> {
  if (isAddress(path) || path === STANDARD || !path.endsWith('.json')) return false;
  const head = await readHead(path).catch(() => undefined);
  return head !== undefined && new TextDecoder().decode(head.subarray(0, STATE_HEAD.length)) === STATE_HEAD;
}

/** The state in a file; undefined where there is none. */
async function readState(skill: Skill, path: string): Promise<NamedVerification | undefined> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, cause, 'a state of a verification');
  });
  if (text === undefined) return undefined;
  return (await import('../skill/pairing/merge-verified.js')).readVerified(skill, text, path);
}
