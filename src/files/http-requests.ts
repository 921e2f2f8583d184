import { RedirectFault, sendWithinOrigin } from '../check/same-origin.js';
import { FileError } from '../errors.js';

/** Statuses of temporary failures. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** The first pause in milliseconds: each following one is twice as long. */
const PAUSE = 200;
/** A longer pause that a server requests is not waited for, in milliseconds. */
const MAX_PAUSE = 120_000;

/** The address of a URL for messages: without user, password and query. */
export function addressOf({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** A URL without its user and password, which `fetch` takes as a header only. */
export function withoutCredentials(url: URL): { url: URL; headers: Record<string, string> } {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  plain.hash = '';
  const hasNone = url.username === '' && url.password === '';
  return { url: plain, headers: hasNone ? {} : { authorization: basicAuthorization(url) } };
}

function basicAuthorization({ username, password }: URL): string {
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** A part of a URL as it was meant; as it is where a percent sign stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * What a redirect to another origin gets: the request as it is, as it holds nothing secret; the request without the
 * name and password of the URL; or nothing, as it has headers of the caller.
 */
export type Elsewhere = 'same' | 'without-credentials' | 'nothing';

/** Sends a request without a body. Throws FileError for a redirect that is not followed, and whatever `send` throws. */
export async function sendRequest(
  request: Request,
  send: (request: Request) => Promise<Response>,
  elsewhere: Elsewhere,
): Promise<Response> {
  if (elsewhere === 'same') return send(request);
  const answer = await sendWithinOrigin(new Request(request, { redirect: 'manual' }), send);
  if (!(answer instanceof RedirectFault)) return answer;
  const { from, to, problem } = answer;
  if (elsewhere === 'without-credentials' && to !== undefined && isOtherServer(from, to)) {
    const headers = new Headers(request.headers);
    headers.delete('authorization');
    return send(new Request(withoutCredentials(to).url, { headers, signal: request.signal }));
  }
  const received = to && addressOf(to);
  const allowed = 'redirects to the same origin: headers and passwords are sent to no other one';
  throw new FileError({ subject: addressOf(from), problem, received, allowed });
}

function isOtherServer(from: URL, to: URL): boolean {
  return to.origin !== from.origin && /^https?:$/.test(to.protocol);
}

const ALLOWED_IN_PAGES =
  'a server that answers, and lets this page read it: it sends Access-Control-Allow-Origin, and Range among Access-Control-Allow-Headers';

/** The FileError for a request that failed before, or while, it was answered. */
export function unreachable(subject: string, cause: unknown): FileError {
  if (cause instanceof FileError) return cause;
  const { name, message, cause: deeper } = cause as Error & { cause?: { code?: string; message?: string } };
  const reason = name === 'TimeoutError' ? 'no answer in time' : (deeper?.code ?? deeper?.message ?? message);
  // Browsers do not say why they withhold an answer.
  const allowed = name === 'TypeError' && deeper === undefined ? ALLOWED_IN_PAGES : 'a server that answers';
  return new FileError({ subject, problem: `cannot be read: ${reason}`, allowed, cause });
}

/**
 * Returns the response of `attempt`, which is repeated if it throws or fails temporarily, at most `retries` times,
 * after growing pauses with a random part, and not before the server says to (`Retry-After`). Stops when `signal` is
 * aborted, at a FileError, and where the server asks for a pause of more than two minutes.
 */
export async function retry<T extends { readonly response: Response }>(
  attempt: () => Promise<T>,
  retries: number,
  signal?: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    const isLast = failures >= retries;
    let requested = 0;
    try {
      const result = await attempt();
      if (isLast || !PASSING.has(result.response.status)) return result;
      requested = requestedPause(result.response);
      if (requested > MAX_PAUSE) return result;
    } catch (error) {
      if (isLast || signal?.aborted === true || error instanceof FileError) throw error;
    }
    await pause(Math.max(requested, PAUSE * 2 ** failures * (0.5 + Math.random() / 2)), signal);
  }
}

/** The milliseconds that a server asks to wait for, in seconds or as a time (RFC 9110, section 10.2.3). */
function requestedPause({ headers }: Response): number {
  const stated = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(stated)) return 1000 * Number(stated);
  const [until, now] = [stated, headers.get('date') ?? ''].map((text) => Date.parse(text));
  return Number.isFinite(until) ? Math.max(0, until - (Number.isFinite(now) ? now : Date.now())) : 0;
}

/** Waits, but no longer than until the signal is aborted; rejects with its reason then. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
