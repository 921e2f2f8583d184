import type { TableWriter } from '../format.js';

/** JSON as a list with an object for each row. */
export const json: TableWriter = {
  ending: '.json',
  compressions: ['none'],
  encoder: async (schema) => new (await import('./json-write.js')).JsonEncoder(schema, 'array'),
};

/** JSON Lines: an object a line. */
export const jsonLines: TableWriter = {
  ending: '.jsonl',
  compressions: ['none'],
  encoder: async (schema) => new (await import('./json-write.js')).JsonEncoder(schema, 'lines'),
};
