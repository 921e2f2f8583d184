import { FileError } from '../../errors.js';
import type { GivenFile } from './file-origin.js';

/** Fetches a file from an address. Throws FileError where that does not give it; `signal` ends the request. */
export async function fetchFile(url: string, path: string, signal: AbortSignal): Promise<GivenFile> {
  const response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' }).catch((cause) => {
    signal.throwIfAborted();
    const problem = 'cannot be reached, or does not let this page read it';
    const allowed = 'an address whose server is up and sends Access-Control-Allow-Origin';
    throw new FileError({ subject: url, problem, allowed, cause });
  });
  if (!response.ok) {
    const received = `status ${response.status}`;
    throw new FileError({ subject: url, problem: 'is not answered', received, allowed: 'status 200 and a file' });
  }
  return { path, url, content: await response.blob() };
}
