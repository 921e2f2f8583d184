/** The kinds of problem that the service tells of by itself: their titles by code. */
const TITLES: Readonly<Record<string, string>> = {
  'bad-parameters': 'The parameters cannot be used',
  'query-too-long': 'The query is too long',
  'key-missing': 'A key is needed',
  'key-unknown': 'The key is not known',
  'path-not-found': 'There is no such path',
  'location-not-found': 'There is no such location',
  'method-not-allowed': 'The method is not allowed',
  'not-acceptable': 'No acceptable media type',
  'rate-limited': 'Too many requests',
  'not-ready': 'There are no data yet',
  draining: 'The service is about to stop',
  overloaded: 'Too much is asked at once',
  'client-gone': 'The client has gone',
  'source-unavailable': 'The data cannot be had now',
  'internal-error': 'An error of the service',
};

/** Titles of what else there may be, by status. */
const STATUS_TITLES: Readonly<Record<number, string>> = {
  400: 'The request cannot be used',
  404: 'There is no such resource',
  503: 'There are no such data now',
};

/** What a kind of problem is called: the same for all problems of a code. */
export function problemTitle(code: string, status: number): string {
  return (Object.hasOwn(TITLES, code) ? TITLES[code] : STATUS_TITLES[status]) ?? `Status ${status}`;
}

/** The URI of a kind of problem: an identifier, with nothing behind it. */
export function problemType(code: string): string {
  return `urn:plumecast:problem:${code}`;
}
