import { shortened } from '../errors.js';
import type { PlatformResponse } from '../platform.js';
import { readResponseInfo } from './response-info.js';
import { readRetryAfter } from './retry-after.js';
import { type ParameterFault, ServiceError } from './service-error.js';

/** The forms of an answer. */
export interface Forms<Json> {
  readonly json: Json;
  /** With a header line. */
  readonly csv: string;
  /** An Arrow IPC stream: `tableFromIPC` of apache-arrow reads it. */
  readonly arrow: Uint8Array<ArrayBuffer>;
}

export type AnswerForm = keyof Forms<unknown>;

/** The media type of each. */
export const MEDIA_TYPES: Readonly<Record<AnswerForm, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
};

/**
 * Reads the body of a successful response. Throws ServiceError where it does not have the requested form, or ends
 * early.
 */
export async function readAnswer(response: PlatformResponse, form: AnswerForm): Promise<Forms<unknown>[AnswerForm]> {
  const info = readResponseInfo(response);
  const mediaType = response.headers.get('content-type') ?? 'nothing';
  if (!mediaType.startsWith(MEDIA_TYPES[form])) {
    const text = beginning(await textOf(response));
    const detail = `The answer is ${mediaType}, not ${MEDIA_TYPES[form]}: ${text}`;
    throw new ServiceError({ ...info, code: 'unreadable', detail });
  }
  if (form === 'arrow') return new Uint8Array(await untilEnd(response, response.arrayBuffer()));
  const text = await textOf(response);
  if (form === 'csv') return text;
  let answer: unknown;
  let cause: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    cause = error;
  }
  if (Object(answer) === answer) return answer;
  throw new ServiceError({ ...info, code: 'unreadable', detail: `The answer is not JSON: ${beginning(text)}`, cause });
}

/** Reads the response of a failed request. */
export async function readProblem(response: PlatformResponse): Promise<ServiceError> {
  const info = readResponseInfo(response);
  const { status } = info;
  const retryAfterSeconds = readRetryAfter(response.headers);
  const text = await textOf(response);
  const problem = asProblem(text);
  if (problem === undefined) {
    const detail = `Status ${status}, without a problem document: ${beginning(text)}`;
    return new ServiceError({ ...info, code: 'no-problem', detail, retryAfterSeconds });
  }
  const { code, detail, errors: faults, id } = problem;
  return new ServiceError({ ...info, code, detail, faults, id, retryAfterSeconds });
}

/** The problem document of the service. */
interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly ParameterFault[];
  readonly id?: string;
}

function asProblem(text: string): Problem | undefined {
  try {
    const { code, detail, errors, id } = JSON.parse(text);
    return typeof code === 'string' && typeof detail === 'string' ? { code, detail, errors, id } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(response: Response): Promise<string> {
  return untilEnd(response, response.text());
}

/** Throws ServiceError where the body ends before its end: there was an answer, but not all of it came. */
async function untilEnd<Body>(response: Response, body: Promise<Body>): Promise<Body> {
  try {
    return await body;
  } catch (cause) {
    const detail = `The answer was cut off, or is damaged: ${cause}`;
    const retryAfterSeconds = readRetryAfter(response.headers);
    throw new ServiceError({ ...readResponseInfo(response), code: 'cut-off', detail, retryAfterSeconds, cause });
  }
}

function beginning(text: string): string {
  return JSON.stringify(shortened(text, 100));
}
