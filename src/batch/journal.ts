import { appendFile } from 'node:fs/promises';
import { JsonFields } from '../check/json-fields.js';
import { unreadable, unwritable } from '../disk/file-fault.js';
import { openRegularFile } from '../disk/regular-file.node.js';
import { FormatError, isPlumecastError } from '../errors.js';
import type { Fingerprint } from './fingerprint.js';

/** A complete output under its final name, and what it was made from. */
export interface FinishedOutput {
  /** Its path below the folder of the outputs. */
  readonly output: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
  /** SHA-256 of its request and of the version that made it: another request is another output. */
  readonly request: string;
  /** The files that it was computed from, including climatologies. */
  readonly inputs: readonly NamedFingerprint[];
}

export interface NamedFingerprint extends Fingerprint {
  readonly path: string;
}

/** The content of a journal. */
export interface Journal {
  /** The latest entry of each output. */
  readonly finished: ReadonlyMap<string, FinishedOutput>;
  /** Lines that cannot be read: cut off by a kill or a full disk, or damaged on the disk. */
  readonly damage: JournalDamage;
}

export interface JournalDamage {
  readonly lines: number;
  /** The problems of the first of them, by line number. */
  readonly problems: ReadonlyMap<number, string>;
}

const JOURNAL = 'an entry of the journal of a batch';
/** An entry lists its inputs, possibly a hundred thousand; a longer line is damaged. */
const MAX_LINE_BYTES = 67_108_864;
const LINE_BREAK = 10;
const MAX_PROBLEMS = 5;

/** Adds an output to a journal, which is created if it does not exist. Throws FileError. */
export async function addToJournal(path: string, finished: FinishedOutput): Promise<void> {
  // The line break comes first: an entry cut off by a kill or a full disk does not damage the next one.
  await appendFile(path, `\n${JSON.stringify(finished)}`).catch((cause) => {
    throw unwritable(path, cause);
  });
}

/** Reads a journal; without a file it is empty. Throws FileError. */
export function readJournal(path: string): Promise<Journal> {
  return journalOf(readLines(path), path);
}

/** The journal that lines are; `path` names them in messages. */
export async function journalOf(given: Iterable<Line> | AsyncIterable<Line>, path: string): Promise<Journal> {
  const finished = new Map<string, FinishedOutput>();
  const problems = new Map<number, string>();
  let lines = 0;
  for await (const { number, bytes } of given) {
    try {
      const entry = readFinishedOutput(JsonFields.parse(decodeLine(bytes), path, JOURNAL));
      finished.set(entry.output, entry);
    } catch (error) {
      if (!isPlumecastError(error, 'format')) throw error;
      lines++;
      if (problems.size < MAX_PROBLEMS) problems.set(number, error.problem);
    }
  }
  return { finished, damage: { lines, problems } };
}

/** Reads an entry. Throws FormatError for the first field that is wrong. */
export function readFinishedOutput(fields: JsonFields): FinishedOutput {
  return { ...readOutputFields(fields), inputs: fields.objects('inputs').map(readFingerprint) };
}

/** Reads an entry without its inputs. */
export function readOutputFields(fields: JsonFields): Omit<FinishedOutput, 'inputs'> {
  return {
    output: fields.path('output'),
    bytes: fields.count('bytes', 0),
    sha256: fields.text('sha256'),
    rows: fields.count('rows', 0),
    request: fields.text('request'),
  };
}

export function readFingerprint(fields: JsonFields): NamedFingerprint {
  return {
    path: fields.text('path'),
    bytes: fields.count('bytes', 0),
    modified: fields.text('modified'),
    sha256: fields.text('sha256'),
  };
}

function decodeLine(bytes: Uint8Array | undefined): string {
  try {
    if (bytes !== undefined) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FormatError({ subject: 'line', problem: 'is not text', cause });
  }
  throw new FormatError({ subject: 'line', problem: `has more than ${MAX_LINE_BYTES} bytes` });
}

interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Undefined if the line is too long. */
  readonly bytes: Uint8Array | undefined;
}

/** Reads the lines of a file that are not empty; none if there is no file. Throws FileError. */
async function* readLines(path: string): AsyncGenerator<Line> {
  let [number, length] = [1, 0];
  let pieces: Uint8Array[] = [];
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
    else pieces = [];
  };
  const line = (): Line => ({ number, bytes: length > MAX_LINE_BYTES ? undefined : Buffer.concat(pieces) });
  try {
    const handle = await openRegularFile(path);
    for await (const chunk of handle.createReadStream() as AsyncIterable<Uint8Array>) {
      let from = 0;
      for (let to = chunk.indexOf(LINE_BREAK); to >= 0; to = chunk.indexOf(LINE_BREAK, from)) {
        add(chunk.subarray(from, to));
        if (length > 0) yield line();
        number++;
        [length, pieces] = [0, []];
        from = to + 1;
      }
      add(chunk.subarray(from));
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw unreadable(path, cause, 'the journal of a batch');
  }
  if (length > 0) yield line();
}
