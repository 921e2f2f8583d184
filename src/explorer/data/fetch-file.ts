import { FileError } from '../../errors.js';
import { HEAD_BYTES } from '../../files/byte-source.js';
import { REPOSITORY_FILES } from '../../files/icechunk/icechunk-address.js';
import { isReadAtOnce, MAX_PAGE_BYTES, tooLongForPage } from '../../files/page-length.js';
import { STORE_FILES } from '../../files/zarr/zarr-format.js';
import type { Given, GivenAddress, GivenFile, GivenStore } from './file-origin.js';

/** What the page sends to an address that the reader enters: no cookies, and not where it comes from. */
const PRIVATELY: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer' };

/**
 * Opens what is at an address: a Zarr store, by the end of its path (`.zarr` or a slash) or by its metadata, or else a
 * file, which is fetched. Throws FileError where there is neither; `signal` ends the request.
 */
export async function fetchGiven(
  address: GivenAddress,
  signal: AbortSignal,
  maxBytes = MAX_PAGE_BYTES,
): Promise<Given> {
  const { pathname } = new URL(address.url);
  if (/(\.zarr|\/)$/.test(pathname)) return storeAt(address, signal);
  const response = await ask(address.url, signal);
  if (response.ok) {
    const content = await readContent(response, address, { signal, maxBytes });
    return { ...named(address), content } satisfies GivenFile;
  }
  if ([403, 404].includes(response.status) && (await hasMetadata(address, signal))) return storeAt(address, signal);
  const received = `status ${response.status}`;
  const allowed = 'status 200 and a file, or a Zarr store';
  throw new FileError({ subject: address.url, problem: 'is not answered', received, allowed });
}

/** Sends a request of a store. A browser hides where redirects lead: without a password it follows all. */
function send(request: Request): Promise<Response> {
  return fetch(request, request.headers.has('authorization') ? PRIVATELY : { ...PRIVATELY, redirect: 'follow' });
}

async function ask(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { ...PRIVATELY, signal }).catch((cause) => {
    signal.throwIfAborted();
    const problem = 'cannot be reached, or does not let this page read it';
    const allowed = 'an address whose server is up and sends Access-Control-Allow-Origin';
    throw new FileError({ subject: url, problem, allowed, cause });
  });
}

/**
 * Reads an answer to its end, or until it is longer than a file of its kind may be. Throws FileError where it is too
 * long, or cut off.
 */
async function readContent(
  { body, headers }: Response,
  { url, path }: GivenAddress,
  { signal, maxBytes }: { readonly signal: AbortSignal; readonly maxBytes: number },
): Promise<Blob> {
  if (body === null) return new Blob([]);
  const head = new Uint8Array(HEAD_BYTES);
  const stated = Number(headers.get('content-length') ?? 0);
  let read = 0;
  let isLimited: boolean | undefined;
  let fault: FileError | undefined;
  const checked = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, controller) {
        if (read < HEAD_BYTES) head.set(bytes.subarray(0, HEAD_BYTES - read), read);
        read += bytes.length;
        if (read >= HEAD_BYTES) isLimited ??= isReadAtOnce(head);
        if (isLimited !== true || Math.max(stated, read) <= maxBytes) return controller.enqueue(bytes);
        fault = tooLongForPage(path, stated > maxBytes ? stated : undefined);
        controller.error(fault);
      },
    }),
  );
  try {
    // A blob of a stream is not kept in the memory of the page.
    return await new Response(checked).blob();
  } catch (cause) {
    signal.throwIfAborted();
    if (fault !== undefined) throw fault;
    const problem = 'was cut off while it was read';
    throw new FileError({ subject: url, problem, allowed: 'a server that sends all of it: try again', cause });
  }
}

function named({ url, path }: GivenAddress): Pick<GivenFile, 'url' | 'path'> {
  return { url, path };
}

async function hasMetadata({ url }: GivenAddress, signal: AbortSignal): Promise<boolean> {
  for (const name of [...STORE_FILES, ...REPOSITORY_FILES]) if ((await ask(below(url, name), signal)).ok) return true;
  return false;
}

/** The address of a file of a store. */
function below(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${name}`;
  return address.href;
}

/** The store at an address. Buckets that cannot be listed answer 403 for what they do not have. */
async function storeAt(address: GivenAddress, signal: AbortSignal): Promise<GivenStore> {
  const { HttpStore } = await import('../../files/zarr/http-store.js');
  const first = await ask(below(address.url, STORE_FILES[0]), signal);
  const missingStatuses = first.status === 403 ? [403, 404] : [404];
  const store = new HttpStore(new URL(address.url), { missingStatuses, fetch: send });
  return { ...named(address), store, ...(address.arrays && { arrays: address.arrays }) };
}
