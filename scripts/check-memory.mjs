/**
 * Measures how much memory statistics of a large file need besides an empty Node and the file; the system reports the
 * peak. The goal is 64 MB. Long daily output and Parquet, whose writer boxes values, do not always reach it: the script
 * says so, and fails only if they need much more than is known.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  DateDay,
  Field,
  Float32,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
} from 'apache-arrow';

if (!existsSync('/proc/self/status')) {
  console.log('skipped: memory check (this system has no /proc)');
  process.exit();
}

const CELLS = 10_000;
const DAYS = 180;
const GOAL = 64e6;
const MEMBERS = 31;

const folder = mkdtempSync(join(tmpdir(), 'plumecast-memory-'));
const input = join(folder, 'rain.arrow');
const report = join(folder, 'report.mjs');
try {
  writeFileSync(input, tableToIPC(ensemble(), 'file'));
  // Not the resource usage of the process, which starts with the memory of its parent.
  writeFileSync(
    report,
    `import { readFileSync, writeSync } from 'node:fs';
    process.on('exit', () => writeSync(2, 'peak ' + /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]));`,
  );
  const { size } = statSync(input);
  const empty = peak(['--eval', '0']);
  for (const granularity of ['weekly', 'daily']) {
    for (const format of ['csv', 'json', 'arrow', 'parquet']) {
      const out = join(folder, `out.${format}`);
      const more = peak(['dist/cli.js', 'stats', input, '--granularity', granularity, '--out', out]) - empty - size;
      const bound = format === 'parquet' ? 160e6 : granularity === 'daily' ? 80e6 : GOAL;
      const verdict = more > bound ? 'too much' : more > GOAL ? 'over the goal' : 'ok';
      if (more > bound) process.exitCode = 1;
      console.log(
        `${verdict}: ${granularity} ${format}: ${(more / 1e6).toFixed(0)} MB besides the input of ${(size / 1e6).toFixed(0)} MB`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

function peak(args) {
  const { status, stderr } = spawnSync(process.execPath, ['--import', pathToFileURL(report).href, ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(/peak (\d+)$/.exec(stderr)[1]) * 1024;
}

function ensemble() {
  const rows = CELLS * DAYS;
  const latitude = new Float64Array(rows);
  const longitude = new Float64Array(rows);
  const date = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const cell = Math.floor(row / DAYS);
    latitude[row] = 30 + Math.floor(cell / 200) / 4;
    longitude[row] = -100 + (cell % 200) / 4;
    date[row] = 20_000 + (row % DAYS);
  }
  const columns = [
    ['latitude', new Float64(), latitude],
    ['longitude', new Float64(), longitude],
    ['date', new DateDay(), date],
  ];
  for (let m = 0; m < MEMBERS; m++) {
    const values = Float32Array.from({ length: rows }, (_, row) => ((row * 7919 + m * 104_729) % 1013) / 10);
    columns.push([`m${m}`, new Float32(), values]);
  }
  const fields = columns.map(([name, type]) => new Field(name, type, true));
  const schema = new Schema(fields, new Map([['variable', 'precipitation']]));
  const children = columns.map(([, type, data]) => makeData({ type, data }));
  return new Table(
    schema,
    new RecordBatch(schema, makeData({ type: new Struct(fields), length: rows, nullCount: 0, children })),
  );
}
