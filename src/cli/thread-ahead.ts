import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { readingThreads } from '../files/parts-thread.node.js';

const READING_COMMANDS = ['stats', 'convert', 'climatology', 'blend'];
const TEXT_ENDINGS = ['.csv', '.tsv', '.txt'];
const PARQUET = 'PAR1';

/**
 * Whether a command line seems to name a file that several threads read. One of them may start at once then: it takes as
 * long as the command itself, and does so beside it. A wrong guess costs time, no more.
 */
export function readsInThreads([command, ...args]: readonly string[]): boolean {
  if (!READING_COMMANDS.includes(command)) return false;
  const threads = requestedThreads(args);
  return threads !== 1 && args.some((arg) => isReadInThreads(arg, threads));
}

function requestedThreads(args: readonly string[]): number | undefined {
  const index = args.findIndex((arg) => /^--threads(?:=|$)/.test(arg));
  if (index < 0) return undefined;
  const count = Number(args[index].split('=')[1] ?? args[index + 1]);
  return Number.isInteger(count) ? count : 1;
}

function isReadInThreads(path: string, threads: number | undefined): boolean {
  if (path.startsWith('-')) return false;
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (!status?.isFile()) return false;
    const form = TEXT_ENDINGS.includes(extname(path).toLowerCase())
      ? 'text'
      : firstBytes(path) === PARQUET && 'parquet';
    return form !== false && readingThreads(form, status.size, threads, availableParallelism()) > 1;
  } catch {
    // The command finds out, and says so.
    return false;
  }
}

function firstBytes(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(PARQUET.length);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
