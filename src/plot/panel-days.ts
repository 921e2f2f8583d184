import type { LocalDays } from '../ensemble/local-days.js';
import { DataError } from '../errors.js';
import type { ModelCalendar } from '../period/calendar.js';
import { daysInWords, STEPS } from '../period/stated-days.js';
import type { PanelData } from './panel-data.js';

/**
 * The days of all panels together, and of time steps the days of their zone, if it is not UTC. Throws DataError for days
 * of different calendars or zones.
 */
export function commonDays(panels: readonly PanelData[]): {
  firstDay: number;
  lastDay: number;
  calendar?: ModelCalendar;
  days?: LocalDays | undefined;
} {
  const calendars = [...new Set(panels.map(({ texts }) => texts.calendar))];
  if (calendars.length > 1) {
    const received = calendars.map((calendar) => calendar ?? 'standard').join(', ');
    throw new DataError({
      subject: 'panels',
      problem: 'days of different calendars',
      received,
      allowed: 'one calendar',
    });
  }
  const zones = [...new Set(panels.map(({ texts }) => daysInWords(texts.metadata) ?? 'days of UTC'))];
  if (zones.length > 1) {
    const [subject, problem] = ['panels', 'days of different time zones'];
    throw new DataError({ subject, problem, received: zones.join(', '), allowed: 'days of one zone' });
  }
  const ofSteps = panels.flatMap(({ statistics, members }) =>
    [...statistics, members].flatMap((each) => each?.times ?? []),
  );
  return {
    days: ofSteps[0]?.days,
    firstDay: Math.min(...panels.map(({ firstDay }) => firstDay)),
    lastDay: Math.max(...panels.map(({ lastDay }) => lastDay)),
    calendar: calendars[0],
  };
}

/** The granularity of all panels, if it is the same; where some are of time steps, these. */
export function commonGranularity(panels: readonly PanelData[]): string | undefined {
  const shown = panels.flatMap(({ statistics, members }) => [...statistics, ...(members ? [members] : [])]);
  const granularities = new Set(shown.map(({ granularity }) => granularity));
  if (granularities.has(STEPS)) return STEPS;
  return granularities.size === 1 ? [...granularities][0] : undefined;
}
