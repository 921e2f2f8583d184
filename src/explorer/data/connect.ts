import { Schema, Table, tableFromIPC } from 'apache-arrow';
import { type Client, createClient } from '../../client/create-client.js';
import { ServiceError } from '../../client/service-error.js';
import { MemberColumn } from '../../core/member-column.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { OptionError } from '../../errors.js';
import { ownTable } from '../../table/arrow/own-table.js';
import { withSchema } from '../../table/arrow/same-schema.js';
import { columnOf } from '../../table/arrow/table-schema.js';
import { wideTable } from '../../table/build/wide-table.js';
import { numberChunks } from '../../table/columns/column-values.js';
import { dayColumn } from '../../table/columns/day-column.js';
import { listedVariables } from '../../table/columns/table-variable.js';
import { readEnsemble } from '../../table/rows/read-ensemble.js';
import { findVariable } from '../../variable/find-variable.js';
import { NO_PLACES, type OpenSource, REFERENCE } from './open-source.js';
import { tableAt } from './place-table.js';
import { askSkill } from './window-skill.js';

/** A server, and the key for it, which stays in memory. */
export interface ServerAccess {
  readonly address: string;
  readonly key: string;
  /** The place of the first request. */
  readonly point: Point;
  readonly signal: AbortSignal;
}

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
    const forecast = askForecast(client, at, ends);
    if (forecasts.size >= MAX_PLACES) forecasts.delete([...forecasts.keys()][0]);
    forecasts.set(name, forecast);
    forecast.catch(() => forecasts.delete(name));
    return forecast;
  };
  const variables = listedVariables(ownTable(await forecastAt(point, signal))).filter((slug) => slug !== undefined);
  if (variables.length === 0) {
    throw new ServiceError({ code: 'unreadable', detail: 'The server has no forecast of any variable here.' });
  }
  return {
    origin: { kind: 'server', address },
    title: new URL(address).host,
    variables: variables.map((slug) => ({ key: slug, isKnown: true })),
    places: NO_PLACES,
    hasAnyPlace: true,
    hasSteps: false,
    models: [],
    horizons: [],
    climatologies: new Map(),
    read: async ({ variable, point: at = point }) => {
      const rows = rowsOf(ownTable(await forecastAt(at)), variable);
      const ensemble = readEnsemble(rows, { variable: findVariable(variable), source: address });
      return { table: tableAt(withoutAbsent(ensemble), undefined, address), notes: [] };
    },
    skill: (variable, granularity, at = point) => askSkill(client, at, variable, granularity),
    history: async (variable, at = point) => {
      const query = { ...at, variables: [variable], ...REFERENCE };
      return historyTable(ownTable(tableOfAnswer(await client.history(query, { as: 'arrow' }))), variable);
    },
  };
}

/** Asks for the forecast with its horizons; without them where the server does not know of these. */
async function askForecast(client: Client, at: Point, signal: AbortSignal | undefined): Promise<Table> {
  const ask = async (horizons?: boolean) =>
    tableOfAnswer(await client.forecast({ ...at, horizons }, { as: 'arrow', signal }));
  try {
    return await ask(true);
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.faults.some(({ parameter }) => parameter === 'horizons');
    if (isUnknown) return ask();
    throw error;
  }
}

/** Throws ServiceError for what is no Arrow stream, or a cut one. */
function tableOfAnswer(bytes: Uint8Array): Table {
  try {
    return tableFromIPC(bytes);
  } catch (cause) {
    const detail = `The answer of the server is damaged or cut: ${cause instanceof Error ? cause.message : cause}`;
    throw new ServiceError({ code: 'unreadable', detail, cause });
  }
}

/** The rows of one variable, which are together in an answer, without the columns that name it. */
function rowsOf(table: Table, variable: string): Table {
  const names = Array.from(table.getChild('variable') ?? [], String);
  const columns = table.schema.fields.map(({ name }) => name).filter((name) => name !== 'variable' && name !== 'units');
  const metadata = new Map(table.schema.metadata).set('variable', variable).set('units', findVariable(variable).units);
  if (!names.includes(variable)) {
    const received = [...new Set(names)].join(', ');
    throw new OptionError({ subject: variable, problem: 'the server has no forecast of it here', received });
  }
  const rows = table.slice(names.indexOf(variable), names.lastIndexOf(variable) + 1).select(columns);
  const schema = new Schema(rows.schema.fields, metadata);
  return new Table(
    schema,
    rows.batches.map((batch) => withSchema(batch, schema)),
  );
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
