import type { Table } from 'apache-arrow';
import { FileError, FormatError, OptionError } from '../errors.js';

/** What a chart reads; the service answers in this form, too. */
const ARROW = 'application/vnd.apache.arrow.stream';

/** What is read from an address. */
export interface Address {
  readonly src: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
}

/**
 * Fetches the table at an address: an Arrow file or stream, or an answer of the service, which is asked for that. Throws
 * FileError where there is none, with the words of the service, and what reading throws.
 */
export async function fetchTable({ src, headers, signal }: Address): Promise<Table> {
  const url = urlOf(src);
  const source = `${url.pathname.slice(url.pathname.lastIndexOf('/') + 1) || url.host}`;
  // A key must not go where a redirect leads.
  const redirect = headers === undefined ? 'follow' : 'error';
  const response = await fetch(url, { headers: { Accept: ARROW, ...headers }, signal, redirect }).catch(
    (cause: unknown) => {
      if (signal.aborted) throw cause;
      const allowed = 'an address that answers, and lets this page read the answer (CORS)';
      throw new FileError({ subject: source, problem: 'cannot be fetched', allowed, cause });
    },
  );
  if (!response.ok) throw await problemOf(response, source);
  const type = response.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (/^(?:text\/html|application\/json)\b/.test(type)) {
    throw new FormatError({ subject: source, problem: 'is no Arrow file', received: type, allowed: ARROW });
  }
  const { readTable } = await import('../files/read-table.js');
  return readTable(bytes, { source, signal });
}

function urlOf(src: string): URL {
  try {
    return new URL(src, document.baseURI);
  } catch (cause) {
    throw new OptionError({ subject: 'src', problem: 'cannot be used', received: src, allowed: 'an address', cause });
  }
}

/** The error of an answer that is none: as its problem document says it, or by its status. */
async function problemOf(response: Response, source: string): Promise<FileError> {
  const { status, statusText } = response;
  const words = problemWords(await response.text().catch(() => ''));
  const problem = [`the answer is ${status} ${statusText}`.trim(), ...words].join(': ');
  const isKeyless = status === 401 && words.length === 0;
  return new FileError({
    subject: source,
    problem,
    allowed: isKeyless ? 'a request with a key, by headers' : undefined,
  });
}

/** A problem document of the service. */
interface Problem {
  readonly detail?: unknown;
  readonly errors?: readonly { readonly detail?: unknown; readonly allowed?: unknown }[];
}

/** What a problem document says, with the faults of parameters; nothing of other texts. */
function problemWords(text: string): string[] {
  try {
    const { detail, errors = [] }: Problem = JSON.parse(text);
    const faults = errors.map((fault) => [fault.detail, fault.allowed].filter((part) => typeof part === 'string'));
    return [detail, faults.map((parts) => parts.join('; allowed: ')).join(' ')].filter(
      (words): words is string => typeof words === 'string' && words !== '',
    );
  } catch {
    return [];
  }
}
