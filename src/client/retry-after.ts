/** The forms of dates in headers (RFC 9110, 5.6.7): the one of today, and two that may still be met. */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** The seconds of `Retry-After`: a number, or a date, counted from the date of the response. Undefined for anything else. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const date = parseDate(text);
  if (date === undefined) return undefined;
  // Clocks differ: both dates are the server's, where it sends them.
  const now = parseDate(headers.get('date') ?? '') ?? Date.now();
  return Math.max(0, Math.ceil((date - now) / 1000));
}

/** A date of a header as milliseconds since 1970. */
function parseDate(text: string): number | undefined {
  if (!DATES.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
