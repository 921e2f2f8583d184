/**
 * The inputs of all cases, made once by the first build that is recorded, and kept: so that every later build reads
 * the same bytes, and reads stores, keys, batches and climatologies that an earlier one has written.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCommand } from './run-command.mjs';
import { writeZarrStores } from './zarr-stores.mjs';

const REPOSITORY = resolve(import.meta.dirname, '../..');
/** Manifests of batches hold the times of their inputs: each has the same. */
const MODIFIED = new Date('2026-01-01T00:00:00Z');
const PLACES = [
  { latitude: 37.3, longitude: -79.84 },
  { latitude: 37.3, longitude: -79.34 },
];
const RUN = { days: 42, members: 5, locations: PLACES };

/** The folder of the inputs, made if it is not there. `log` is given what happens, and what was skipped then. */
export async function prepareInputs(folder, built, log) {
  const inputs = resolve(folder);
  const made = await readFile(join(inputs, 'made.json'), 'utf8').then(JSON.parse, () => undefined);
  if (made !== undefined) {
    for (const line of made.skipped) log(line);
    return inputs;
  }
  log(`making the inputs in ${folder}`);
  await rm(inputs, { recursive: true, force: true });
  await mkdir(inputs, { recursive: true });
  const skipped = [];
  const make = new InputMaker(inputs, built, (lines) => {
    log(lines);
    skipped.push(...lines.split('\n').filter((line) => line.startsWith('skipped')));
  });
  await make.tables();
  await make.steps();
  await make.openMeteo();
  await writeZarrStores(join(inputs, 'zarr'));
  await make.files();
  await make.foreignFiles();
  await setTimes(inputs);
  await make.batches();
  await make.stores();
  await writeFile(
    join(inputs, 'made.json'),
    JSON.stringify({ plumecast: built.version, node: process.version, skipped }),
  );
  return inputs;
}

async function setTimes(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await utimes(join(entry.parentPath, entry.name), MODIFIED, MODIFIED);
  }
}

class InputMaker {
  constructor(inputs, { api, cli }, log) {
    Object.assign(this, { inputs, api, cli, log });
  }

  async write(path, content) {
    await mkdir(dirname(join(this.inputs, path)), { recursive: true });
    await writeFile(join(this.inputs, path), content);
  }

  /** Runs the command in the folder above, where the inputs are called `in` as in the cases. */
  async command(...args) {
    const { code, stderr } = await runCommand(this.cli, args, { cwd: this.inputs });
    if (code !== 0) this.log(`inputs: plumecast ${args.join(' ')} ends with ${code}: ${stderr.trim()}`);
  }

  /** One ensemble in every format of tables that the package writes, and in the shapes of CSV that people have. */
  async tables() {
    const { demoTable, writeTable } = this.api;
    const ensembles = {
      rain: demoTable('precipitation', RUN),
      'one-place': demoTable('precipitation', { ...RUN, locations: [PLACES[0]] }),
      'wind-gusts': demoTable('wind_gust_max', { ...RUN, seed: 5 }),
    };
    for (const [name, table] of Object.entries(ensembles)) {
      for (const format of ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet']) {
        const ending = format === 'arrow-stream' ? 'arrows' : format;
        await this.write(`tables/${name}.${ending}`, await writeTable(table, format));
      }
      for (const [format, compression] of COMPRESSIONS) {
        const ending = format === 'arrow-stream' ? 'arrows' : format;
        const content = await writeTable(table, format, { compression });
        await this.write(`tables/${name}-${compression}.${ending}`, content);
      }
    }
    const csv = new TextDecoder().decode(await writeTable(ensembles['one-place'], 'csv'));
    await this.csvVariants(csv);
  }

