import { FileError } from '../../errors.js';
import type { Given, GivenAddress, GivenFile, GivenStore } from './file-origin.js';

/** What the page sends to an address that the reader enters: no cookies, and not where it comes from. */
const PRIVATELY: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer' };

/** Of these every store has one. */
const METADATA = ['zarr.json', '.zmetadata', '.zgroup', '.zarray'];

/**
 * Opens what is at an address: a Zarr store, by the end of its path (`.zarr` or a slash) or by its metadata, or else a
 * file, which is fetched. Throws FileError where there is neither; `signal` ends the request.
 */
export async function fetchGiven(address: GivenAddress, signal: AbortSignal): Promise<Given> {
  const { pathname } = new URL(address.url);
  if (/(\.zarr|\/)$/.test(pathname)) return storeAt(address, signal);
  const response = await ask(address.url, signal);
  if (response.ok) return { ...named(address), content: await response.blob() } satisfies GivenFile;
  if ([403, 404].includes(response.status) && (await hasMetadata(address, signal))) return storeAt(address, signal);
  const received = `status ${response.status}`;
  const allowed = 'status 200 and a file, or a Zarr store';
  throw new FileError({ subject: address.url, problem: 'is not answered', received, allowed });
}

async function ask(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { ...PRIVATELY, signal }).catch((cause) => {
    signal.throwIfAborted();
    const problem = 'cannot be reached, or does not let this page read it';
    const allowed = 'an address whose server is up and sends Access-Control-Allow-Origin';
    throw new FileError({ subject: url, problem, allowed, cause });
  });
}

function named({ url, path }: GivenAddress): Pick<GivenFile, 'url' | 'path'> {
  return { url, path };
}

async function hasMetadata({ url }: GivenAddress, signal: AbortSignal): Promise<boolean> {
  for (const name of METADATA) if ((await ask(below(url, name), signal)).ok) return true;
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
  const first = await ask(below(address.url, METADATA[0]), signal);
  const missingStatuses = first.status === 403 ? [403, 404] : [404];
  const store = new HttpStore(new URL(address.url), { missingStatuses, fetch: (request) => fetch(request, PRIVATELY) });
  return { ...named(address), store, ...(address.arrays && { arrays: address.arrays }) };
}
