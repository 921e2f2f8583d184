import { assertShape } from '../../check/assert-shape.js';
import type { Dataset } from './dataset.js';

/** Throws OptionError for what is not a dataset. */
export function assertDataset(subject: string, dataset: unknown): asserts dataset is Dataset {
  assertShape(subject, dataset, { revision: 'any text', places: 'object', variables: 'map', read: 'function' });
}