  async csvVariants(csv) {
    const lines = csv.trim().split('\n');
    const reversed = [lines[0], ...lines.slice(1).reverse()];
    const variants = {
      'semicolons.csv': csv.replaceAll(',', ';').replaceAll('.', ','),
      'sep-line.csv': `sep=;\n${csv.replaceAll(',', ';')}`,
      'tabs.tsv': csv.replaceAll(',', '\t'),
      'quoted.csv': csv.replaceAll(/^([^,\n]*),/gm, '"$1",').replaceAll('\n', '\r\n'),
      'utf-16.csv': Buffer.from(`\ufeff${csv}`, 'utf16le'),
      'latin-1.csv': Buffer.from(csv.replace('latitude', 'hauteur °,latitude').replaceAll(/^(?=3)/gm, '1,'), 'latin1'),
      'gzip.csv.gz': gzipSync(csv),
      'two-members.csv.gz': Buffer.concat([gzipSync(csv.slice(0, 500)), gzipSync(csv.slice(500))]),
      'cut.csv.gz': gzipSync(csv).subarray(0, -20),
      'reversed.csv': `${reversed.join('\n')}\n`,
      'missing.csv': csv.replaceAll(/,0(?=[,\n])/g, ',-9999'),
      'slashes.csv': csv.replaceAll(/(\d{4})-(\d\d)-(\d\d)/g, '$1/$2/$3'),
      'eight-digits.csv': csv.replaceAll(/(\d{4})-(\d\d)-(\d\d)/g, '$1$2$3'),
      'ambiguous-dates.csv': csv.replaceAll(/(\d{4})-(\d\d)-(\d\d)/g, '$3/$2/$1'),
      'twice.csv': `${csv.trim()}\n${lines.at(-1)}\n`,
      'infinite.csv': csv.replace(/,[^,\n]*$/m, ',x').replace(/(\n(?:[^,]*,){4})[^,]*/, '$1Infinity'),
      'empty.csv': '',
      'header-only.csv': `${lines[0]}\n`,
      'text.csv': 'no table at all\n',
      'gap.csv': `${[...lines.slice(0, 10), ...lines.slice(12)].join('\n')}\n`,
      'year-month-day.csv': csv
        .replace(',date,', ',year,month,day,')
        .replaceAll(/(\d{4})-(\d\d)-(\d\d)/g, (_, y, m, d) => `${y},${Number(m)},${Number(d)}`),
    };
    for (const [name, text] of Object.entries(variants)) await this.write(`csv/${name}`, text);
    const cells = lines.map((line) => line.split(','));
    for (const [row, members] of [
      [9, [2]],
      [20, [1, 3]],
      [30, [0]],
    ]) {
      for (const member of members) cells[row][3 + member] = '';
    }
    await this.write('csv/missing-members.csv', `${cells.map((row) => row.join()).join('\n')}\n`);
    await this.write('csv/long.csv', longCsv(lines));
    const station = lines.map((line) => line.split(',').slice(2, 4).join());
    await this.write('csv/station.csv', `${station.join('\n')}\n`);
    await this.write('csv/long-odd-names.csv', longCsv(lines).replace('date,member,value', 'day,run,mm'));
  }

  /** Hourly steps: amounts, amounts since the start of the run, in buckets, temperatures, and wind by components. */
  async steps() {
    const hours = Array.from({ length: 24 * 12 }, (_, hour) => hour);
    const rain = (member, hour) =>
      ((hour * 7 + member * 5) % 11) - 6 > 0 ? (((hour * 7 + member * 5) % 11) - 6) / 4 : 0;
    const degrees = (member, hour) => 280 + member + ((hour * 13) % 24) / 4 + hour / 64;
    let sum = 0;
    const since = [0, 1, 2].map((member) => hours.map((hour) => (sum = (hour === 0 ? 0 : sum) + rain(member, hour))));
    const buckets = [0, 1, 2].map((member) =>
      hours.map((hour) => (sum = (hour % 6 === 0 ? 0 : sum) + rain(member, hour))),
    );
    const columns = (value) =>
      [0, 1, 2].map((member) => [`member_${member}`, hours.map((hour) => value(member, hour))]);
    const tables = {
      'hourly-rain': columns(rain),
      'since-start': columns((member, hour) => since[member][hour]),
      'buckets-6h': columns((member, hour) => buckets[member][hour]),
      'hourly-kelvin': columns(degrees),
      'wind-components': [
        ...columns((member, hour) => rain(member, hour) - 1).map(([name, values]) => [
          name.replace('member', 'u10'),
          values,
        ]),
        ...columns((member, hour) => rain(member + 1, hour) - 1).map(([name, values]) => [
          name.replace('member', 'v10'),
          values,
        ]),
      ],
    };
    for (const [name, series] of Object.entries(tables)) {
      const rows = hours.map((hour) => [timeText(hour), ...series.map(([, values]) => values[hour])].join());
      await this.write(
        `steps/${name}.csv`,
        `${['time', ...series.map(([column]) => column)].join()}\n${rows.join('\n')}\n`,
      );
    }
  }

