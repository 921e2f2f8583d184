/** More than index files have: one of a file of 100,000 messages has about 30 MB. */
export const MAX_INDEX_BYTES = 67_108_864;

/**
 * The names that the index file of a file may have: `FILE.idx` of NCEP; `FILE.index`, or ECMWF's `.index` for `.grib2`.
 */
export function indexNames(name: string): string[] {
  return [`${name}.idx`, `${name}.index`, `${name.replace(/\.[^.]*$/, '')}.index`];
}
