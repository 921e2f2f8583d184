import { stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileError } from '../errors.js';
import { readHead } from '../files/disk-file.node.js';
import { foreignFormat } from '../files/foreign-format.js';
import type { InventoryText } from '../files/grib/cube/grib-files.js';
import { indexNames, MAX_INDEX_BYTES } from '../files/grib/inventory/index-names.js';
import { REPOSITORY_FILES } from '../files/icechunk/icechunk-address.js';
import { findFormat } from '../files/open-source.js';
import { remoteAddress } from '../files/remote/remote-address.js';
import { RemoteFile } from '../files/remote/remote-file.node.js';
import { openRemote, type RemoteObject } from '../files/remote/remote-object.js';
import { httpRemote, type RemoteAddress, type RemoteOptions, signed } from '../files/remote/remote-server.js';
import { STORE_FILES } from '../files/zarr/zarr-format.js';
import type { InputFile } from './input-of-files.js';
import { copiedFile, temporaryFolder } from './temporary-input.js';

/** What is at a web address: a Zarr store, or a file, whose bytes are read as they come or by ranges. */
type RemoteInput =
  | { readonly kind: 'store'; readonly source: string; readonly address: RemoteAddress }
  | {
      readonly kind: 'file';
      readonly source: string;
      pieces(): AsyncIterable<Uint8Array>;
      /** What gives ranges of it. */
      readonly object?: RemoteObject;
      readonly address: RemoteAddress;
      /** Why it can only be read as a whole. */
      readonly reason?: string;
    };

/** Limits of a download; tests set lower ones. */
interface DownloadLimits extends RemoteOptions {
  /** The most bytes of a file; by default, what is free where temporary files are. */
  readonly maxBytes?: number;
}

/** Formats of which ranges are read, where a file is not short. */
const IN_RANGES = ['parquet', 'arrow-file', 'netcdf3', 'netcdf4', 'grib'];
/** Shorter files are requested as a whole. */
const SHORT_BYTES = 1_048_576;

/**
 * Opens what is at a web address. A Zarr store stays there; of a long file of NetCDF, Parquet, Arrow, and of GRIB beside
 * which an index file stands, what is read is requested; other files are copied to a temporary one. Throws FileError.
 */
export async function openRemoteInput(given: string, limits: DownloadLimits = {}): Promise<InputFile> {
  const found = await openAddress(given, limits);
  const { source } = found;
  if (found.kind === 'store') return storeInput(given, found.address);
  const { object, address, reason } = found;
  if (object !== undefined && object.size > SHORT_BYTES) {
    const format = findFormat(object.head)?.name ?? '';
    const inventory = format === 'grib' ? await findIndex(address, limits) : undefined;
    if (IN_RANGES.includes(format) && (format !== 'grib' || inventory !== undefined))
      return remoteFile(given, object, inventory);
  }
  const input = await copiedFile(source, found.pieces());
  if (reason === undefined || (await stat(input.path)).size <= SHORT_BYTES) return input;
  const format = findFormat(await readHead(input.path))?.name ?? '';
  const isMeant = IN_RANGES.includes(format) && format !== 'grib';
  return isMeant ? { ...input, note: `all of it is copied: ${reason}` } : input;
}

/** A store that stays where it is. */
function storeInput(given: string, { source, url, sign }: RemoteAddress): InputFile {
  const input = { source, close: async () => {} };
  if (sign === undefined) return { ...input, path: /^https?:/i.test(given) ? given : source };
  return { ...input, path: url.href, fetch: signed(sign) };
}

