import { OptionError } from '../errors.js';
import { checkPattern } from '../files/cf/join/name-labels.js';

/** All files of a folder are one input. */
export const BY_FOLDER = 'folder';
/** Each file is an input. */
export const APART = 'none';

/** Throws OptionError for what says nothing of how inputs are joined. */
export function checkJoin(join: string): void {
  if (join === BY_FOLDER || join === APART) return;
  if (typeof join !== 'string') {
    const allowed = 'a pattern of names, such as "mem{member}.nc"; folder; or none';
    throw new OptionError({ subject: 'join', problem: 'is not a text', received: join, allowed });
  }
  checkPattern(join, `${BY_FOLDER}, all files of a folder`);
}
