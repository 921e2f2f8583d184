import { createReadStream, type Stats } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { unreadable } from '../disk/file-fault.js';
import { readRegularFile } from '../disk/regular-file.node.js';
import { standardPieces } from '../disk/standard-pieces.node.js';
import { FileError } from '../errors.js';
import { foreignFormat } from '../files/foreign-format.js';
import { addressOf, retry, sendRequest, unreachable, withoutCredentials } from '../files/http-requests.js';
import { STORE_FILES } from '../files/zarr/zarr-format.js';
import type { InputFile } from './input-of-files.js';
import { copiedFile } from './temporary-input.js';
import { unpackedFile } from './unpacked-file.js';

export { arraysInput, type InputFile, joinedInput } from './input-of-files.js';

/** The name of standard input and output. */
export const STANDARD = '-';

/** The name of a file in messages. */
export function sourceName(path: string): string {
  return path === STANDARD ? 'standard input' : path;
}

/** Other names of standard input. */
const STANDARD_PATHS = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

/** Whether a path is `-`, or another name of standard input where that is no file: a file can be read by its path. */
export async function isStandardInput(path: string): Promise<boolean> {
  if (path === STANDARD) return true;
  return STANDARD_PATHS.includes(path) && !(await statusOf(path))?.isFile();
}

function statusOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** Reads the bytes of a file, or of standard input. Throws FileError. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (await isStandardInput(path)) return joinPieces(standardInput());
  try {
    return await readRegularFile(path);
  } catch (cause) {
    throw unreadable(path, cause, 'a readable file');
  }
}

/** By these an Arrow stream is known. */
const FIRST_BYTES = 4;

/** Opens standard input piece by piece, with its first bytes, which are also in the first piece. */
export async function openStandardInput(): Promise<{ head: Uint8Array; pieces: AsyncIterable<Uint8Array> }> {
  const rest: AsyncIterator<Uint8Array> = standardInput();
  let head = Buffer.alloc(0);
  while (head.length < FIRST_BYTES) {
    const { done, value } = await rest.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* pieces() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head, pieces: pieces() };
}

/** The pieces of standard input. Throws FileError. */
async function* standardInput(): AsyncGenerator<Uint8Array> {
  try {
    yield* standardPieces();
  } catch (cause) {
    throw unreadable('standard input', cause, 'a file or a pipe');
  }
}

/** The pieces of a named pipe, such as a shell makes of `<(...)`. Throws FileError. */
async function* pipePieces(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (cause) {
    throw unreadable(path, cause, 'a pipe that can be read');
  }
}

export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/**
 * Opens the file of an input. Standard input, named pipes and files at web addresses are copied to a temporary file, so
 * that they can have any format and length; a Zarr store at an address stays there. Throws FileError.
 */
export async function openInputFile(
  path: string,
  pieces: () => AsyncIterable<Uint8Array> = standardInput,
): Promise<InputFile> {
  if (await isStandardInput(path)) return copiedFile(sourceName(path), pieces());
  if (FILE_URL.test(path)) return openInputFile(pathOfUrl(path));
  if (isAddress(path)) {
    const found = await openAddress(path);
    if (found.kind === 'file') return copiedFile(found.source, found.pieces());
    return { path, source: found.source, close: async () => {} };
  }
  const status = await statusOf(path);
  if (status?.isFIFO()) return copiedFile(path, pipePieces(path));
  return (status?.isFile() ? await unpackedFile(path) : undefined) ?? { path, source: path, close: async () => {} };
}

const FILE_URL = /^file:/i;

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new FileError({
      subject: url,
      problem: 'is no address of a file here',
      allowed: 'file:///and/its/path',
      cause,
    });
  }
}

/** What is at a web address: a Zarr store, or a file, whose bytes are read as they come. */
type RemoteInput =
  | { readonly kind: 'store'; readonly source: string }
  | { readonly kind: 'file'; readonly source: string; pieces(): AsyncIterable<Uint8Array> };

/** Limits of a download; tests set lower ones. */
interface DownloadLimits {
  /** The longest pause before the response and between its parts, in milliseconds. */
  readonly pauseMs?: number;
  /** The most bytes of a file; by default, what is free where temporary files are. */
  readonly maxBytes?: number;
}

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;
const PAUSE_MS = 60_000;
const RETRIES = 3;
/** Servers that give several formats are asked for those that keep numbers as they are. */
const ACCEPT = 'application/vnd.apache.arrow.stream, text/csv;q=0.9, */*;q=0.8';

/** Whether the name of an input is an address, such as `https://example.org/gefs.nc`. */
export function isAddress(path: string): boolean {
  return SCHEME.test(path);
}

/**
 * Requests what is at an address: a Zarr store, by the end of its path (`.zarr` or a slash) or by its metadata, or else
 * a file. Messages leave out user, password and query. Throws FileError where there is neither, and `pieces` where the
 * body is cut, a page of HTML, or too large.
 */
