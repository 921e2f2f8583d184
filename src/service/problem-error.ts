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

  constructor(
    status: number,
    code: string,
    detail: string,
    more: {
      faults?: readonly ParameterFault[];
      headers?: Readonly<Record<string, string>>;
      isOfPoint?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.code = code;
    this.faults = more.faults ?? [];
    this.headers = more.headers ?? {};
    this.isOfPoint = more.isOfPoint ?? false;
  }
}

const MAX_LENGTH = 100;

/** Returns a received text, or its beginning and three dots where it is longer than 100 characters. */
export function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  // Half of a surrogate pair at the cut would not be a character.
  return `${text.slice(0, MAX_LENGTH - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}
