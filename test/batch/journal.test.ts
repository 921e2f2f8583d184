import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addToJournal, type FinishedOutput, readJournal } from '../../src/batch/journal.js';
import { LocalOutputs } from '../../src/batch/local-outputs.js';
import { readManifest } from '../../src/batch/manifest.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { folderWith, plumecast } from '../cli/run-command.js';
import { checksums, startBatch } from './batch-process.js';
import { put, rain } from './many-inputs.js';

const { folder, remove } = folderWith({});
afterAll(remove);

const entry = (output: string, fields: object = {}): FinishedOutput & object => ({
  ...{ output, bytes: 5, sha256: 'ab', rows: 1, request: 'cd' },
  inputs: [{ path: 'a.csv', bytes: 1, modified: '2026-01-01T00:00:00.000Z', sha256: '00' }],
  ...fields,
});

describe('readJournal', () => {
  const path = join(folder, 'journal.jsonl');
  beforeEach(() => writeFileSync(path, ''));

  it.each([
    ['null', 'is wrong; received null'],
    ['5', 'is wrong'],
    ['[]', 'is wrong'],
    ['"text"', 'is wrong'],
    ['{}', 'field output is wrong'],
    ['{"output":"b","byt', 'is not valid JSON: '],
    [JSON.stringify(entry('b', { output: 5 })), 'field output is wrong'],
    [JSON.stringify(entry('b', { output: '../b' })), 'field output is wrong'],
    [JSON.stringify(entry('b', { output: '/b' })), 'field output is wrong'],
    [JSON.stringify(entry('b', { bytes: '5' })), 'field bytes is wrong'],
    [JSON.stringify(entry('b', { bytes: -1 })), 'field bytes is wrong'],
    [JSON.stringify(entry('b', { sha256: null })), 'field sha256 is wrong'],
    [JSON.stringify(entry('b', { rows: 1.5 })), 'field rows is wrong'],
    [JSON.stringify(entry('b', { request: [] })), 'field request is wrong'],
    [JSON.stringify(entry('b', { inputs: {} })), 'field inputs is wrong'],
    [JSON.stringify(entry('b', { inputs: [null] })), 'field inputs[0] is wrong'],
    [JSON.stringify(entry('b', { inputs: ['a.csv'] })), 'field inputs[0] is wrong'],
    [JSON.stringify(entry('b', { inputs: [{ path: 5 }] })), 'field inputs[0].path is wrong'],
    ['\0\0\0\0', 'is not valid JSON: '],
    [Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'is not text'],
    ['['.repeat(200_000), 'is not valid JSON: '],
    [Buffer.alloc(100_000_000, 'x'), 'has more than 67108864 bytes'],
  ])('reports the damaged line %.40s by its number, and reads all others', async (line, problem) => {
    await addToJournal(path, entry('a'));
    writeFileSync(path, '\n', { flag: 'a' });
    writeFileSync(path, line, { flag: 'a' });
    await addToJournal(path, entry('c'));
    const { finished, damage } = await readJournal(path);
    expect([...finished.keys()]).toEqual(['a', 'c']);
    expect([damage.lines, [...damage.problems.keys()]]).toEqual([1, [3]]);
    const [reported] = damage.problems.values();
    expect(reported).toContain(problem.split(';')[0]);
    expect(reported).not.toMatch(/\p{Cc}/u);
  });

  it('keeps the last entry of an output, and describes only the first damaged lines', async () => {
    await addToJournal(path, entry('a'));
    for (let i = 0; i < 20; i++) writeFileSync(path, '\nnull', { flag: 'a' });
    await addToJournal(path, entry('a', { rows: 2 }));
    const { finished, damage } = await readJournal(path);
    expect(finished.get('a')?.rows).toBe(2);
    expect([damage.lines, damage.problems.size]).toEqual([20, 5]);
  });

  it('returns an empty journal if there is no file', async () => {
    expect(await readJournal(join(folder, 'none'))).toMatchObject({ finished: new Map(), damage: { lines: 0 } });
  });
});

describe('readManifest', () => {
  const whole = { inputs: [{ ...entry('a').inputs[0] }], outputs: [], others: [] };
  it.each([
    ['[]', 'is wrong'],
    ['{"inputs":5}', 'field inputs is wrong'],
    [
      JSON.stringify({ ...whole, outputs: [{ ...entry('a'), output: 5, inputs: ['a.csv'] }] }),
      'field outputs[0].output',
    ],
    [JSON.stringify({ ...whole, outputs: [{ ...entry('a'), inputs: ['gone.csv'] }] }), 'field outputs[0].inputs'],
    [JSON.stringify({ ...whole, outputs: [null] }), 'field outputs[0] is wrong'],
    [JSON.stringify({ ...whole, others: [{ output: 'a' }] }), 'field others[0].bytes is wrong'],
    [JSON.stringify({ ...whole, inputs: [5] }), 'field inputs[0] is wrong'],
  ])('names the file and the field of %s', async (text, problem) => {
    put(folder, 'manifest.json', text);
    await expect(readManifest(new LocalOutputs(folder))).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringContaining(`manifest.json: is not the manifest of a batch: ${problem}`),
    });
  });
});

describe('a batch that resumes with a damaged journal', () => {
  const ARGS = ['runs', '-v', 'precipitation', '--units', 'mm', '--granularity', 'weekly', '--workers', '1'];

  it('warns of the lines, makes their outputs again, and replaces no file by other bytes', async () => {
    for (let seed = 0; seed < 6; seed++) put(folder, `runs/${seed}.csv`, await encodeTable(rain(seed), 'csv'));
    const stopped = startBatch([...ARGS, '--out', 'out'], folder, ({ event }) => {
      if (event === 'finished') stopped.kill('SIGKILL');
    });
    await stopped.ended;
    const journal = join(folder, 'out/.plumecast-batch/journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    expect(existsSync(join(folder, 'out/0.arrow'))).toBe(true);
    writeFileSync(journal, ['', 'null', '{"output":"0.ar', ...lines.slice(2)].join('\n'));
    put(folder, 'out/5.arrow', 'letters');

    const args = [...ARGS, '--out', 'out', '--resume'];
    const again = (...given: string[]) => plumecast(['batch', ...given, '--json'], { cwd: folder });
    const { code, out } = again(...args);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(events.filter(({ event }) => event === 'warning')).toMatchObject([
      { input: 'out/.plumecast-batch/journal.jsonl', message: expect.stringMatching(/^line 2 is damaged: is wrong; /) },
      { message: expect.stringMatching(/^line 3 is damaged: is not valid JSON: .*; the output in it is made again$/) },
    ]);
    expect(events.filter(({ event }) => event === 'failed')).toMatchObject([
      { output: '5.arrow', message: expect.stringContaining('exists, and no batch is known to have made it') },
    ]);
    expect(readFileSync(join(folder, 'out/5.arrow'), 'utf8')).toBe('letters');

    expect(again(...args, '--overwrite')).toMatchObject({ code: 0 });
    expect(again(...ARGS, '--out', 'whole')).toMatchObject({ code: 0 });
    expect(checksums(join(folder, 'out'))).toEqual(checksums(join(folder, 'whole')));
  });
});
