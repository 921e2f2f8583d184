import { JSON_TYPE, type MediaType } from '../../respond/body.js';
import { ProblemError } from '../problem-error.js';

/** How well a media range of an `Accept` header names a media type. */
interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/**
 * The media type of a response, by the `Accept` header of RFC 9110: the type of `offered` with the highest quality, the
 * first of several; for each the most specific range decides. JSON where there is no header. Malformed media ranges are
 * ignored. Throws ProblemError (406) where no type is acceptable.
 */
export function negotiate(accept: string | null, offered: readonly MediaType[]): MediaType {
  if (accept === null || accept === '*/*' || accept === JSON_TYPE || accept.trim() === '') return offered[0];
  const ranges = accept.split(',').flatMap(readRange);
  let best: MediaType | undefined;
  let highest = 0;
  for (const mediaType of offered) {
    const quality = qualityOf(mediaType, ranges);
    if (quality <= highest) continue;
    best = mediaType;
    highest = quality;
  }
  if (best !== undefined) return best;
  throw new ProblemError(406, 'not-acceptable', `The answer is available as ${offered.join(', ')}.`);
}

function qualityOf(mediaType: MediaType, ranges: readonly Range[]): number {
  const [type, subtype] = mediaType.split('/');
  let quality = 0;
  let closeness = 0;
  for (const range of ranges) {
    const close = closenessOf(range, type, subtype);
    if (close <= closeness) continue;
    closeness = close;
    quality = range.quality;
  }
  return quality;
}

function closenessOf(range: Range, type: string, subtype: string): number {
  if (range.type === '*') return 1;
  if (range.type !== type) return 0;
  if (range.subtype === '*') return 2;
  return range.subtype === subtype ? 3 : 0;
}

const RANGE = /^\s*(\*|[!#$%&'*+.^_`|~\w-]+)\/(\*|[!#$%&'*+.^_`|~\w-]+)\s*(?:;(.*))?$/;
const QUALITY = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i;

function readRange(text: string): Range[] {
  const [, type, subtype, parameters] = RANGE.exec(text) ?? [];
  if (type === undefined || (type === '*' && subtype !== '*')) return [];
  const weight = parameters?.split(';').find((parameter) => /^\s*q\s*=/i.test(parameter));
  const quality = weight === undefined ? '1' : QUALITY.exec(weight)?.[1];
  if (quality === undefined) return [];
  return [{ type: type.toLowerCase(), subtype: subtype.toLowerCase(), quality: Number(quality) }];
}
