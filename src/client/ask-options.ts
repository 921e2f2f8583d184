import { assertKnownKeys } from '../check/option-checks.js';
import { unusable } from '../errors.js';
import type { PlatformAbortSignal } from '../platform.js';
import { type AnswerForm, MEDIA_TYPES } from './read-response.js';

/** Options of one request. */
export interface AskOptions<Form extends AnswerForm = 'json'> {
  /** Ends the request: the call rejects with the signal's reason. */
  readonly signal?: PlatformAbortSignal;
  /** The form of the answer. Default: `json`. */
  readonly as?: Form;
  /**
   * An answer of this client to the same query: while it is still valid, the service does not send it again, and the
   * call returns this object.
   */
  readonly previous?: object;
  /**
   * Sent with this request, besides the client's own: `traceparent` and `tracestate`, which the service passes to
   * its logs, or an `X-Request-Id`.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to the path and query that `target` returns, which throws OptionError where it cannot; reads the answer. */
export type Ask = (target: () => string, options?: AskOptions<AnswerForm>) => Promise<unknown>;

const ASK_OPTIONS: readonly (keyof AskOptions)[] = ['signal', 'as', 'previous', 'headers'];

/** Throws OptionError for options that cannot be used. */
export function checkAskOptions(options: AskOptions<AnswerForm>): void {
  assertKnownKeys(options, ASK_OPTIONS);
  const { as = 'json', signal } = options;
  if (typeof as !== 'string' || !Object.hasOwn(MEDIA_TYPES, as))
    throw unusable('as', as, Object.keys(MEDIA_TYPES).join(', '));
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw unusable('signal', signal, 'an AbortSignal');
  }
}
