import { FileError } from '../../errors.js';
import { HEAD_BYTES } from '../byte-source.js';
import { type RemoteAddress, type RemoteOptions, type RemoteResponse, requestRemote } from './remote-server.js';

/** What a server has at an address. */
export type RemoteAnswer =
  | { readonly kind: 'ranges'; readonly object: RemoteObject }
  | {
      readonly kind: 'whole';
      readonly answer: RemoteResponse;
      /** Why ranges of it cannot be requested. */
      readonly reason: string;
    }
  | { readonly kind: 'none'; readonly response: Response };

const IGNORES = 'the server ignores ranges';
/** A read of many ranges should not fail because of one. */
const RETRIES = 5;
const RANGE_NOT_SATISFIABLE = 416;
const PRECONDITION_FAILED = 412;

/**
 * Requests the first bytes of an object: all of it where it is short, or the server does not give ranges. Throws
 * FileError where the server cannot be reached.
 */
export async function openRemote(address: RemoteAddress, options: RemoteOptions = {}): Promise<RemoteAnswer> {
  const range = { range: `bytes=0-${HEAD_BYTES - 1}`, 'accept-encoding': 'identity' };
  let reason = IGNORES;
  const first = await requestRemote(address, range, options, async (answer): Promise<RemoteAnswer | undefined> => {
    const { response } = answer;
    const { status, ok } = response;
    if (status === 206) {
      const size = sizeOf(response, 0);
      const length = size === undefined ? 0 : Math.min(size, HEAD_BYTES);
      if (length > 0 && !isEncoded(response)) {
        const head = await readExactly(answer, length);
        const version = versionOf(response);
        return { kind: 'ranges', object: new RemoteObject(address, options, { size: size as number, head, version }) };
      }
      reason = size === undefined ? 'the server does not say how long it is' : 'the server sends it compressed';
    }
    if (status === 206 || status === RANGE_NOT_SATISFIABLE) {
      await response.body?.cancel();
      return undefined;
    }
    if (ok) return { kind: 'whole', answer, reason };
    await response.body?.cancel();
    return { kind: 'none', response };
  });
  if (first !== undefined) return first;
  return requestRemote(address, {}, options, async (answer) => {
    if (answer.response.ok) return { kind: 'whole', answer, reason };
    await answer.response.body?.cancel();
    return { kind: 'none', response: answer.response };
  });
}

/** One version of an object. */
interface Version {
  readonly tag: string | null;
  readonly modified: string | null;
}

/** An object on a server that gives ranges of it. All ranges are of one version. */
export class RemoteObject {
  /** Its address for messages. */
  readonly source: string;
  readonly size: number;
  /** Its first bytes: all, or some ten thousand. */
  readonly head: Uint8Array;
  readonly #address: RemoteAddress;
  readonly #options: RemoteOptions;
  readonly #version: Version;

  constructor(
    address: RemoteAddress,
    options: RemoteOptions,
    { size, head, version }: { readonly size: number; readonly head: Uint8Array; readonly version: Version },
  ) {
    this.source = address.source;
    this.size = size;
    this.head = head;
    this.#address = address;
    this.#options = options;
    this.#version = version;
  }

