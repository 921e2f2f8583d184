import { createHash } from 'node:crypto';
import { FileError } from '../errors.js';
import { remoteAddress } from '../files/remote/remote-address.js';
import { type RemoteResponse, requestRemote } from '../files/remote/remote-server.js';

/** The state of an object at an address. */
interface RemoteState {
  readonly bytes: number;
  /** When it was last changed and its version, as far as the server states them. */
  readonly modified: string;
  /** Its version (ETag), where the server states one. */
  readonly tag: string | undefined;
}

const PASSED_BY = { cached: { isPassedBy: true } };

/**
 * Reads the size of an object at an address, and when it was last changed and its version, where the server states them, by
 * a request for its first byte. Throws FileError where there is no such object, or its size is not known.
 */
export async function readRemoteState(address: string): Promise<RemoteState> {
  const remote = remoteAddress(address);
  return requestRemote(remote, { range: 'bytes=0-0' }, PASSED_BY, async ({ response }) => {
    await response.body?.cancel();
    assertGiven(remote.source, response);
    const { headers, status } = response;
    const stated =
      status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : headers.get('content-length');
    if (!/^\d+$/.test(stated ?? '')) {
      const allowed = 'a server that states the length of a file, or a copy of it on a disk';
      throw new FileError({ subject: remote.source, problem: 'the server does not say how long it is', allowed });
    }
    const tag = headers.get('etag') ?? undefined;
    const time = Date.parse(headers.get('last-modified') ?? '');
    const at = Number.isFinite(time) ? new Date(time).toISOString() : undefined;
    // Times have whole seconds: a file may be replaced within one.
    const modified = [at, tag].filter((text) => text !== undefined).join(' ') || 'unknown';
    return { bytes: Number(stated), modified, tag };
  });
}

/**
 * The checksum of an object at an address: of its version, as its server states it (ETag), together with its size; else of
 * all of its bytes, which are requested. Throws FileError.
 */
export async function hashRemote(address: string, signal?: AbortSignal): Promise<string> {
  const { tag, bytes } = await readRemoteState(address);
  const hash = createHash('sha256');
  if (tag !== undefined) return hash.update(`${tag} ${bytes}`).digest('hex');
  const remote = remoteAddress(address);
  return requestRemote(remote, {}, { ...PASSED_BY, signal }, async ({ response, pieces }) => {
    assertGiven(remote.source, response);
    const all = createHash('sha256');
    for await (const piece of pieces()) all.update(piece);
    return all.digest('hex');
  });
}

function assertGiven(subject: string, { ok, status, statusText }: RemoteResponse['response']): void {
  if (ok) return;
  throw new FileError({
    ...{ subject, problem: 'the server does not give it', received: `${status} ${statusText}`.trim() },
    allowed: 'the address of a file',
  });
}
