/** Commands that work in folders. */

const RAIN = 'in/tables/rain.arrow';
const WEEKLY = '--granularity weekly --workers 1 --variable precipitation';
const KEPT = ['runs', 'batch-ended', 'batch-stopped'];
const STORE = '--store store';

/** Batches, stores, keys, locations; some commands work on what an earlier build has written. */
export const FOLDER_COMMANDS = [
  {
    args: `batch 'in/tables/*.parquet' in/steps in/open-meteo --variable precipitation --units mm --partial
      --granularity weekly,monthly --out out --on-error continue --json --workers 1`,
    stdout: 'events',
  },
  {
    args: `batch ${RAIN} in/tables/wind-gusts.parquet --out out --format netcdf --granularity monthly --partial --json`,
    stdout: 'events',
  },
  { args: `batch in/tables/rain.arrow in/tables/rain.csv --name {variable} --out out --json`, stdout: 'events' },
  {
    args: `batch in/grids in/zarr --variable precipitation --granularity weekly --out out --on-error continue --json`,
    stdout: 'events',
  },
  {
    args: `batch ${RAIN} --granularity weekly --climatology in/normal/rain-weekly.csv --anomaly --out out --json`,
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
    args: `ingest ${STORE} --seasonal in/horizons/seasonal/temp_mean.arrow
      --short-term in/horizons/short/temp_mean.arrow
      --init-time 2026-03-02T00:00:00Z --generation run-2 --model-version model-2
      --next-run 2026-03-03T00:00:00Z --attribution me --replace`,
  },
  {
    name: 'ingest of NetCDF',
    args: `ingest --store new --short-term in/horizons/short-temp.nc --seasonal in/horizons/seasonal-temp.nc
      --generation g --model-version v`,
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
    args: 'ingest --store new --history in/csv/station.csv --variable precipitation --at 37.30,-79.84',
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
