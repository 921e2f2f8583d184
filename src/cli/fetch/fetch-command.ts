import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { OUTPUT_FORMATS, type OutputFormat } from '../../batch/output-format.js';
import { assertLocalPath } from '../../disk/local-path.js';
import { grib } from '../../files/grib/grib-format.js';
import { findArchive } from '../../input/archive-input.js';
import { HORIZONS } from '../../variable/availability.js';
import { resolveVariable } from '../../variable/find-variable.js';
import { addArchiveOptions } from '../archive-options.js';
import { boundingBox, minutes, textList } from '../option-values.js';
import { outputForm } from '../output-form.js';
import { Reporter } from '../reporter.js';
import { compressionOption, quietOption } from '../shared-options.js';
import { assertOutput } from '../write-output.js';
import { type ArchiveRuns, type Fetch, type FetchFlags, type FoundRun, RUN } from './fetch-flags.js';
import { gribRuns } from './grib-runs.js';
import { storeRuns } from './store-runs.js';
import { watchRuns } from './watch-runs.js';

/** `plumecast fetch`: a run of an archive, into a file or a store. */
export function fetchCommand(): Command {
  const command = new Command('fetch')
    .description('Fetch the newest complete run of an archive of forecasts into a file, or into a horizon of a store.')
    .argument('<archive>', 'its name, such as ecmwf:ens, noaa:gefs or dynamical:noaa-gefs-forecast-35-day')
    .requiredOption('--variable <slugs>', 'the variables: temp_mean,precipitation', textList)
    .option(
      '--out <path>',
      'file, or Zarr store, to write; its ending selects the format; .grib2: the messages as they are',
    )
    .addOption(new Option('--to <format>', 'the format, regardless of the ending').choices(OUTPUT_FORMATS))
    .addOption(compressionOption())
    .option(
      '--store <dir>',
      'in place of --out: the store that the run is put into, as ingest does; a folder, or s3://BUCKET/PREFIX',
    )
    .addOption(new Option('--horizon <name>', 'of a store, the horizon (default: short-term)').choices(HORIZONS))
    .option(
      '--bbox <box>',
      'only cells, or places of tables, within south,west,north,east in degrees: 35,-10,60,30',
      boundingBox,
    )
    .option('--watch', 'go on: take each new complete run, into a file whose name has {run}, or into the store')
    .option('--every <minutes>', 'how often --watch looks for a new run (default: 10)', minutes)
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
What has come is kept beside the output (OUT.parts or STORE.parts) until all of it is there: run the command again after
it was stopped, and only the rest is requested. Of archives of GRIB whole fields are requested, of dynamical.org the parts
that hold the box.

Examples:
  $ plumecast fetch ecmwf:ens --variable temp_mean --out ens.nc
  $ plumecast fetch noaa:gefs --variable temp_mean,precipitation --lead-hours 240 --out gefs.grib2
  $ plumecast fetch ecmwf:ens --variable temp_mean,precipitation --store data --horizon short-term
  $ plumecast fetch dynamical:noaa-gefs-forecast-35-day --variable temp_mean --bbox 45,5,55,15 --store data
  $ plumecast fetch noaa:gefs --variable temp_mean --out 'gefs-{run}.nc' --watch`,
    )
    .action(fetchArchive);
  return addArchiveOptions(command);
}

async function fetchArchive(name: string, flags: FetchFlags, command: Command): Promise<void> {
  const { variable: variables, out, to, store, watch = false, every, bbox } = flags;
  if ((out === undefined) === (store === undefined)) command.error('error: give --out FILE or --store DIR');
  if (store === undefined && flags.horizon !== undefined) command.error('error: option --horizon needs --store DIR');
  if (every !== undefined && !watch) command.error('error: option --every needs --watch');
  if (watch && flags.run !== undefined)
    command.error('error: --watch takes new runs, and --run names one: give one of them');
  if (watch && out !== undefined && !out.includes(RUN))
    command.error(`error: --watch writes a file for each run: give --out with ${RUN}, such as gefs-${RUN}.nc`);
  const isGrib = out !== undefined && to === undefined && grib.endings.some((each) => extname(out) === `.${each}`);
  for (const each of variables) resolveVariable(each);
  if (out !== undefined && !isGrib && variables.length > 1)
    command.error('error: a file of this format has one variable: give one, or --out FILE.grib2, or --store DIR');
  if (isGrib && bbox !== undefined)
    command.error('error: messages of GRIB are whole: with --bbox give an --out of another format, or --store DIR');
  const reporter = new Reporter(command);
  if (store?.startsWith('s3://') === false) assertLocalPath(store);
  const archive = await findArchive(name, flags);
  if (isGrib && archive.kind === 'store')
    command.error(`error: ${name} has no messages of GRIB: give an --out of another format, or --store DIR`);
  const format = out === undefined || isGrib ? undefined : formOf(out, to, reporter);
  if (out !== undefined) await assertOutput(out, [], to === 'zarr' || extname(out) === '.zarr');
  const fetch = { name, flags, reporter, format };
  if (archive.kind === 'grib') await bringRuns(fetch, (signal) => gribRuns({ ...fetch, archive, signal }));
  else await bringRuns(fetch, (signal) => storeRuns({ ...fetch, archive, signal }));
}

/** Brings the newest complete run, or the named one, or with `watch` each new one until a signal ends it. */
async function bringRuns<Found extends FoundRun>(
  fetch: Fetch,
  runsOf: (signal?: AbortSignal) => ArchiveRuns<Found>,
): Promise<void> {
  const { watch = false, every } = fetch.flags;
  if (watch) return watchRuns(fetch, every, runsOf);
  const runs = runsOf();
  await runs.take(await runs.find());
}

function formOf(out: string, to: OutputFormat | undefined, reporter: Reporter): OutputFormat {
  const forms = { forms: OUTPUT_FORMATS, usual: undefined, option: '--to' as const, report: reporter.notice };
  return outputForm({ format: to, out, ...forms });
}
