import { mentionOption, OptionError } from '../errors.js';

/** The error for a table whose columns are of several models, of which `received` is none. */
export function severalModels(models: readonly string[], source?: string, received?: string): OptionError {
  return new OptionError({
    subject: source === undefined ? 'model' : `${source}, model`,
    problem:
      received === undefined ? 'the columns are of several models, which are not one ensemble' : 'is not in the table',
    received: received ?? models.join(', '),
    allowed: received === undefined ? `one of them, by ${mentionOption('model', models[0])}` : models.join(', '),
  });
}
