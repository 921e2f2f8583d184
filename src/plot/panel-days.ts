import { DataError } from '../errors.js';
import type { ModelCalendar } from '../period/calendar.js';
import type { PanelData } from './panel-data.js';

/** The days of all panels together. Throws DataError for days of different calendars. */
export function commonDays(panels: readonly PanelData[]): {
  firstDay: number;
  lastDay: number;
  calendar?: ModelCalendar;
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
  return {
    firstDay: Math.min(...panels.map(({ firstDay }) => firstDay)),
    lastDay: Math.max(...panels.map(({ lastDay }) => lastDay)),
    calendar: calendars[0],
  };
}

/** The granularity of all panels, if it is the same. */
export function commonGranularity(panels: readonly PanelData[]): string | undefined {
  const shown = panels.flatMap(({ statistics, members }) => [...statistics, ...(members ? [members] : [])]);
  const granularities = new Set(shown.map(({ granularity }) => granularity));
  return granularities.size === 1 ? [...granularities][0] : undefined;
}
