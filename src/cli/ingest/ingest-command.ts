import { Command, InvalidArgumentError, Option } from 'commander';
import { loadCore } from '../../core/load.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { FILES } from '../../files/formats.js';
import { isArchiveAddress } from '../../input/archive-address.js';
import { STANDARD } from '../../input/input-file.js';
import { VALUE_OPTIONS, type ValueOptions } from '../../input/input-request.js';
import type { Report } from '../../input/notice.js';
import { OptionUse } from '../../input/option-use.js';
import { tryUpdate } from '../../service/source/folder/index.node.js';
import type { StoreChange } from '../../service/source/folder/store-changes.js';
import { HORIZONS } from '../../variable/availability.js';
import { resolveVariable } from '../../variable/find-variable.js';
import { addArchiveOptions, archiveOrPath, assertArchiveOptions } from '../archive-options.js';
import { EXIT_CODES } from '../exit-codes.js';
import { FetchedFiles } from '../fetched-files.js';
import { addOptions } from '../library-options.js';
import { columnRoleList, point, textList, threadCount } from '../option-values.js';
import { type Progress, Reporter } from '../reporter.js';
import { configOptions, joinOption, quietOption, storeOption } from '../shared-options.js';
import { storeSummary } from '../store-summary.js';
import { takeValues } from '../take-values.js';
import { textTable } from '../text-table.js';
import { updateStore } from '../update-store.js';
import { VALUES } from '../value-rows.js';
import {
  type FileOptions,
  FORECASTS,
  type ForecastOption,
  HISTORIES,
  type IngestFlags,
  writeParts,
} from './ingest-parts.js';

