import { appendFile, readFile } from 'node:fs/promises';
import { unreadable, unwritable } from '../file-fault.js';
import type { Fingerprint } from './fingerprint.js';

/** An output that is whole under its final name: what it is, and what it was made of. */
export interface FinishedOutput {
  /** Its path below the folder of the outputs. */
  readonly output: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
  /** SHA-256 of what was asked of it and of the version that made it: another request is another output. */
  readonly request: string;
  /** Of the files that it was computed from, climatologies included. */
  readonly inputs: readonly NamedFingerprint[];
}

export interface NamedFingerprint extends Fingerprint {
  readonly path: string;
}

/** Adds an output to a journal, which is made where there is none. Throws FileError. */
export async function addToJournal(path: string, finished: FinishedOutput): Promise<void> {
  // The line break comes first: an entry that was cut, by a kill or a full disk, spoils none after it.
  await appendFile(path, `\n${JSON.stringify(finished)}`).catch((cause) => {
    throw unwritable(path, cause);
  });
}

/** What a journal tells, the latest of each output; nothing where there is none. An entry that was cut is passed over. Throws FileError. */
export async function readJournal(path: string): Promise<Map<string, FinishedOutput>> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '';
    throw unreadable(path, cause, 'the journal of a batch');
  });
  const finished = new Map<string, FinishedOutput>();
  for (const line of text.split('\n')) {
    const entry = parsed(line);
    if (entry !== undefined) finished.set(entry.output, entry);
  }
  return finished;
}

function parsed(line: string): FinishedOutput | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as FinishedOutput);
  } catch {
    return undefined;
  }
}