  async openMeteo() {
    const hours = Array.from({ length: 73 }, (_, hour) => hour);
    const place = { latitude: 52.52, longitude: 13.42, elevation: 38, utc_offset_seconds: 0, timezone: 'GMT' };
    const names = ['precipitation', 'precipitation_member01', 'precipitation_member02'];
    const value = (column, hour) => (((hour * 3 + column) % 7) - 4 > 0 ? ((hour * 3 + column) % 7) / 8 : 0);
    const series = (offset) => ({
      time: hours.map((hour) => timeText(hour + offset / 3600).slice(0, 16)),
      ...Object.fromEntries(names.map((name, column) => [name, hours.map((hour) => value(column, hour))])),
    });
    const units = { time: 'iso8601', ...Object.fromEntries(names.map((name) => [name, 'mm'])) };
    const json = (offset, changes = {}) =>
      JSON.stringify({ ...place, utc_offset_seconds: offset, ...changes, hourly_units: units, hourly: series(offset) });
    const { time, ...columns } = series(0);
    const rows = time.map((text, row) => [text, ...Object.values(columns).map((values) => values[row])].join());
    const head = `${Object.keys(place).join()}\n${Object.values(place).join()}\n\n`;
    await this.write(
      'open-meteo/hourly.csv',
      `${head}time,${names.map((name) => `${name} (mm)`).join()}\n${rows.join('\n')}\n`,
    );
    await this.write('open-meteo/hourly.json', json(0));
    await this.write('open-meteo/local-time.json', json(7200, { timezone: 'Europe/Berlin' }));
    await this.write('open-meteo/half-hour-zone.json', json(19_800, { timezone: 'Asia/Kolkata' }));
    await this.write('open-meteo/error.json', JSON.stringify({ error: true, reason: 'no such variable' }));
    const daily = {
      ...place,
      daily_units: { time: 'iso8601', temperature_2m_max: '°F', temperature_2m_max_member01: '°F' },
    };
    const days = hours.slice(0, 21).map((day) => timeText(24 * day).slice(0, 10));
    const warm = (column) => days.map((_, day) => 50 + ((day * 5 + column) % 9));
    const values = { time: days, temperature_2m_max: warm(0), temperature_2m_max_member01: warm(1) };
    await this.write('open-meteo/daily-fahrenheit.json', JSON.stringify({ ...daily, daily: values }));
    const models = Object.fromEntries(
      ['icon_seamless_eps', 'ncep_gefs025'].flatMap((model, m) =>
        [`temperature_2m_max_${model}`, `temperature_2m_max_member01_${model}`].map((name, c) => [
          name,
          warm(2 * m + c),
        ]),
      ),
    );
    const modelUnits = Object.fromEntries(Object.keys(models).map((name) => [name, '°C']));
    const two = { ...place, daily_units: { time: 'iso8601', ...modelUnits }, daily: { time: days, ...models } };
    await this.write('open-meteo/two-models.json', JSON.stringify(two));
  }

  /** What the commands write that later commands read: horizons, histories, climatologies, NetCDF. */
  async files() {
    const { demoTables, writeTable } = this.api;
    const horizons = {
      short: { days: 15, seed: 2 },
      sub: { days: 46, seed: 3, members: 7 },
      seasonal: { days: 100, seed: 1 },
    };
    for (const [name, options] of Object.entries(horizons)) {
      const tables = demoTables({ ...RUN, ...options });
      for (const slug of ['temp_mean', 'precipitation', 'wind_gust_max', 'temp_min', 'temp_max']) {
        await this.write(`horizons/${name}/${slug}.arrow`, await writeTable(tables[slug], 'arrow'));
      }
    }
    // The years 1993 to 2022.
    const history = demoTables({ initDate: 8401, days: 10_957, members: 1, seed: 4, locations: PLACES });
    for (const slug of ['precipitation', 'temp_mean']) {
      await this.write(`history/${slug}.arrow`, await writeTable(history[slug], 'arrow'));
    }
    for (const [granularity, ending] of [
      ['daily', 'arrow'],
      ['weekly', 'csv'],
      ['monthly', 'nc'],
    ]) {
      const options = [
        '--granularity',
        granularity,
        '--quantiles',
        '0.1,0.5,0.9',
        '--out',
        `normal/rain-${granularity}.${ending}`,
      ];
      await mkdir(join(this.inputs, 'normal'), { recursive: true });
      await this.command('climatology', 'history/precipitation.arrow', ...options);
    }
    await mkdir(join(this.inputs, 'grids'), { recursive: true });
    await this.command('convert', 'tables/rain.arrow', 'grids/rain.nc');
    await this.command('convert', 'tables/rain.arrow', 'grids/rain-plain.nc', '--compression', 'none');
    await this.command(
      'stats',
      'tables/rain.arrow',
      '--granularity',
      'weekly',
      '--spread',
      '--threshold',
      '>5',
      '--out',
      'grids/weeks.nc',
    );
    for (const name of Object.keys(horizons)) {
      await this.command('convert', `horizons/${name}/temp_mean.arrow`, `horizons/${name}-temp.nc`);
    }
  }

