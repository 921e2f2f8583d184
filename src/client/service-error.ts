import type { RateLimitState } from './response-info.js';

/** What is wrong with one parameter of a request. */
export interface ParameterFault {
  readonly parameter: string;
  readonly detail: string;
  readonly received?: string;
  readonly allowed: string;
}

/** The fields of an error, as far as known. */
export interface ServiceErrorParts {
  /** The HTTP status; undefined where there was no response. */
  readonly status?: number;
  readonly code: string;
  readonly detail: string;
  readonly faults?: readonly ParameterFault[];
  readonly id?: string;
  readonly retryAfterSeconds?: number;
  readonly requestId?: string;
  readonly rateLimit?: RateLimitState;
  readonly cause?: unknown;
}

/** A request was not answered: the problem that the service reported, or why it was not reached. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** The HTTP status; undefined where there was no response. */
  declare readonly status?: number;
  /**
   * Stable, to branch on: the code of the service's problem, such as `location-not-covered`; or `unreachable`,
   * `timeout`, `redirected` (a redirect that would take the key to another origin, or that a browser hides),
   * `cut-off` (the body ended early), `no-problem` (an error status without a problem document, perhaps from a proxy)
   * and `unreadable` (a body of another form than requested).
   */
  declare readonly code: string;
  declare readonly detail: string;
  /** Every fault of the request's parameters. */
  declare readonly faults: readonly ParameterFault[];
  /** The operator of the service can look up the error by this id. */
  declare readonly id?: string;
  /** How long to wait before trying again, where the service states it. */
  declare readonly retryAfterSeconds?: number;
  /** Names the request in the logs of the service. */
  declare readonly requestId?: string;
  /** What the key has left, where the service limits it. */
  declare readonly rateLimit?: RateLimitState;

  constructor(parts: ServiceErrorParts) {
    const { cause, faults = [], ...fields } = parts;
    super(message(fields.code, fields.detail, faults), cause === undefined ? undefined : { cause });
    Object.assign(this, fields, { faults });
  }
}

function message(code: string, detail: string, faults: readonly ParameterFault[]): string {
  return [`${code}: ${detail}`, ...faults.map(faultText)].join('\n  ');
}

function faultText({ parameter, detail, received, allowed }: ParameterFault): string {
  const receivedText = received === undefined ? '' : `; received ${JSON.stringify(received)}`;
  return `${parameter} ${detail}${receivedText}; allowed: ${allowed}`;
}
