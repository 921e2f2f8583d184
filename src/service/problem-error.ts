/** What is wrong with one parameter of a request. */
export interface ParameterFault {
  readonly parameter: string;
  readonly detail: string;
  /** As it came, shortened where it is long; undefined where it is missing. */
  readonly received?: string;
  readonly allowed: string;
}

/** Why a request cannot be answered: becomes an `application/problem+json` response (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Stable, in lower-case words joined by hyphens: `location-not-covered`. */
  readonly code: string;
  /** Every fault of the request's parameters. */
  readonly faults: readonly ParameterFault[];
  readonly headers: Readonly<Record<string, string>>;
  /** Whether other points of the same request may be answered. */
  readonly isOfPoint: boolean;
  /** Of a source that has failed: the id by which the operator finds the error. */
  readonly id: string | undefined;

  constructor(
    status: number,
    code: string,
    detail: string,
    more: {
      faults?: readonly ParameterFault[];
      headers?: Readonly<Record<string, string>>;
      isOfPoint?: boolean;
      id?: string;
      cause?: unknown;
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.code = code;
    this.faults = more.faults ?? [];
    this.headers = more.headers ?? {};
    this.isOfPoint = more.isOfPoint ?? false;
    this.id = more.id;
  }

  /** Whether a source has failed, which other points of the same request may not need. */
  get isOfSource(): boolean {
    return this.code === 'source-unavailable';
  }
}

const MAX_LENGTH = 100;

/** Returns a received text, or its beginning and three dots where it is longer than 100 characters. */
export function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  // Half of a surrogate pair at the cut would not be a character.
  return `${text.slice(0, MAX_LENGTH - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}

/** The fields of a problem by RFC 9457, in their order; undefined ones are left out when they are written. */
export function problemDocument(
  { status, code, message, faults, id: own }: ProblemError,
  { instance, id = own }: { readonly instance?: string; readonly id?: string } = {},
): Readonly<Record<string, unknown>> {
  return {
    type: problemType(code),
    title: problemTitle(code, status),
    status,
    detail: message,
    instance,
    code,
    id,
    errors: faults.length > 0 ? faults : undefined,
  };
}

/** The titles of the service's own kinds of problem, by code. */
const TITLES: Readonly<Record<string, string>> = {
  'bad-parameters': 'The parameters cannot be used',
  'request-unreadable': 'The request cannot be read',
  'query-too-long': 'The query is too long',
  'key-missing': 'A key is needed',
  'key-unknown': 'The key is not known',
  'key-expired': 'The key has expired',
  'key-revoked': 'The key was revoked',
  'key-not-yet-valid': 'The key is not valid yet',
  'path-not-found': 'There is no such path',
  'location-not-found': 'There is no such location',
  'method-not-allowed': 'The method is not allowed',
  'not-acceptable': 'No acceptable media type',
  'rate-limited': 'Too many requests',
  'quota-exceeded': 'The quota of the day is used',
  'not-ready': 'There are no data yet',
  draining: 'The service is about to stop',
  overloaded: 'Too much is requested at once',
  'client-gone': 'The client has gone',
  'client-slow': 'The client reads too slowly',
  'source-unavailable': 'The data are not available now',
  'internal-error': 'An error of the service',
};

/** The titles of other problems, by status. */
const STATUS_TITLES: Readonly<Record<number, string>> = {
  400: 'The request cannot be used',
  404: 'There is no such resource',
  503: 'There are no such data now',
};

/** The title of a kind of problem: the same for all problems with a code. */
function problemTitle(code: string, status: number): string {
  return (Object.hasOwn(TITLES, code) ? TITLES[code] : STATUS_TITLES[status]) ?? `Status ${status}`;
}

/** The URI of a kind of problem: an identifier only, there is no page behind it. */
function problemType(code: string): string {
  return `urn:plumecast:problem:${code}`;
}
