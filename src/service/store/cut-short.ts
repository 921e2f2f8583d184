import { FormatError } from '../../errors.js';

/** The FormatError for an object that ends before it should. */
export function cutShort(path: string): FormatError {
  return new FormatError({ subject: path, problem: 'is cut short', allowed: 'a complete file, as it was written' });
}
