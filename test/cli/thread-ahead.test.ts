import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readsInThreads } from '../../src/cli/thread-ahead.js';

const MB = 1_048_576;
let folder = '';
const path = (name: string) => join(folder, name);

/** A file of `bytes` bytes, which take no space on disk. */
async function write(name: string, head: string, bytes: number): Promise<void> {
  const file = await open(path(name), 'w');
  await file.write(head);
  await file.truncate(bytes);
  await file.close();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-ahead-'));
  await write('long.parquet', 'PAR1', 200 * MB);
  await write('without-ending', 'PAR1', 200 * MB);
  await write('short.parquet', 'PAR1', MB);
  await write('long.csv', 'date', 200 * MB);
  await write('middle.csv', 'date', 100 * MB);
  await write('long.nc', 'CDF\u0001', 200 * MB);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a thread starts beside the command', () => {
  it.each([
    ['for long Parquet', ['stats', 'long.parquet', '--threads', '2']],
    ['for Parquet by its first bytes', ['stats', '--threads=4', 'without-ending']],
    ['for long CSV', ['convert', 'long.csv', '--threads', '2']],
    ['for shorter files where threads are requested', ['stats', 'middle.csv', '--threads', '2']],
  ])('%s', (_, args) => expect(readsInThreads(inFolder(args))).toBe(true));

  it.each([
    ['for one thread', ['stats', 'long.parquet', '--threads', '1']],
    ['for one thread, written with =', ['stats', 'long.parquet', '--threads=1']],
    ['for numbers that are none', ['stats', 'long.parquet', '--threads', 'many']],
    ['for short files', ['stats', 'short.parquet', '--threads', '2']],
    ['for shorter files where no threads are requested', ['stats', 'middle.csv']],
    ['for arrays', ['stats', 'long.nc', '--threads', '2']],
    ['for files that do not exist', ['stats', 'absent.parquet', '--threads', '2']],
    ['for folders', ['stats', '.', '--threads', '2']],
    ['for commands that read no tables', ['inspect', 'long.parquet', '--threads', '2']],
    ['without a command', []],
  ])('but not %s', (_, args) => expect(readsInThreads(inFolder(args))).toBe(false));
});

/** Arguments with the paths of files. */
function inFolder(args: readonly string[]): string[] {
  return args.map((arg) => (/\.|without/.test(arg) && !arg.startsWith('-') ? path(arg) : arg));
}