  /**
   * Requests `length` bytes from `offset` on, which are in the object. Throws FileError where the server cannot be
   * reached, does not give them, or has another version of the object by now.
   */
  async range(offset: number, length: number): Promise<Uint8Array> {
    const known = { size: this.size, ...this.#version };
    return (await requestRange(this.#address, { offset, length }, this.#options, known)).bytes;
  }
}

/** What is known of an object before a range of it is requested. */
interface Known extends Version {
  readonly size: number;
}

/**
 * Requests a range of an object, up to its end without a `length`; with its tag, if the server states one. Throws
 * FileError where the server cannot be reached, does not give it, or has another version than the one that is known.
 */
export async function requestRange(
  address: RemoteAddress,
  { offset, length }: { readonly offset: number; readonly length: number | undefined },
  options: RemoteOptions,
  known?: Known,
): Promise<{ readonly bytes: Uint8Array; readonly version: string | undefined }> {
  const tag = known?.tag ?? null;
  const range = {
    range: `bytes=${offset}-${length === undefined ? '' : offset + length - 1}`,
    'accept-encoding': 'identity',
    // A weak tag is never equal to another one in this header.
    ...(tag !== null && !tag.startsWith('W/') && { 'if-match': tag }),
  };
  const found = await requestRemote(address, range, { retries: RETRIES, ...options }, async (answer) => {
    const { response } = answer;
    const fault = faultOf(response, offset, address.source, known);
    if (fault === undefined) {
      const size = sizeOf(response, offset) as number;
      const bytes = await readExactly(answer, length ?? size - offset);
      return { bytes, version: versionOf(response).tag ?? undefined };
    }
    await response.body?.cancel();
    // A temporary failure is repeated; the last one counts.
    if (fault.isTemporary) return fault.error;
    throw fault.error;
  });
  if (found instanceof FileError) throw found;
  return found;
}

/** What is wrong with a response to a request of bytes from `offset` on. */
function faultOf(
  response: Response,
  offset: number,
  subject: string,
  known: Known | undefined,
): { readonly error: FileError; readonly isTemporary?: boolean } | undefined {
  const { status, statusText } = response;
  const fault = (problem: string, allowed: string, received?: string) =>
    new FileError({ subject, problem, allowed, ...(received !== undefined && { received }) });
  const changed = () => ({
    error: fault('was changed on the server while it was read', 'an object that stays as it is until it is read'),
  });
  if (status === PRECONDITION_FAILED || status === RANGE_NOT_SATISFIABLE) return changed();
  if (status !== 206) {
    const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
    const isPage = response.ok && /html/.test(response.headers.get('content-type') ?? '');
    const problem = isPage
      ? 'the server gives a page (HTML) instead of a part of it'
      : response.ok
        ? 'the server gives no part of it'
        : 'the server does not give a part of it';
    const allowed = 'a server that answers requests of ranges with 206';
    return { error: fault(problem, allowed, `${status} ${statusText}`.trim()), isTemporary };
  }
  const now = versionOf(response);
  const isOther = (before: string | null, after: string | null) =>
    before !== null && after !== null && before !== after;
  const size = sizeOf(response, offset);
  if (known !== undefined) {
    const isChanged = isOther(known.tag, now.tag) || (known.tag === null && isOther(known.modified, now.modified));
    if (isChanged || (size !== undefined && size !== known.size)) return changed();
  }
  if (size !== undefined && !isEncoded(response)) return undefined;
  const received = response.headers.get('content-range') ?? undefined;
  const problem = 'the server gives other bytes than those that were requested';
  return { error: fault(problem, `bytes from ${offset} on${known ? ` of ${known.size}` : ''}`, received) };
}

/** The size of the object that a response with bytes from `at` on states; undefined where it is of other bytes. */
function sizeOf({ headers }: Response, at: number): number | undefined {
  const [, from, size] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headers.get('content-range') ?? '') ?? [];
  return Number(from) === at ? Number(size) : undefined;
}

/** Whether bytes are compressed on their way: ranges would be of the compressed ones. */
function isEncoded({ headers }: Response): boolean {
  return !['', 'identity'].includes(headers.get('content-encoding') ?? '');
}

function versionOf({ headers }: Response): Version {
  return { tag: headers.get('etag'), modified: headers.get('last-modified') };
}

/** Reads a body of a known length. Throws Error, so that the request is repeated, where it has another one. */
async function readExactly({ pieces }: RemoteResponse, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const piece of pieces()) {
    if (at + piece.length > length) throw new Error(`more than the ${length} bytes that were requested`);
    bytes.set(piece, at);
    at += piece.length;
  }
  if (at < length) throw new Error(`the connection ended after ${at} of ${length} bytes`);
  return bytes;
}
