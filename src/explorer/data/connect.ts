import { type Table, tableFromIPC } from 'apache-arrow';
import { createClient } from '../../client/create-client.js';
import { MemberColumn } from '../../core/member-column.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { OptionError } from '../../errors.js';
import { dayColumn } from '../../table/day-column.js';
import { numberChunks } from '../../table/number-column.js';
import { ownTable } from '../../table/own-table.js';
import { readEnsemble } from '../../table/read-ensemble.js';
import { columnOf } from '../../table/table-column.js';
import { listedVariables } from '../../table/table-variable.js';
import { wideTable } from '../../table/wide-table.js';
import { findVariable } from '../../variable/find-variable.js';
import { NO_PLACES, type OpenSource } from './open-source.js';
import { tableAt } from './place-table.js';

/** A server, and the key for it, which stays in memory. */
export interface ServerAccess {
  readonly address: string;
  readonly key: string;
  /** The place of the first request. */
  readonly point: Point;
  readonly signal: AbortSignal;
}

/** The years of normal values. */
const REFERENCE = { startDate: '1993-01-01', endDate: '2022-12-31' };
/** Forecasts of so many places are kept. */
const MAX_PLACES = 20;

/** Connects to a server: its forecast at a place. Throws ServiceError where the server does not answer with one. */
export async function connect({ address, key, point, signal }: ServerAccess): Promise<OpenSource> {
  const client = createClient({ baseUrl: address, apiKey: key });
  const forecasts = new Map<string, Promise<Table>>();
  const forecastAt = (at: Point, ends?: AbortSignal): Promise<Table> => {
    const name = `${at.latitude},${at.longitude}`;
    const known = forecasts.get(name);
    if (known !== undefined) return known;
    const forecast = client.forecast(at, { as: 'arrow', signal: ends }).then((bytes) => tableFromIPC(bytes));
    if (forecasts.size >= MAX_PLACES) forecasts.delete([...forecasts.keys()][0]);
    forecasts.set(name, forecast);
    forecast.catch(() => forecasts.delete(name));
    return forecast;
  };
  const variables = listedVariables(ownTable(await forecastAt(point, signal))).filter((slug) => slug !== undefined);
  return {
    origin: { kind: 'server', address },
    title: new URL(address).host,
    variables: variables.map((slug) => ({ key: slug, isKnown: true })),
    places: NO_PLACES,
    hasAnyPlace: true,
    horizons: [],
    climatologies: new Map(),
    read: async ({ variable, point: at = point }) => {
      const ensemble = readEnsemble(await forecastAt(at), { variable: findVariable(variable), source: address });
      return { table: tableAt(withoutAbsent(ensemble), undefined, address), notes: [] };
    },
    history: async (variable, at = point) => {
      const query = { ...at, variables: [variable], ...REFERENCE };
      return historyTable(ownTable(tableFromIPC(await client.history(query, { as: 'arrow' }))), variable);
    },
  };
}

/** An answer of several variables has columns for members that some of them do not have. */
function withoutAbsent(ensemble: Ensemble): Ensemble {
  const [part] = ensemble.parts;
  const { field } = part;
  const isThere = (member: MemberColumn) => {
    for (let day = 0; day < field.days; day++) if (!Number.isNaN(member.value(day))) return true;
    return false;
  };
  const members = field.members.filter(isThere);
  if (members.length === 0) {
    throw new OptionError({ subject: 'forecast', problem: 'has no values', allowed: 'a place with a forecast' });
  }
  return { ...ensemble, parts: [{ ...part, field: { ...field, members } }] };
}

/** The answer of a history as a series of days. */
function historyTable(table: Table, variable: string): Table {
  const values = (name: string) => {
    const column = new MemberColumn(name, numberChunks(columnOf(table, name), name, 'float64'));
    const all = new Float64Array(column.length);
    column.copyTo(all, 0, 0, all.length);
    return all;
  };
  const columns = {
    latitude: values('latitude'),
    longitude: values('longitude'),
    date: dayColumn(columnOf(table, 'start'), 'start'),
    members: [values('value')],
  };
  return wideTable(columns, new Map(Object.entries({ variable, units: findVariable(variable).units })));
}
