/** Every format of results, every file of a format of inputs. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const RAIN = 'in/tables/rain.arrow';
const ONE = 'in/tables/one-place.arrow';

const QUIETLY = '--on-error continue --out results --json --workers 1';

/** All of these cases. */
export async function everyInputCases(folders) {
  return [...formatCases(), ...(await csvCases(folders)), ...(await writerCases(folders))];
}

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

/** The inputs of the folder `csv` and of each format of tables, also with the options that some of them need. */
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
    ...tables
      .sort()
      .map((name) => `stats in/tables/${name} --variable precipitation --granularity weekly --quantiles 0.5`),
  ];
}

/** All files that other people's libraries wrote: statistics of all of a kind in one batch, and an inspection. */
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
      args: `batch ${quoted(paths)} ${options} --granularity weekly --name {input} ${QUIETLY} --format csv`,
      stdout: 'events',
    },
    {
      name: `inspect --json of ${paths.length} files that other libraries wrote`.concat(`, ${options}`),
      args: `inspect --json ${quoted(paths)}`,
      stdout: 'json',
    },
  ]);
}

function quoted(paths) {
  return paths.map((path) => `'${path}'`).join(' ');
}
