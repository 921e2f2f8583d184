import { mentionOption, OptionError } from '../errors.js';

/** The error for a table with columns of several models, if no model is named, or `received` is not one of them. */
export function severalModels(models: readonly string[], source?: string, received?: string): OptionError {
  return new OptionError({
    subject: source === undefined ? 'model' : `${source}, model`,
    problem:
      received === undefined ? 'the columns are of several models, which are not one ensemble' : 'is not in the table',
    received: received ?? models.join(', '),
    allowed: received === undefined ? `one of them, by ${mentionOption('model', models[0])}` : models.join(', '),
  });
}
