import type { Point } from '../../ensemble/nearest-place.js';

/** A town, as GeoNames knows it. */
export interface Town extends Point {
  readonly name: string;
  /** The name of its country. */
  readonly country: string;
}

/** A town with its name as it is searched for. */
export interface SearchedTown extends Town {
  readonly plain: string;
}

/** Reads lines of name, country code, latitude and longitude, between tabs; lines that begin with # are comments. */
export function readTowns(text: string): SearchedTown[] {
  const countries = new Intl.DisplayNames('en', { type: 'region' });
  return text.split('\n').flatMap((line) => {
    const [name, code, latitude, longitude] = line.split('\t');
    if (line.startsWith('#') || longitude === undefined) return [];
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    return [{ name, country: countries.of(code) ?? code, ...place, plain: plainText(name) }];
  });
}

/**
 * The towns whose names begin with a text, then those with a word that does; larger ones first. A comma divides the town
 * from its country, as in `Paris, Fr`. Case, accents and hyphens do not matter.
 */
export function findTowns(towns: readonly SearchedTown[], text: string, max: number): SearchedTown[] {
  const [name, country = ''] = text.split(',').map(plainText);
  if (name === '') return [];
  const inside = ` ${name}`;
  const [first, others]: SearchedTown[][] = [[], []];
  for (const town of towns) {
    const isFirst = town.plain.startsWith(name);
    if (!isFirst && !town.plain.includes(inside)) continue;
    if (country !== '' && !plainText(town.country).startsWith(country)) continue;
    (isFirst ? first : others).push(town);
    if (first.length === max) break;
  }
  return [...first, ...others].slice(0, max);
}

/** Whether a text is the whole name of a town, with its country or a beginning of it, or without. */
export function isNameOf(text: string, { plain, country }: SearchedTown): boolean {
  const [name, inCountry = ''] = text.split(',').map(plainText);
  return name === plain && plainText(country).startsWith(inCountry);
}

/** Letters that are no other letter with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' },
};

function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter])
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
