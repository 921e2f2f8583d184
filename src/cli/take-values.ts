import type { ValueOptions } from '../input/input-request.js';
import { type OptionRows, takeOptions } from './library-options.js';

/** The options about the values of inputs, with zones by place read from their table. Throws what reading it throws. */
export function takeValues(rows: OptionRows<ValueOptions>, flags: object): Promise<ValueOptions> {
  return withZones(takeOptions<ValueOptions>(rows, flags));
}

/** Options whose zones by place are read from a table, where they name one. */
export async function withZones<Options extends Pick<ValueOptions, 'timeZones'>>(options: Options): Promise<Options> {
  const { timeZones } = options;
  if (typeof timeZones !== 'string' || !/[./\\]/.test(timeZones)) return options;
  // Loaded when zones of places are requested.
  const { readZones } = await import('../input/read-zones.js');
  return { ...options, timeZones: await readZones(timeZones) };
}
