import { readResponseInfo } from './response-info.js';
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
 * Reads the body of a successful response. Throws ServiceError where it does not have the requested form; and whatever
 * reading throws.
 */
export async function readAnswer(response: Response, form: AnswerForm): Promise<Forms<unknown>[AnswerForm]> {
  const info = readResponseInfo(response);
  const mediaType = response.headers.get('content-type') ?? 'nothing';
  if (!mediaType.startsWith(MEDIA_TYPES[form])) {
    const text = beginning(await response.text());
    const detail = `The answer is ${mediaType}, not ${MEDIA_TYPES[form]}: ${text}`;
    throw new ServiceError({ ...info, code: 'unreadable', detail });
  }
  if (form === 'arrow') return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  if (form === 'csv') return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = `The answer is not JSON: ${beginning(text)}`;
    throw new ServiceError({ ...info, code: 'unreadable', detail, cause });
  }
}

/** Reads the response of a failed request. */
export async function readProblem(response: Response): Promise<ServiceError> {
  const info = readResponseInfo(response);
  const { status } = info;
  const retryAfterSeconds = parseSeconds(response.headers.get('retry-after'));
  const text = await response.text();
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

/** A `Retry-After` of RFC 9110 in seconds; the service itself never sends dates. */
function parseSeconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

function beginning(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 97)}...` : text);
}
