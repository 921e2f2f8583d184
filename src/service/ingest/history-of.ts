import { OptionError } from '../../errors.js';
import type { Dataset } from '../source/dataset.js';
import { gapFilled } from '../source/gap-filled.js';
import type { StoreWriter } from './store-writer.js';

/** The reanalysis, with its gaps filled from the analysis. Throws OptionError where a store has neither. */
export async function historyOf(writer: Pick<StoreWriter, 'storedPart'>): Promise<Dataset> {
  const [reanalysis, analysis] = [await writer.storedPart('reanalysis'), await writer.storedPart('analysis')];
  const first = reanalysis ?? analysis;
  if (first === undefined) {
    throw new OptionError({ subject: 'store', problem: 'has no history', allowed: 'a store with a history' });
  }
  if (reanalysis === undefined || analysis === undefined) return first;
  return gapFilled([
    { name: 'reanalysis', data: reanalysis },
    { name: 'analysis', data: analysis },
  ]);
}