  /** Files that other people's libraries write, by the scripts of the tests. */
  async foreignFiles() {
    const python = process.env.PLUMECAST_PYTHON ?? 'python3';
    for (const [script, target, ...rest] of FOREIGN) {
      const args = ['-W', 'ignore', join(REPOSITORY, script), target, ...rest];
      const { status, stdout, error } = spawnSync(python, args, {
        cwd: this.inputs,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      });
      if (error !== undefined || status !== 0) this.log(`skipped: inputs of ${script} (${python} cannot run it)`);
      else if (target === 'writers') await writeFile(join(this.inputs, 'writers.json'), stdout);
      else if (stdout !== '') this.log(stdout.trim());
    }
  }

  /** A batch that has ended, one that was stopped by a bad file, and a folder of inputs of which one changes. */
  async batches() {
    await mkdir(join(this.inputs, 'runs/more'), { recursive: true });
    await cp(join(this.inputs, 'tables/rain.arrow'), join(this.inputs, 'runs/a.arrow'), { preserveTimestamps: true });
    await this.write('runs/b.csv', 'no table\n');
    await cp(join(this.inputs, 'tables/one-place.csv'), join(this.inputs, 'runs/more/c.csv'), {
      preserveTimestamps: true,
    });
    await setTimes(join(this.inputs, 'runs'));
    const weekly = ['--granularity', 'weekly', '--workers', '1', '--variable', 'precipitation'];
    await this.command('batch', 'runs/a.arrow', 'runs/more', ...weekly, '--out', 'batch-ended');
    await runCommand(this.cli, ['batch', 'runs', ...weekly, '--out', 'batch-stopped'], { cwd: this.inputs });
  }

  /** The store of the demo, and one that is made part by part, with a key and a location. */
  async stores() {
    await this.command('demo', 'demo', '--date', '2026-03-02', '--seasonal-members', '31');
    const forecast = ['short', 'sub', 'seasonal'].flatMap((name, h) => [
      `--${['short-term', 'subseasonal', 'seasonal'][h]}`,
      `horizons/${name}/temp_mean.arrow`,
      `horizons/${name}/precipitation.arrow`,
    ]);
    const run = ['--init-time', '2026-03-02T00:00:00Z', '--generation', 'run-1', '--model-version', 'model-1'];
    await this.command('ingest', '--store', 'store', ...forecast, ...run);
    await this.command(
      'ingest',
      '--store',
      'store',
      '--history',
      'history/precipitation.arrow',
      'history/temp_mean.arrow',
    );
    await this.command('key', 'create', '--store', 'store', '--owner', 'Example Farms');
    await this.command(
      'location',
      'add',
      '--store',
      'store',
      '--id',
      'field',
      '--latitude',
      '37.3',
      '--longitude',
      '-79.84',
    );
    await this.command('preload', '--store', 'store', '--location', 'field');
  }
}

const COMPRESSIONS = [
  ...['lz4', 'zstd'].flatMap((compression) =>
    ['arrow', 'arrow-stream', 'parquet'].map((format) => [format, compression]),
  ),
  ['parquet', 'none'],
  ['parquet', 'snappy'],
];

const FOREIGN = [
  ['test/fuzz/seeds.py', 'seeds'],
  ['test/writers/write.py', 'writers', 'all'],
];

function timeText(hour) {
  return new Date(Date.UTC(2026, 2, 2, hour)).toISOString().slice(0, 19);
}

/** A row for each day and member. */
function longCsv(lines) {
  const rows = lines.slice(1).map((line) => line.split(',').slice(2));
  const cells = rows.flatMap(([date, ...members]) => members.map((value, member) => `${date},${member},${value}`));
  return `date,member,value\n${cells.join('\n')}\n`;
}
