import { GRANULARITIES } from '../period/period.js';
import { windowsOf } from '../period/windows.js';
import type { WindowOptions } from '../statistics/options.js';
import { readWindowValue } from '../statistics/window-measure.js';

/**
 * Options of statistics whose windows, and what these hold, may be texts, as commands and JSON have them. Throws OptionError
 * for texts that are none.
 */
export function readWindowTexts<Options extends Pick<WindowOptions, 'granularity' | 'window'>>(
  options: Options,
): Options {
  const { granularity, window } = options;
  const isText = typeof granularity === 'string' && !(GRANULARITIES as readonly string[]).includes(granularity);
  return {
    ...options,
    ...(isText && { granularity: windowsOf(granularity) }),
    ...(typeof window === 'string' && { window: readWindowValue(window) ?? window }),
  };
}
