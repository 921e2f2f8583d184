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

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { faults?: readonly ParameterFault[]; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.code = code;
    this.faults = more.faults ?? [];
    this.headers = more.headers ?? {};
  }
}
