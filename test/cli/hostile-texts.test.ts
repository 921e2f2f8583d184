import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordBatch, Schema, Table } from 'apache-arrow';
import { afterAll, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { plumecastHere } from './run-here.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

/** Titles of terminals, colours, deleted lines, text that runs backwards, markup, and a long name. */
const HOSTILE = `\u001b]0;owned\u0007\u001b[31m\u009b2J\r\u202Egnp.exe\u2066</text><script>alert(1)</script>"><img onerror=alert(1)> ${'long '.repeat(80)}`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may come out.
const COMMANDS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

/** A table whose texts attack: those of metadata that are shown, and names of members. */
async function hostileFile(name: string): Promise<string> {
  const table = demoTable('temp_mean', { days: 21, members: 4 });
  const metadata = new Map([...table.schema.metadata, ['horizon', HOSTILE], ['version', HOSTILE], [HOSTILE, HOSTILE]]);
  const schema = new Schema(table.schema.fields, metadata);
  const hostile = new Table(
    schema,
    table.batches.map(({ data }) => new RecordBatch(schema, data)),
  );
  writeFileSync(path(name), await encodeTable(hostile, 'arrow'));
  return path(name);
}

it('charts, tables, inspections and errors in a terminal have no commands of a file in them', async () => {
  const file = await hostileFile('hostile.arrow');
  for (const args of [
    ['plot', file, '--granularity', 'weekly', '--threshold', '>4'],
    ['stats', file, '--granularity', 'weekly', '--format', 'table'],
    ['inspect', file],
    ['stats', join(folder, `${HOSTILE.slice(0, 60).replaceAll('/', '')}.nc`)],
  ]) {
    const { out, err } = await plumecastHere(...args);
    expect([args[0], COMMANDS.exec(out + err)]).toEqual([args[0], null]);
  }
  const { out } = await plumecastHere('plot', file, '--granularity', 'weekly');
  expect(out).toContain('\uFFFD]0;owned\uFFFD');
});

it('pictures have markup of a file as text, in titles too', async () => {
  const file = await hostileFile('markup.arrow');
  const out = path('hostile.svg');
  const { code, err } = await plumecastHere('plot', file, '--title', HOSTILE.slice(0, 90), '--out', out);
  expect([code, err]).toEqual([0, '']);
  const svg = readFileSync(out, 'utf8');
  expect(svg).not.toMatch(/<script|<img/);
  expect(['\u001b', '\u202E', '\u2066'].filter((mark) => svg.includes(mark))).toEqual([]);
  expect(svg).toContain('&lt;script');
});

it('the command that inspect recommends is for the file, whatever a shell would run of its name', async () => {
  const names = [
    "it's $(touch hit)\n`touch hit`\u001b[201~.arrow",
    "\\'; touch hit; \\'.arrow",
    '--$(touch hit)"!!.arrow',
  ];
  for (const name of names) {
    const file = path(name);
    writeFileSync(file, await encodeTable(demoTable('temp_mean', { days: 21, members: 4 }), 'arrow'));
    const { out, code } = await plumecastHere('inspect', file);
    expect([code, COMMANDS.exec(out)]).toEqual([0, null]);
    const [, command = ''] = /^ {2}command +(.*(?:\n {4,}.*)*)/m.exec(out) ?? [];
    const script = `set -H; plumecast() { printf '%s\\0' "$@"; }\n${command}`;
    const words = execFileSync('bash', ['-c', script], { cwd: folder }).toString().split('\0');
    expect(words.slice(0, 2)).toEqual(['stats', file]);
  }
  expect(readdirSync(folder)).not.toContain('hit');
});