async function remoteFile(path: string, object: RemoteObject, inventory?: InventoryText): Promise<InputFile> {
  const folder = await temporaryFolder();
  try {
    const copy = join(folder.path, 'parts');
    const remote = await RemoteFile.open(object, { copy, ...(inventory && { inventory }) });
    return { path, source: object.source, remote, close: () => remote.end().finally(folder.remove) };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Reads the index file that stands beside a GRIB file on its server; undefined where there is none. */
async function findIndex(address: RemoteAddress, limits: DownloadLimits): Promise<InventoryText | undefined> {
  const { pathname } = address.url;
  for (const name of indexNames(pathname.slice(pathname.lastIndexOf('/') + 1))) {
    const url = new URL(address.url);
    url.pathname = pathname.slice(0, pathname.lastIndexOf('/') + 1) + name;
    const beside = { ...address, ...httpRemote(url), headers: address.headers };
    const answer = await openRemote(beside, limits);
    if (answer.kind === 'none') continue;
    const pieces = answer.kind === 'whole' ? answer.answer.pieces() : piecesOf(answer.object);
    const text = await readText(pieces);
    // A server may answer with a page for what it does not have.
    if (text === undefined || !/^(\{|\d+(\.\d+)?:)/.test(text)) continue;
    return { source: beside.source, text };
  }
  return undefined;
}

async function readText(pieces: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_INDEX_BYTES) return undefined;
  }
  return text;
}

/**
 * Requests what is at an address: a Zarr store, by the end of its path (`.zarr`, `.icechunk` or a slash) or by its metadata, or else
 * a file. Messages leave out user, password and query. Throws FileError where there is neither, and `pieces` where the
 * body is cut, a page of HTML, or too large.
 */
export async function openAddress(given: string, limits: DownloadLimits = {}): Promise<RemoteInput> {
  const address = remoteAddress(given);
  const { source, url } = address;
  if (/(\.(zarr|icechunk)|\/)$/.test(url.pathname)) return { kind: 'store', source, address };
  const found = await openRemote(address, limits);
  if (found.kind === 'ranges') {
    const { object } = found;
    assertNoPage(object.head, source);
    return {
      kind: 'file',
      source,
      address,
      object,
      pieces: () => limited(piecesOf(object), source, limits, object.size),
    };
  }
  if (found.kind === 'whole') {
    const { answer, reason } = found;
    const stated = Number(answer.response.headers.get('content-length') ?? 0);
    return { kind: 'file', source, address, reason, pieces: () => limited(answer.pieces(), source, limits, stated) };
  }
  const { response } = found;
  // Buckets that cannot be listed answer 403 for what they do not have.
  if ([403, 404].includes(response.status)) {
    for (const name of [...STORE_FILES, ...REPOSITORY_FILES]) {
      const at = new URL(url);
      at.pathname = `${at.pathname}/${name}`;
      const metadata = await openRemote({ ...address, url: at }, limits);
      if (metadata.kind === 'whole') await metadata.answer.response.body?.cancel();
      if (metadata.kind !== 'none') return { kind: 'store', source, address };
    }
  }
  throw notAnswered(source, response);
}

/** All bytes of an object, some megabytes at a time. */
async function* piecesOf(object: RemoteObject): AsyncGenerator<Uint8Array> {
  yield object.head;
  const PIECE_BYTES = 8_388_608;
  for (let at = object.head.length; at < object.size; at += PIECE_BYTES)
    yield await object.range(at, Math.min(PIECE_BYTES, object.size - at));
}

function notAnswered(subject: string, { status, statusText }: Response): FileError {
  const isKept = status === 401 || status === 403;
  const allowed =
    isKept && subject.startsWith('s3:')
      ? 'keys that may read it, in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE; AWS_NO_SIGN_REQUEST=YES for public buckets'
      : isKept
        ? 'an address that needs no key; or what curl gets with one, on standard input: curl -H "X-Api-Key: ..." ADDRESS | plumecast ... -'
        : 'an address that a server answers with 200 and a file, or that of a Zarr store';
  const received = `${status} ${statusText}`.trim();
  return new FileError({ subject, problem: 'the server does not give it', received, allowed });
}

/** The bytes of a body. Throws FileError where they are a page, too many (also as `stated`), or end early. */
async function* limited(
  body: AsyncIterable<Uint8Array>,
  source: string,
  limits: DownloadLimits,
  stated: number,
): AsyncGenerator<Uint8Array> {
  const maxBytes = limits.maxBytes ?? (await freeBytes());
  const tooLarge = (bytes: number) =>
    new FileError({
      ...{ subject: source, problem: 'is larger than what is free for temporary files' },
      received: `${bytes} bytes`,
      allowed: `${maxBytes} bytes; TMPDIR names a folder with more`,
    });
  const pieces = body[Symbol.asyncIterator]();
  try {
    if (stated > maxBytes) throw tooLarge(stated);
    for (let bytes = 0; ; ) {
      const { done, value } = await pieces.next().catch((cause) => {
        throw cause instanceof FileError ? cause : cutOff(source, bytes, cause);
      });
      if (done) return;
      if (bytes === 0) assertNoPage(value, source);
      bytes += value.length;
      if (bytes > maxBytes) throw tooLarge(bytes);
      yield value;
    }
  } finally {
    await pieces.return?.();
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
