import { OptionError } from '../../errors.js';

/** Which web pages may read responses. */
export interface CorsOptions {
  /** `*` for all, or a list of origins such as `https://example.org`. */
  readonly origins: '*' | readonly string[];
}

/** The `Access-Control-Allow-Origin` for an `Origin` header; undefined where the page may not read. */
export type AllowOrigin = (origin: string | null) => string | undefined;

/** Checks `options`. Throws OptionError where `origins` is neither `*` nor a list of origins. */
export function allowOrigin(cors: CorsOptions = { origins: '*' }): AllowOrigin {
  const { origins } = cors;
  if (origins === '*') return () => '*';
  if (!Array.isArray(origins) || !origins.every(isOrigin)) {
    throw new OptionError({
      subject: 'cors.origins',
      problem: 'is not a list of origins',
      received: origins,
      allowed: "'*', or origins such as 'https://example.org', without a path",
    });
  }
  const allowed = new Set<string>(origins);
  return (origin) => (origin !== null && allowed.has(origin) ? origin : undefined);
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,]+$/.test(text);
}
