/** The commands that are recorded, each by its arguments; `in/` are the inputs, `ref/` the reference data. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommandCase } from './run-command.mjs';

/** All cases of the command: `{ name, run }`. */
export async function commandCases({ built, folders }) {
  const listed = [
    ...COMMANDS,
    ...STEPS,
    ...formatCases(),
    ...(await csvCases(folders)),
    ...(await writerCases(folders)),
    ...(folders.reference === undefined ? [] : REFERENCE),
  ];
  return listed.map((one) => {
    const { args, name = args, ...rest } = typeof one === 'string' ? { args: one } : one;
    const steps = (Array.isArray(args) ? args : [args]).map(words);
    const label = Array.isArray(name) ? name.join(' && ') : name;
    return { name: `$ ${label}`, run: () => runCommandCase(built.cli, folders, { steps, ...rest }) };
  });
}

/** The arguments of a command line, of which those with spaces are in single quotes. */
function words(line) {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}

const RAIN = 'in/tables/rain.arrow';
const ONE = 'in/tables/one-place.arrow';

/** `args` are a command line or several, one after the other; `copies`, `stdin` and `stdout` as in run-command.mjs. */
const COMMANDS = [
  // Options of stats.
  ...['daily', 'weekly', 'monthly'].map((name) => `stats ${RAIN} --granularity ${name}`),
  ...['daily', 'weekly', 'monthly'].map((name) => `stats ${RAIN} --granularity ${name} --partial --spread`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((type) => `stats ${RAIN} --granularity weekly --quantile-type ${type}`),
  `stats ${RAIN} --granularity weekly --quantiles 0,0.01,0.333333,0.999999,1`,
  `stats ${RAIN} --granularity weekly --threshold >20 --threshold >=5 --threshold <1 --threshold <=0`,
  `stats ${RAIN} --granularity weekly --start-date 2026-03-05 --end-date 2026-03-29`,
  `stats ${RAIN} --granularity weekly --start-date 2026-03-05 --end-date 2026-03-29 --partial`,
  `stats ${RAIN} --granularity monthly --min-member-share 0`,
  `stats ${RAIN} --granularity weekly --point 37.31,-79.5`,
  `stats ${RAIN} --point 80,10`,
  `stats ${RAIN} --array x`,
  `stats ${RAIN} --calendar noleap --granularity monthly --partial`,
  `stats ${RAIN} --calendar 360_day --granularity monthly --partial`,
  `stats ${RAIN} --units inch`,
  `stats ${RAIN} in/tables/one-place.csv --granularity weekly`,
  `stats ${RAIN} in/csv/text.csv --granularity weekly`,
  'stats in/tables/rain*.parquet --granularity monthly --partial',
  "stats 'in/tables/one-place-*' --granularity monthly --partial",
  `stats ${RAIN} --climatology in/normal/rain-daily.arrow`,
  `stats ${RAIN} --climatology in/normal/rain-weekly.csv --anomaly`,
  `stats ${RAIN} --climatology in/normal/rain-monthly.nc --exceed 0.1,0.9 --anomaly --partial`,
  `stats ${RAIN} --climatology in/normal/rain-weekly.csv --granularity daily`,
  `stats ${RAIN} --climatology in/normal/rain-weekly.csv --exceed 0.77`,
  `stats in/tables/wind-gusts.arrow --climatology in/normal/rain-weekly.csv`,
  { args: `stats ${RAIN} --granularity weekly --format table`, stdout: 'words' },
  { args: 'stats - --granularity weekly', stdin: RAIN },
  { args: 'stats - --granularity weekly', name: 'stats - < rain.csv', stdin: 'in/tables/rain.csv' },
  { args: 'stats - --granularity weekly', name: 'stats - < rain.arrows', stdin: 'in/tables/rain.arrows' },
  { args: 'stats - --granularity weekly', name: 'stats - < rain.parquet', stdin: 'in/tables/rain.parquet' },
  { args: 'stats - --granularity weekly', name: 'stats - < gzip.csv.gz', stdin: 'in/csv/gzip.csv.gz' },
  { args: 'stats - --granularity weekly', name: 'stats - < nothing' },
  'stats in/csv/long.csv --variable precipitation --granularity weekly',
  'stats in/csv/long-odd-names.csv --variable precipitation --granularity weekly',
  'stats in/csv/long-odd-names.csv --variable precipitation --columns date=day,member=run,value=mm --granularity weekly',
  // Steps within a day.
  'stats in/steps/hourly-rain.csv --variable precipitation',
  'stats in/steps/hourly-rain.csv --variable precipitation --stamps end',
  'stats in/steps/hourly-rain.csv --variable precipitation --units m --granularity weekly',
  'stats in/steps/since-start.csv --variable precipitation',
  'stats in/steps/since-start.csv --variable precipitation --accumulation since-start',
  'stats in/steps/since-start.csv --variable precipitation --accumulation per-step',
  'stats in/steps/buckets-6h.csv --variable precipitation --accumulation buckets-6h',
  'stats in/steps/buckets-6h.csv --variable precipitation --accumulation buckets',
  'stats in/steps/buckets-6h.csv --variable precipitation --accumulation buckets-24h',
  'stats in/steps/hourly-kelvin.csv --variable temp_mean --units K',
  'stats in/steps/hourly-kelvin.csv --variable temp_max --units K --granularity weekly',
  'stats in/steps/hourly-kelvin.csv --variable temp_min --units degF --granularity weekly',
  'stats in/steps/hourly-kelvin.csv --variable relative_humidity',
  'stats in/steps/wind-components.csv --variable wind_speed',
  'stats in/steps/wind-components.csv --variable wind_speed_max --stamps end',
  // Open-Meteo.
  'stats in/open-meteo/hourly.csv --variable precipitation',
  'stats in/open-meteo/hourly.json --variable precipitation',
  'stats in/open-meteo/hourly.json --variable precipitation --stamps start',
  'stats in/open-meteo/local-time.json --variable precipitation',
  'stats in/open-meteo/half-hour-zone.json --variable precipitation',
  'stats in/open-meteo/error.json --variable precipitation',
  'stats in/open-meteo/daily-fahrenheit.json --variable temp_max --granularity weekly',
  'stats in/open-meteo/two-models.json --variable temp_max',
  'stats in/open-meteo/two-models.json --variable temp_max --model ncep_gefs025',
  'convert in/open-meteo/hourly.json - --to csv',
  'convert in/open-meteo/local-time.json out.parquet',
  'convert in/open-meteo/hourly.json - --to csv --variable precipitation',
  // Grids and their results.
  ...['rain', 'rain-plain'].map((name) => `stats in/grids/${name}.nc --granularity weekly`),
  'stats in/grids/weeks.nc',
  'stats in/grids/rain.nc --granularity weekly --point 37.3,-79.4',
  'stats in/grids/rain.nc --granularity weekly --array nothing',
  'stats in/grids/rain.nc --granularity weekly --init 2026-03-02',
  'stats in/grids/rain.nc --variable temp_mean',
  'stats in/grids/rain.nc --granularity weekly --format netcdf --out weeks.nc',
  'stats in/grids/rain.nc --granularity weekly --climatology in/normal/rain-weekly.csv --out weeks.nc',
  ...['v2', 'v2-gzip', 'v2-missing', 'v2-cut', 'v3', 'v3-gzip', 'v3-missing'].map(
    (name) => `stats in/zarr/${name} --granularity weekly`,
  ),
  'stats in/zarr/v2 --granularity weekly --coordinates latitude=longitude,longitude=latitude',
  'stats in/zarr --granularity weekly',
  // Conversions.
  'convert in/grids/rain.nc - --to csv',
  'convert in/grids/weeks.nc - --to csv',
  'convert in/normal/rain-monthly.nc - --to csv',
  'convert in/normal/rain-daily.arrow daily.nc',
  'convert in/normal/rain-weekly.csv weekly.parquet',
  'convert in/zarr/v3 - --to json',
  'convert in/zarr/v2 out.nc',
  'convert in/steps/hourly-kelvin.csv - --to csv --variable temp_mean --units K',
  'convert in/steps/hourly-kelvin.csv out.nc --variable temp_mean --units K',
  'convert in/csv/reversed.csv - --to csv --sort',
  'convert in/csv/missing.csv - --to csv --missing -9999',
  { args: 'convert - - --to jsonl', stdin: 'in/tables/one-place.parquet' },
  'convert in/tables/rain.arrow out.unknown',
  'convert in/tables/rain.arrow no-such-folder/out.csv',
  'convert in/csv/cut.csv.gz out.csv',
  // Inspection.
  ...[
    'tables/rain.arrow',
    'tables/rain.parquet',
    'csv/long.csv',
    'csv/semicolons.csv',
    'csv/reversed.csv',
    'csv/gap.csv',
  ].map(inspection),
  ...['csv/infinite.csv', 'csv/empty.csv', 'csv/text.csv', 'csv/ambiguous-dates.csv', 'csv/gzip.csv.gz'].map(
    inspection,
  ),
  ...['steps/hourly-rain.csv', 'steps/since-start.csv', 'steps/buckets-6h.csv', 'steps/wind-components.csv'].map(
    inspection,
  ),
  ...['open-meteo/hourly.json', 'open-meteo/two-models.json', 'open-meteo/error.json'].map(inspection),
  ...['grids/rain.nc', 'grids/weeks.nc', 'zarr/v2', 'zarr/v3-missing', 'normal/rain-monthly.nc'].map(inspection),
  { args: `inspect ${RAIN} in/grids/rain.nc --no-values --json`, stdout: 'json' },
  { args: 'inspect in/csv/missing.csv --missing -9999 --json', stdout: 'json' },
  { args: 'inspect in/no-such-file --json', stdout: 'json' },
  { args: `inspect ${RAIN} in/grids/rain.nc in/csv/text.csv`, stdout: 'words' },
  { args: 'inspect - --json', stdin: 'in/tables/rain.parquet', stdout: 'json' },
  // Timelines.
  ...['temp_mean', 'precipitation'].flatMap((slug) => [
    `blend ${horizons(slug)}`,
    `blend ${horizons(slug)} --method splice --out timeline.arrow`,
    `blend ${horizons(slug)} --overlaps 5,10 --last-leads 12,30,all --out timeline.parquet`,
    { args: `blend ${horizons(slug)} --field-wide --report --out timeline.csv`, stdout: 'words' },
  ]),
  `blend ${horizons('precipitation')} --pair-by ${horizons('temp_mean').replaceAll(' ', ',')} --out timeline.arrow`,
  `blend ${horizons('precipitation')} --names a,b,c --out timeline.nc`,
  'blend in/horizons/short-temp.nc in/horizons/sub-temp.nc in/horizons/seasonal-temp.nc',
  'blend in/horizons/short-temp.nc in/horizons/sub-temp.nc in/horizons/seasonal-temp.nc --field-wide --out timeline.nc',
  'blend in/horizons/short-temp.nc in/horizons/sub/temp_mean.arrow --out timeline.arrow',
  'blend in/horizons/short/temp_mean.arrow in/horizons/seasonal/precipitation.arrow',
  'blend in/horizons/seasonal/temp_mean.arrow in/horizons/short/temp_mean.arrow',
  'blend in/horizons/short/temp_mean.arrow in/tables/one-place.arrow',
  'blend in/horizons/short/temp_mean.arrow in/horizons/sub/temp_mean.arrow --last-leads 3 --overlaps x',
  // What is normal.
  ...['daily', 'weekly', 'monthly'].map((name) => `climatology in/history/precipitation.arrow --granularity ${name}`),
  'climatology in/history/temp_mean.arrow --granularity monthly --categories 5 --threshold >15 --quantile-type 6',
  'climatology in/history/temp_mean.arrow --granularity daily --half-width 3 --categories 0 --out daily.arrow',
  'climatology in/history/temp_mean.arrow --granularity weekly --out weekly.nc',
  'climatology in/history/temp_mean.arrow --granularity monthly --point 37.3,-79.3 --format json',
  'climatology in/history/temp_mean.arrow --granularity monthly --reference 1981-2010',
  'climatology in/history/temp_mean.arrow --granularity monthly --reference 1981-2010 --fewer-years',
  'climatology in/history/temp_mean.arrow in/history/temp_mean.arrow --granularity monthly',
  'climatology in/horizons/seasonal/temp_mean.arrow --reference 2026-2026 --granularity monthly',
  'climatology in/horizons/seasonal/temp_mean.arrow --reference 2026-2026 --granularity monthly --fewer-years',
  // Command lines that are not understood, and help.
  '--version',
  { args: '--help', stdout: 'words' },
  ...[
    'stats',
    'batch',
    'inspect',
    'convert',
    'blend',
    'climatology',
    'ingest',
    'serve',
    'key',
    'location',
    'preload',
    'demo',
  ].map((name) => ({ args: `help ${name}`, stdout: 'words' })),
  'nothing',
  'stats',
  `stats ${RAIN} --nothing`,
  `stats ${RAIN} --granularity yearly`,
  `stats ${RAIN} --quantiles 0.5,1.5`,
  `stats ${RAIN} --quantile-type 10`,
  `stats ${RAIN} --threshold 20`,
  `stats ${RAIN} --start-date 2026-02-30`,
  `stats ${RAIN} --start-date 2026-04-01 --end-date 2026-03-01`,
  `stats ${RAIN} --min-member-share 2`,
  `stats ${RAIN} --granularity daily --granularity weekly`,
  `stats ${RAIN} --out out.xyz`,
  `stats ${RAIN} --out out.csv --compression lz4`,
  `stats ${RAIN} --variable nothing`,
  `stats ${RAIN} --variable temp_mean`,
  `stats ${RAIN} --columns date=nothing`,
  'stats in/no-such-file.csv',
  `stats ${RAIN} ${RAIN} --format netcdf --out out.nc`,
  'demo out --date 1980-01-01',
  'climatology in/history/temp_mean.arrow --reference 2010',
  'ingest --store out',
  'serve --store no-such-folder --port 0',
  'preload --store no-such-folder --grid',
  'key create --store no-such-folder --owner me',
];

/** Every format that results are written in, with every compression that it has, and some that it has not. */
function formatCases() {
  const formats = ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet', 'netcdf'];
  const compressions = {
    arrow: ['lz4', 'zstd', 'snappy'],
    'arrow-stream': ['lz4', 'zstd'],
    parquet: ['none', 'lz4', 'zstd', 'deflate'],
  };
  compressions.netcdf = ['none', 'deflate', 'zstd'];
  return formats.flatMap((format) => {
    const options = `--granularity weekly --spread --threshold >5 --format ${format}`;
    return [
      `stats ${RAIN} ${options} --out result`,
      `stats ${RAIN} ${options}`,
      `convert ${ONE} result --to ${format}`,
      ...(compressions[format] ?? []).map((name) => `convert ${RAIN} result --to ${format} --compression ${name}`),
    ];
  });
}

/** The inputs of the folder `csv` and of each format of tables, as they are and with the options that some of them need. */
async function csvCases({ inputs }) {
  const names = (await readdir(join(inputs, 'csv'))).filter((name) => !name.startsWith('long'));
  const tables = (await readdir(join(inputs, 'tables'))).filter((name) => name.startsWith('rain'));
  const more = [
    'semicolons.csv --decimal ,',
    'semicolons.csv --decimal .',
    'missing.csv --missing -9999',
    'reversed.csv --sort',
    'twice.csv --sort',
  ];
  return [
    ...[...names.sort(), ...more].map((name) => `stats in/csv/${name} --variable precipitation --granularity weekly`),
    ...tables.sort().map((name) => `stats in/tables/${name} --granularity weekly`),
  ];
}

/** All files that other people's libraries wrote: statistics of all of a kind in one batch, and what is said of them. */
async function writerCases({ inputs }) {
  const written = await readFile(join(inputs, 'writers.json'), 'utf8').then(JSON.parse, () => undefined);
  if (written === undefined) return [];
  const groups = new Map();
  for (const { path, variable, values } of written.files) {
    const options = Object.entries(values).map(([name, value]) =>
      value === true ? `--${name}` : `--${name} ${value}`,
    );
    const line = [`--variable ${variable}`, ...options].join(' ');
    groups.set(line, [...(groups.get(line) ?? []), `in/${path}`]);
  }
  return [...groups].flatMap(([options, paths]) => [
    {
      name: `batch of ${paths.length} files that other libraries wrote, ${options}`,
      args: `batch ${paths.map((path) => `'${path}'`).join(' ')} ${options} --granularity weekly --name {input} --on-error continue --out results --json --format csv --workers 1`,
      stdout: 'events',
    },
    {
      name: `inspect --json of ${paths.length} files that other libraries wrote`.concat(`, ${options}`),
      args: `inspect --json ${paths.map((path) => `'${path}'`).join(' ')}`,
      stdout: 'json',
    },
  ]);
}

function inspection(path) {
  return { args: `inspect in/${path} --json`, stdout: 'json' };
}

function horizons(slug) {
  return ['short', 'sub', 'seasonal'].map((name) => `in/horizons/${name}/${slug}.arrow`).join(' ');
}

const WEEKLY = '--granularity weekly --workers 1 --variable precipitation';
const KEPT = ['runs', 'batch-ended', 'batch-stopped'];
const STORE = '--store store';

/** Commands that work in folders: batches, stores, keys, locations; some of them on what an earlier build has written. */
const STEPS = [
  {
    args: `batch in/tables --granularity weekly,monthly --partial --out out --on-error continue --json --workers 1`,
    stdout: 'events',
  },
  {
    args: `batch in/tables/rain.arrow in/tables/wind-gusts.parquet --out out --format netcdf --granularity monthly --partial --json`,
    stdout: 'events',
  },
  { args: `batch in/tables/rain.arrow in/tables/rain.csv --name {variable} --out out --json`, stdout: 'events' },
  {
    args: `batch in/grids in/zarr --variable precipitation --granularity weekly --out out --on-error continue --json`,
    stdout: 'events',
  },
  {
    args: `batch in/tables/rain.arrow --granularity weekly --climatology in/normal/rain-weekly.csv --anomaly --out out --json`,
    stdout: 'events',
  },
  {
    args: `batch in/csv --variable precipitation --out out --on-error continue --json --workers 1 --format jsonl`,
    stdout: 'events',
  },
  { args: `batch in/csv/text.csv in/tables/rain.arrow --out out --json --workers 1`, stdout: 'events' },
  'batch in/tables/rain.arrow',
  'batch in/no-such-folder --out out',
  'batch in/tables/rain.arrow --out out --memory 1KB',
  'batch in/tables/rain.arrow --out out --plan in/csv/text.csv',
  ...['--resume', '--changed-only', ''].map((how) => ({
    ...{ name: `batch ${how} on one that an earlier build has ended`, copies: KEPT, stdout: 'events' },
    args: `batch runs/a.arrow runs/more ${WEEKLY} --out batch-ended --json ${how}`,
  })),
  {
    ...{ name: 'batch --changed-only with a new input', copies: KEPT, stdout: 'events' },
    args: `batch runs/a.arrow runs/more in/tables/one-place.arrow ${WEEKLY} --out batch-ended --json --changed-only`,
  },
  {
    ...{ name: 'batch --resume on one that an earlier build was stopped in', copies: KEPT, stdout: 'events' },
    args: `batch runs ${WEEKLY} --out batch-stopped --json --resume --on-error continue`,
  },
  {
    name: 'batch --overwrite',
    args: [`batch ${RAIN} --out out`, `batch ${RAIN} --out out --overwrite --granularity weekly`],
  },
  {
    name: 'batch into a folder of others',
    args: [`convert ${RAIN} out.csv`, `batch ${RAIN} --out .`, `batch ${RAIN} --out . --name in`],
  },
  { name: 'demo', args: 'demo out --date 2026-07-06 --seasonal-members 31', stdout: 'words' },
  {
    ...{ name: 'ingest into the store of an earlier build', copies: ['store'] },
    args: `ingest ${STORE} --seasonal in/horizons/seasonal/temp_mean.arrow --short-term in/horizons/short/temp_mean.arrow --init-time 2026-03-02T00:00:00Z --generation run-2 --model-version model-2 --next-run 2026-03-03T00:00:00Z --attribution me`,
  },
  {
    name: 'ingest of NetCDF',
    args: 'ingest --store new --short-term in/horizons/short-temp.nc --seasonal in/horizons/seasonal-temp.nc --generation g --model-version v',
  },
  {
    name: 'ingest of a climatology and a history',
    args: [
      'ingest --store new --climatology in/normal/rain-daily.arrow',
      'ingest --store new --recent-history in/history/temp_mean.arrow',
    ],
  },
  {
    name: 'ingest of a station',
    args: 'ingest --store new --history in/csv/long.csv --variable precipitation --at 37.30,-79.84',
  },
  { name: 'ingest that fails', copies: ['store'], args: `ingest ${STORE} --history in/csv/text.csv` },
  {
    name: 'keys of an earlier build',
    copies: ['store'],
    stdout: 'words',
    args: [
      `key list ${STORE}`,
      `key create ${STORE} --owner you --downscaling`,
      `key revoke ${STORE} nothing`,
      `key create ${STORE}`,
    ],
  },
  {
    ...{ name: 'locations of an earlier build', copies: ['store'], stdout: 'words' },
    args: [
      `location list ${STORE}`,
      `location add ${STORE} --id plot_7 --latitude -33.9 --longitude 151.2 --owner me`,
      `location add ${STORE} --id field --latitude 1 --longitude 2`,
      `location remove ${STORE} field`,
      `location remove ${STORE} nothing`,
      `location add ${STORE} --id 'a b' --latitude 1 --longitude 2`,
    ],
  },
  {
    name: 'preload in a store of an earlier build',
    copies: ['store'],
    stdout: 'words',
    args: [
      `preload ${STORE} --points 37.30,-79.4`,
      `preload ${STORE} --location field`,
      `preload ${STORE} --grid`,
      `preload ${STORE} --points 0,0`,
    ],
  },
];

const GEFS = 'ref/gefs-fcre-2022';
const SEAS5 = 'ref/seas5-burrishoole-feb';
const ERA5 = 'ref/era5-burrishoole-1979-2019';
const CITIES = 'ref/era5-cancities-1990-1993/daily_surface_cancities_1990-1993.nc';

const REFERENCE = [
  ...['daily', 'weekly', 'monthly'].flatMap((granularity) => [
    `stats ${GEFS}/precip_mm_members_daily.csv --variable precipitation --granularity ${granularity} --partial`,
    `stats ${GEFS}/t2m_degC_members_daily.csv --variable temp_mean --granularity ${granularity} --spread`,
    `stats ${GEFS}/hourly_nc4.nc --variable precipitation --granularity ${granularity}`,
    `stats ${GEFS}/hourly_nc4.nc --variable temp_max --granularity ${granularity} --partial`,
    `stats ${GEFS}/daily_nc3_f64.nc --variable precipitation --granularity ${granularity} --partial`,
    `stats ${GEFS}/daily.zarr --variable temp_mean --granularity ${granularity} --partial`,
    ...['2004', '2019'].map(
      (year) =>
        `stats ${SEAS5}/${year}/precip_mm_members_daily.csv --variable precipitation --granularity ${granularity}`,
    ),
  ]),
  ...['st2', 'stage3'].flatMap((name) => [
    { args: `inspect ${GEFS}/raw/${name}_part-0.parquet --json`, stdout: 'json' },
    `stats ${GEFS}/raw/${name}_part-0.parquet --variable temp_mean --granularity weekly`,
    `stats ${GEFS}/raw/${name}_part-0.parquet --variable precipitation --granularity weekly`,
    `stats ${GEFS}/raw/${name}_part-0.parquet --variable relative_humidity --granularity weekly --columns value=prediction`,
  ]),
  `convert ${GEFS}/hourly_nc4.nc out.arrow --variable precipitation`,
  `convert ${GEFS}/daily_nc3_f64.nc out.parquet --variable temp_mean`,
  `convert ${GEFS}/daily.zarr out.nc --variable precipitation`,
  { args: `inspect ${GEFS}/hourly_nc4.nc ${GEFS}/daily_nc3_f64.nc ${GEFS}/daily.zarr --json`, stdout: 'json' },
  { args: `inspect ${SEAS5}/all_years_nc4.nc ${CITIES} ${ERA5}/daily.csv ${ERA5}/daily_nc4.nc --json`, stdout: 'json' },
  `stats ${SEAS5}/all_years_nc4.nc --variable precipitation --granularity monthly`,
  `stats ${SEAS5}/all_years_nc4.nc --variable precipitation --granularity monthly --init 2004-02-01`,
  ...['daily', 'weekly', 'monthly'].flatMap((granularity) => [
    `climatology ${ERA5}/daily.csv --columns value=precip_mm --variable precipitation --reference 1981-2010 --granularity ${granularity}`,
    `climatology ${ERA5}/daily_nc4.nc --variable temp_mean --reference 1981-2010 --granularity ${granularity} --out normal.nc`,
  ]),
  `climatology ${ERA5}/daily.csv --columns value=precip_mm --variable precipitation --granularity monthly`,
  `stats ${CITIES} --variable precipitation --granularity monthly`,
  `stats ${CITIES} --variable temp_mean --granularity weekly --out weeks.nc`,
  {
    args: `batch ${SEAS5}/2004 ${SEAS5}/2016 --variable precipitation --granularity monthly --out out --on-error continue --json --workers 1`,
    stdout: 'events',
  },
  {
    args: `batch ${GEFS} --granularity weekly --variable precipitation,temp_mean --out out --on-error continue --json --workers 1 --format parquet`,
    stdout: 'events',
  },
];
