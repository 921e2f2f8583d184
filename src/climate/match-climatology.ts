import type { Ensemble } from '../ensemble/ensemble.js';
import { DataError, OptionError } from '../errors.js';
import type { CheckedWindowOptions } from '../statistics/options.js';
import { windowRule } from '../statistics/statistics.js';
import { statedCalendar } from '../table/table-calendar.js';
import { unitsAgree } from '../variable/units-agree.js';
import type { Climatology } from './climatology.js';

/**
 * Throws OptionError where an ensemble is to be computed in other windows than those of the climatology, and DataError where its
 * variable, units or window rule are not those of the climatology. What either does not tell is taken to agree.
 */
export function matchClimatology(climatology: Climatology, ensemble: Ensemble, options: CheckedWindowOptions): void {
  const { granularity, source } = options;
  if (granularity !== climatology.granularity) {
    throw new OptionError({
      subject: 'granularity',
      problem: 'not that of the climatology',
      received: granularity,
      allowed: climatology.granularity,
    });
  }
  const reject = (what: string, received: string | undefined, allowed: string | undefined, same = equal) => {
    if (received === undefined || allowed === undefined || same(received, allowed)) return;
    throw new DataError({ source, problem: `${what} of the climatology`, received, allowed });
  };
  const calendarOf = (metadata: ReadonlyMap<string, string>) => statedCalendar(metadata, source) ?? 'standard';
  reject('its calendar is not that', calendarOf(ensemble.metadata), calendarOf(climatology.metadata));
  reject('its variable is not that', ensemble.variable?.slug, climatology.variable?.slug);
  reject('its units are not those', ensemble.units, climatology.units, unitsAgree);
  reject('its window rule is not that', windowRule(ensemble, options), climatology.window);
}

function equal(a: string, b: string): boolean {
  return a === b;
}
