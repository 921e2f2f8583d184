import type { Table } from 'apache-arrow';
import { wideTable } from '../table/build/wide-table.js';
import { findVariable } from '../variable/index.js';
import type { DemoPlaces } from './demo-region.js';
import type { DemoVariable } from './demo-variables.js';
import { type ModelBias, writeLocalWeather } from './local-weather.js';
import type { RegionalWeather } from './regional-weather.js';

/** Days of a region's weather in one model. */
export interface RegionSpan {
  /** One for each member. */
  readonly weather: readonly RegionalWeather[];
  /** The first of the days, counted from the weather's first. */
  readonly firstLead: number;
  /** The same as a day number. */
  readonly firstDay: number;
  readonly days: number;
  readonly bias: ModelBias;
  /** Metadata of tables besides their variable and units. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Returns a function that makes the table of a variable, for a span of weather at places, in the canonical wide form,
 * place by place. Days after `lastLead`, where one is given, are missing. Tables share the columns of places and days.
 */
export function regionTables(
  places: DemoPlaces,
  span: RegionSpan,
): (variable: DemoVariable, lastLead?: number) => Table {
  const { weather, firstLead, firstDay, days, bias, metadata } = span;
  const count = places.latitude.length;
  const rows = count * days;
  const ofPlace = (degrees: Float64Array) =>
    Float64Array.from({ length: rows }, (_, r) => degrees[Math.floor(r / days)]);
  let columns: { latitude: Float64Array; longitude: Float64Array; date: Int32Array } | undefined;
  return (variable, lastLead = days - 1) => {
    columns ??= {
      latitude: ofPlace(places.latitude),
      longitude: ofPlace(places.longitude),
      date: Int32Array.from({ length: rows }, (_, row) => firstDay + (row % days)),
    };
    const members = weather.map((member) => {
      const values = new Float32Array(rows);
      for (let place = 0; place < count; place++) {
        const series = values.subarray(place * days, (place + 1) * days);
        const at = {
          latitude: places.latitude[place],
          longitude: places.longitude[place],
          metres: places.metres[place],
        };
        writeLocalWeather(series, variable, member, { place: at, bias, firstLead });
        series.fill(Number.NaN, lastLead + 1);
      }
      return values;
    });
    const { units } = findVariable(variable);
    return wideTable({ ...columns, members }, new Map(Object.entries({ variable, units, ...metadata })));
  };
}
