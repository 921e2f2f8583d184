import { OptionError } from '../../errors.js';

/**
 * Throws OptionError unless `owner` can be the owner of a key or location: a text without control characters, as logs
 * show it.
 */
export function checkOwner(subject: string, owner: unknown): void {
  if (typeof owner === 'string' && /^[^\p{Cc}]{1,128}$/u.test(owner)) return;
  const allowed = '1 to 128 characters, none of them a control character';
  throw new OptionError({ subject, problem: 'has an unusable owner', received: owner, allowed });
}
