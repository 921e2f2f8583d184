import { FileError } from '../errors.js';

/** Statuses of temporary failures. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** The first pause in milliseconds: each following one is twice as long. */
const PAUSE = 200;

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
  return { url: plain, headers: url.username === '' ? {} : { authorization: basicAuthorization(url) } };
}

function basicAuthorization({ username, password }: URL): string {
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** The FileError for a request that failed before, or while, it was answered. */
export function unreachable(subject: string, cause: unknown): FileError {
  const { name, message, cause: deeper } = cause as Error & { cause?: { code?: string; message?: string } };
  const reason = name === 'TimeoutError' ? 'no answer in time' : (deeper?.code ?? deeper?.message ?? message);
  return new FileError({ subject, problem: `cannot be read: ${reason}`, allowed: 'a server that answers', cause });
}

/**
 * Returns the response of `attempt`, which is repeated if it throws or fails temporarily, at most `retries` times,
 * after growing pauses with a random part. Stops when `signal` is aborted.
 */
export async function retry<T extends { readonly response: Response }>(
  attempt: () => Promise<T>,
  retries: number,
  signal?: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    const isLast = failures >= retries;
    try {
      const result = await attempt();
      if (isLast || !PASSING.has(result.response.status)) return result;
    } catch (error) {
      if (isLast || signal?.aborted === true) throw error;
    }
    const pause = PAUSE * 2 ** failures * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