export async function openAddress(address: string, limits: DownloadLimits = {}): Promise<RemoteInput> {
  const { url, headers } = withoutCredentials(httpAddress(address));
  const source = addressOf(url);
  if (/(\.zarr|\/)$/.test(url.pathname)) return { kind: 'store', source };
  const ending = new AbortController();
  const watch = new PauseWatch(ending, limits.pauseMs ?? PAUSE_MS);
  const elsewhere = 'authorization' in headers ? 'without-credentials' : 'same';
  const request = async (at: URL) => {
    const attempt = async () => {
      const toSend = new Request(at, { headers: { accept: ACCEPT, ...headers }, signal: ending.signal });
      return { response: await watch.during(sendRequest(toSend, fetch, elsewhere)) };
    };
    const { response } = await retry(attempt, RETRIES, ending.signal).catch((cause) => {
      throw unreachable(source, cause);
    });
    return response;
  };
  const response = await request(url);
  if (response.ok && response.body !== null) {
    const pieces = () => piecesOf(response, source, watch, limits.maxBytes);
    return { kind: 'file', source, pieces };
  }
  await response.body?.cancel();
  // Buckets that cannot be listed answer 403 for what they do not have.
  if ([403, 404].includes(response.status)) {
    for (const name of STORE_FILES) {
      const at = new URL(url);
      at.pathname = `${at.pathname}/${name}`;
      const found = await request(at);
      await found.body?.cancel();
      if (found.ok) return { kind: 'store', source };
    }
  }
  throw notAnswered(source, response);
}

function httpAddress(address: string): URL {
  const [, scheme = ''] = SCHEME.exec(address) ?? [];
  const isHttp = /^https?$/i.test(scheme);
  if (isHttp && URL.canParse(address)) return new URL(address);
  throw new FileError({
    ...{ subject: isHttp ? 'address' : `${scheme}://`, received: address },
    problem: isHttp ? 'is not an address' : 'addresses of this kind are not read',
    allowed: 'https:// or http:// and the address of a file or of a Zarr store; or a file that was downloaded first',
  });
}

function notAnswered(subject: string, { status, statusText }: Response): FileError {
  const allowed =
    status === 401 || status === 403
      ? 'an address that needs no key; or what curl gets with one, on standard input: curl -H "X-Api-Key: ..." ADDRESS | plumecast ... -'
      : 'an address that a server answers with 200 and a file, or that of a Zarr store';
  const received = `${status} ${statusText}`.trim();
  return new FileError({ subject, problem: 'the server does not give it', received, allowed });
}

async function* piecesOf(
  { headers, body }: Response,
  source: string,
  watch: PauseWatch,
  limit: number | undefined,
): AsyncGenerator<Uint8Array> {
  const maxBytes = limit ?? (await freeBytes());
  const tooLarge = (bytes: number) =>
    new FileError({
      ...{ subject: source, problem: 'is larger than what is free for temporary files' },
      received: `${bytes} bytes`,
      allowed: `${maxBytes} bytes; TMPDIR names a folder with more`,
    });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  try {
    const stated = Number(headers.get('content-length') ?? 0);
    if (stated > maxBytes) throw tooLarge(stated);
    for (let bytes = 0; ; ) {
      const { done, value } = await watch.during(reader.read()).catch((cause) => {
        throw cutOff(source, bytes, cause);
      });
      if (done) return;
      if (bytes === 0) assertNoPage(value, source);
      bytes += value.length;
      if (bytes > maxBytes) throw tooLarge(bytes);
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize;
}

function assertNoPage(head: Uint8Array, subject: string): void {
  const format = foreignFormat(head);
  if (format?.name !== 'XML or HTML') return;
  const allowed = 'the address of the data themselves, not of a page about them or to log in';
  throw new FileError({ subject, problem: 'gives a page (HTML or XML), not data', allowed });
}

function cutOff(subject: string, bytes: number, cause: unknown): FileError {
  const isSlow = (cause as Error).name === 'TimeoutError';
  const problem = `ends early, after ${bytes} bytes${isSlow ? ': nothing came for too long' : ''}`;
  return new FileError({ subject, problem, allowed: 'a server that sends all of it', cause });
}

/** Ends requests in which nothing happens. */
class PauseWatch {
  readonly #ending: AbortController;
  readonly #pauseMs: number;

  constructor(ending: AbortController, pauseMs: number) {
    this.#ending = ending;
    this.#pauseMs = pauseMs;
  }

  async during<T>(step: Promise<T>): Promise<T> {
    const end = () => this.#ending.abort(new DOMException(`nothing within ${this.#pauseMs} ms`, 'TimeoutError'));
    const timer = setTimeout(end, this.#pauseMs);
    try {
      return await step;
    } finally {
      clearTimeout(timer);
    }
  }
}
