import type { Ensemble } from './ensemble.js';

/** Metadata that only describe how the columns of one table are stored. */
const OF_ONE_TABLE = ['pandas', 'ARROW:schema'];

/** The metadata that all ensembles have with the same value, for a table that is made from them. */
export function commonMetadata([first, ...others]: readonly Pick<Ensemble, 'metadata'>[]): Map<string, string> {
  const isAgreed = (key: string, value: string) => others.every(({ metadata }) => metadata.get(key) === value);
  return new Map([...first.metadata].filter(([key, value]) => !OF_ONE_TABLE.includes(key) && isAgreed(key, value)));
}
