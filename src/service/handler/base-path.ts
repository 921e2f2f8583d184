import { OptionError } from '../../errors.js';

/** Plain characters; `.` and `..` would lead elsewhere. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/;

/** Throws OptionError unless `basePath` is a path that a service can be mounted at. */
export function assertBasePath(basePath: unknown): asserts basePath is string {
  if (typeof basePath === 'string' && BASE_PATH.test(basePath)) return;
  throw new OptionError({
    subject: 'basePath',
    problem: 'is not a path to mount at',
    received: basePath,
    allowed:
      "'', or a path such as '/weather/v1': segments of letters, digits, '.', '_', '~' and '-', none of them '.' or '..', and no slash at the end",
  });
}