/** `plumecast ingest`: puts forecasts, histories and related data into a store. */
export function ingestCommand(): Command {
  const command = new Command('ingest')
    .description('Put forecasts and histories into a store, all at once: readers never see a part of them.')
    .addOption(storeOption())
    .option('--short-term <files...>', `the short-term ensemble: ${FILES}`)
    .option('--subseasonal <files...>', 'the subseasonal ensemble')
    .option('--seasonal <files...>', 'the seasonal ensemble')
    .option('--fine-short-term <files...>', 'the short-term ensemble at 1 km, for variables that can be downscaled')
    .option('--fine-subseasonal <files...>', 'the subseasonal ensemble at 1 km')
    .option('--fine-seasonal <files...>', 'the seasonal ensemble at 1 km')
    .option('--history <files...>', 'a reanalysis, one value a day; the files of a variable are joined')
    .option('--recent-history <files...>', 'an analysis, for days that the reanalysis does not have')
    .option('--fine-history <files...>', 'the reanalysis at 1 km')
    .option('--fine-recent-history <files...>', 'the analysis at 1 km')
    .option(
      '--elevation <file>',
      'elevation: columns latitude, longitude, elevation (metres), or an orography in GRIB or NetCDF',
    )
    .option('--climatology <files...>', 'climatologies, as plumecast climatology writes them')
    .addOption(
      new Option('--climatology-of <what>', 'the source of these climatologies (default: observations)').choices([
        'observations',
        ...HORIZONS,
      ]),
    )
    .option(
      '--variable <slugs>',
      'the variables to read from files with several (default: all known ones), or the variable of files that do not name it',
      textList,
    )
    .option('--at <LAT,LON>', 'the place of a series without coordinates: 37.30,-79.84', point)
    .option('--columns <roles>', 'columns by role: date=day,member=run,value=mm,latitude=y,longitude=x', columnRoleList)
    .option(
      '--init-time <time>',
      'when the short-term run was issued, such as 2026-03-02T00:00:00Z (default: from the files)',
    )
    .option('--model-version <text>', 'version of the model (default: from the files)')
    .option('--generation <text>', 'unique name of this forecast (default: the init time and random letters)')
    .option('--next-run <time>', 'when the next run is expected; responses may be cached until then')
    .option(
      '--pair-by <slugs>',
      'the variables by which members of horizons are paired (default: temp_mean,precipitation)',
      textList,
    )
    .option('--attribution <text>', 'whom to credit for the data')
    .option(
      '--replace',
      'the files are all there is of a horizon, history or climatology: delete what they do not have of it',
    )
    .option('--allow-older', 'replace runs of a forecast by older ones')
    .option(
      '--min-members <number>',
      'members that a new run must have, else the run before stays (default: half as many as the last complete run)',
      wholeNumber,
    )
    .option('--min-days <number>', 'days that a new run must have (default: half, too)', wholeNumber)
    .option(
      '--keep-issued [points]',
      'keep the runs as they were issued, beside those that replace them; at LAT,LON;LAT,LON alone, or at all places',
      issuedPoints,
    )
    .option(
      '--precision <what>',
      'round values to multiples, for a smaller store: temp_mean=0.05,precipitation=0.1, or decimals, as each variable has in JSON (default: every bit is kept)',
    )
    .option('--memory <bytes>', 'about how much memory to use for values, such as 1GB (default: 512MB)')
    .option(
      '--threads <number>',
      'threads that write variables of arrays; they share --memory (default: one for each 300 MB of it, at most one a processor)',
      threadCount,
    )
    .addOption(joinOption())
    .option('--dry-run', 'change nothing, and show what would change')
    .option(
      '--reblend',
      'blend the horizons in the store anew: for stores of older versions, or with another --pair-by',
    )
    .addOption(quietOption())
    .addOption(configOptions()[0])
    .addOption(configOptions()[1])
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast ingest --store data --short-term gefs/*.arrow --subseasonal s2s/*.arrow --seasonal seas5/*.arrow
  $ plumecast ingest --store data --history era5/*.parquet --recent-history analysis/*.parquet
  $ plumecast ingest --store data --fine-short-term 1km/*.arrow --short-term gefs/*.arrow --next-run 2026-03-03T00:00:00Z
  $ plumecast ingest --store data --short-term t2m.csv --variable temp_mean --columns member=run,value=celsius
  $ plumecast ingest --store data --short-term gefs.nc --variable precipitation,temp_mean
  $ plumecast ingest --store data --short-term mem*.nc --join "mem{member}.nc"
  $ plumecast ingest --store data --history station.csv --variable temp_mean --at 37.30,-79.84
  $ plumecast ingest --store data --climatology normal.arrow --climatology-of seasonal
  $ plumecast ingest --store data --short-term gefs/*.grib2 --min-members 21 --keep-issued
  $ plumecast ingest --store data --seasonal seas5/*.arrow --dry-run
  $ plumecast ingest --store data --reblend
  $ plumecast ingest --store data --elevation dem.csv --attribution "ERA5: Copernicus Climate Change Service"

Each option may also come from the environment, --min-members from PLUMECAST_MIN_MEMBERS, or from a file (--config); several files in
a variable have a semicolon between them.

Only what is given changes. Exit code 3: a run was not used, as it has too little, and the one before stays.`,
    )
    .action(ingest);
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, VALUES));
}

async function ingest(given: IngestFlags, command: Command): Promise<void> {
  const options = await withArchives(given, command);
  const values = await takeValues(VALUES, options);
  checkUsage(options, command);
  const { variable: variables, columns, at } = options;
  for (const name of variables ?? []) resolveVariable(name);
  const reporter = new Reporter(command);
  const progress = reporter.progress();
  const { report, onNotice } = reportOnce(reporter, progress);
  reporter.gather(INGESTED.reduce((sum, name) => sum + (options[name]?.length ?? 0), 0));
  if (values.init === undefined) await fixRuns(options, values, report);
  const fetched = new FetchedFiles(options.join);
  try {
    const core = await loadCore();
    await updateStore(
      options.store,
      async (update) => {
        const reading = {
          core,
          progress,
          report,
          fetched,
          variables,
          columns,
          values,
          use: new OptionUse(values),
          at,
        };
        const rejected = await writeParts(update, options, reading, onNotice);
        if (rejected.length > 0) process.exitCode = EXIT_CODES.partly.code;
        reading.use.assertUsed();
        fetched.assertJoined();
        if (options.attribution !== undefined) update.setAttribution(options.attribution);
        if (options.dryRun === true) {
          progress.end();
          process.stdout.write(changesTable(update.changes));
          return false;
        }
        if (!update.hasChanges) return false;
        progress.report('publishing the changes');
      },
      options.dryRun === true ? { begin: tryUpdate } : { keepsWork: true },
    );
  } finally {
    progress.end();
    await fetched.close();
  }
  if (options.dryRun !== true) process.stdout.write(await storeSummary(options.store));
}

/** Options whose files may be archives, by their names. */
async function withArchives(given: IngestFlags, command: Command): Promise<IngestFlags> {
  const options = { ...given };
  for (const name of INGESTED) {
    const files = given[name];
    if (files !== undefined) options[name] = await Promise.all(files.map((file) => archiveOrPath(file, command)));
  }
  assertArchiveOptions(
    INGESTED.flatMap((name) => options[name] ?? []),
    command,
  );
  return options;
}

/** Names the runs that archives of several are read of: all variables are of one. */
async function fixRuns(options: IngestFlags, { bbox }: ValueOptions, report: Report): Promise<void> {
  for (const name of INGESTED) {
    const files = options[name];
    for (const [i, file] of files?.entries() ?? []) {
      if (!isArchiveAddress(file)) continue;
      // Loaded for archives.
      const { withCommonRun } = await import('../../input/pinned-archive.js');
      const { address, source, notes } = await withCommonRun(file, { variables: options.variable, bbox });
      for (const text of notes) report({ kind: 'note', source, text });
      (files as string[])[i] = address;
    }
  }
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError('Expected a whole number from 1 on.');
}

/** `37.30,-79.84;38.2,-79.84` */
function issuedPoints(text: string): Point[] {
  return text.split(';').map((each) => point(each));
}

/** What an update would change, as a table. */
function changesTable(changes: readonly StoreChange[]): string {
  if (changes.length === 0) return 'Nothing would change.\n';
  const total = changes.reduce((sum, { bytes }) => sum + bytes, 0);
  const table = textTable([
    { name: 'part', align: 'left', cells: changes.map(({ of }) => of) },
    { name: 'variable', align: 'left', cells: changes.map(({ variable = '' }) => variable) },
    { name: 'change', align: 'left', cells: changes.map(({ change }) => change) },
    { name: 'bytes', align: 'right', cells: changes.map(({ bytes }) => String(bytes)) },
  ]);
  return `${table}\n\nNothing was changed; ${total} bytes would be written.\n`;
}

/** Reports notes and warnings, each once: files are read more than once, and may hold several variables. */
function reportOnce(reporter: Reporter, progress: Progress): { report: Report; onNotice: (text: string) => void } {
  const known = new Set<string>();
  const once = (text: string, write: () => void) => {
    if (known.has(text)) return;
    known.add(text);
    progress.end();
    write();
  };
  return {
    report: (notice) => once(`${notice.source}: ${notice.text}`, () => reporter.notice(notice)),
    onNotice: (text) => once(text, () => reporter.note(text)),
  };
}

const FORECAST_OPTIONS = Object.keys(FORECASTS) as ForecastOption[];

/** Options that say something of a forecast alone. */
const OF_FORECASTS = [
  ...(['initTime', 'modelVersion', 'generation', 'nextRun', 'pairBy', 'allowOlder'] as const),
  ...(['minMembers', 'minDays', 'keepIssued'] as const),
];

/** The options that name files to ingest. */
const INGESTED = [...FORECAST_OPTIONS, ...Object.keys(HISTORIES), 'climatology'] as (keyof FileOptions)[];

function checkUsage(options: IngestFlags, command: Command): void {
  const given = INGESTED.flatMap((name) => options[name] ?? []);
  if (options.elevation !== undefined) given.push(options.elevation);
  if (given.length === 0 && options.attribution === undefined && options.reblend !== true) {
    command.error('error: nothing to ingest; give files, such as --short-term FILES... or --history FILES...');
  }
  if (given.includes(STANDARD))
    command.error('error: files are read more than once, which standard input does not allow');
  if (options.climatologyOf !== undefined && options.climatology === undefined) {
    command.error('error: option --climatology-of needs --climatology FILES...');
  }
  const hasForecast = FORECAST_OPTIONS.some((name) => options[name] !== undefined);
  if (options.reblend === true && hasForecast) {
    command.error('error: option --reblend is for a forecast that is in the store already, not with files of another');
  }
  const used = options.reblend === true ? ['pairBy'] : [];
  const idle = OF_FORECASTS.find((name) => options[name] !== undefined && !used.includes(name));
  if (idle !== undefined && !hasForecast) {
    const flag = command.options.find((option) => option.attributeName() === idle)?.long;
    command.error(`error: option ${flag} needs files of a forecast, such as --short-term FILES...`);
  }
}
