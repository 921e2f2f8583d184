import { printable } from '../check/printable.js';
import { ServiceError } from '../client/service-error.js';
import { PlumecastError } from '../errors.js';

/** More characters would fill the page. */
const MAX_TEXT = 500;

/** An error in words for people. */
export function errorText(error: unknown): string {
  const text = printable(wordsOf(error));
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function wordsOf(error: unknown): string {
  if (error instanceof PlumecastError) return wordsOfFile(error);
  if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : String(error);
  const { code, detail, faults, status, retryAfterSeconds } = error;
  if (code === 'unreachable') {
    return 'The server cannot be reached, or does not answer pages of other origins: it is down, its address is another, or it does not allow this page by CORS.';
  }
  if (code === 'timeout') return 'The server has not answered within 30 seconds.';
  const parts = [
    status === 401 || status === 403 ? 'The server does not accept the key.' : '',
    isOther(error) ? 'What answers there is not a plumecast service.' : '',
    detail,
    ...faults.map(({ parameter, detail, allowed }) => `${parameter}: ${detail}; allowed: ${allowed}.`),
    retryAfterSeconds === undefined ? '' : `Try again in ${retryAfterSeconds} s.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Options that messages mention, of which the page has none: `the option calendar`, `columns: { value: 'NAME' }`. */
const OPTION = /\boption \w+|\b[a-z]\w*: (\{|\[|')/i;

/** Functions of the library have options; the page has none. */
function wordsOfFile({ message, allowed = '' }: PlumecastError): string {
  return OPTION.test(allowed)
    ? `${message}. Such options are those of "plumecast convert": what it writes opens here.`
    : message;
}

/** Whether an answer is a page, or says that its path is unknown as no service does. */
function isOther({ code, status }: ServiceError): boolean {
  return code === 'unreadable' ? status === 200 : code === 'no-problem' && status === 404;
}
