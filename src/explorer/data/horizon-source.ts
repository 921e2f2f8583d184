import { Schema, Table } from 'apache-arrow';
import { blend, pairMembers, type Timeline } from '../../blend/blend.js';
import { PAIR_BY } from '../../blend/join-options.js';
import type { BlendMethod, Pairing } from '../../blend/pairing/pairing.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { OptionError } from '../../errors.js';
import { withSchema } from '../../table/arrow/same-schema.js';
import {
  type ClimatologyFile,
  NO_PLACES,
  type OpenSource,
  type Origin,
  type ReadRequest,
  type Series,
  type SeriesRequest,
  type SourceVariable,
} from './open-source.js';

/** One run of a model, or one file. */
interface Horizon {
  readonly name: string;
  /** Keys of its variables. */
  readonly variables: readonly string[];
  /** Reads the daily values of a variable at a place. */
  read(request: ReadRequest): Promise<Pick<Series, 'table' | 'notes' | 'steps'>>;
  /** Whether days are made of time steps. */
  readonly hasSteps?: boolean;
  /** The values of a variable on the grid, if they are on one. */
  readonly gridOf?: OpenSource['gridOf'];
}

/** What a source is made of. */
export interface HorizonParts {
  readonly origin: Origin;
  readonly title: string;
  readonly variables: readonly SourceVariable[];
  /** From the shortest to the longest. */
  readonly horizons: readonly Horizon[];
  readonly places?: Places;
  readonly models?: readonly string[];
  /** Whether a read has only the place that is asked for, of several. */
  readonly isReadByPlace?: boolean;
  readonly history?: OpenSource['history'];
  readonly climatologies?: ReadonlyMap<string, ClimatologyFile>;
}

/** Creates a source from horizons: those that have a variable are joined to one timeline. */
export function horizonSource(parts: HorizonParts): OpenSource {
  const { origin, title, variables, horizons, places = NO_PLACES, history, climatologies = new Map() } = parts;
  const { models = [] } = parts;
  const notes = parts.isReadByPlace ? [PAIRED_HERE] : [];
  const holding = (variable: string) => horizons.filter((horizon) => horizon.variables.includes(variable));
  const isJoined = variables.some(({ key }) => holding(key).length > 1);
  return {
    ...{ origin, title, variables, places, models, hasAnyPlace: false, climatologies },
    // Days are joined, and not steps.
    hasSteps: !isJoined && horizons.some((horizon) => horizon.hasSteps),
    horizons: isJoined ? horizons.map(({ name }) => name) : [],
    ...(history && { history }),
    gridOf: (variable) => {
      const [first, ...others] = holding(variable);
      return others.length > 0 ? undefined : first?.gridOf?.(variable);
    },
    read: (request) => readSeries(horizons, request, notes),
  };
}

/** A note on a timeline of files of which only one place is read. */
const PAIRED_HERE =
  'members of the horizons are paired at this place alone; the command pairs them for the whole field';

async function readSeries(
  horizons: readonly Horizon[],
  request: SeriesRequest,
  more: readonly string[],
): Promise<Series> {
  const { core, variable, method } = request;
  const holding = horizons.filter(({ variables }) => variables.includes(variable));
  if (typeof method === 'object' || holding.length === 1) {
    const chosen = typeof method === 'object' && horizons.length > 1 ? horizons[method.only] : holding[0];
    if (chosen?.variables.includes(variable)) return chosen.read(request);
    throw new OptionError({
      ...{ subject: variable, problem: 'not in this horizon', received: chosen?.name ?? 'none' },
      allowed: holding.map(({ name }) => name).join(', '),
    });
  }
  const read = await Promise.all(holding.map((horizon) => horizon.read(request)));
  const names = namesOf(holding);
  const pairing = await sharedPairing(horizons, holding, request, method);
  const tables = read.map(({ table }, h) => ofHorizon(table, names[h]));
  const timeline = blend(core, tables, pairing === undefined ? { method, sources: names } : { pairing });
  return {
    table: timeline.table,
    timeline,
    notes: [...read.flatMap(({ notes }) => notes), ...notesOf(timeline), ...more],
  };
}

/**
 * The pairing of members by temperature and precipitation, for all variables; undefined where not all horizons have one
 * of them, or a variable is paired by itself.
 */
async function sharedPairing(
  horizons: readonly Horizon[],
  holding: readonly Horizon[],
  request: SeriesRequest,
  method: BlendMethod,
): Promise<Pairing | undefined> {
  const { core, variable } = request;
  const slugs = PAIR_BY.filter((slug) => horizons.every(({ variables }) => variables.includes(slug)));
  const isByItself = slugs.length === 0 || (slugs.length === 1 && slugs[0] === variable);
  // The pairing of all horizons serves the first ones, too.
  if (isByItself || holding.some((horizon, h) => horizon !== horizons[h])) return undefined;
  const names = namesOf(horizons);
  const tablesOf = async (slug: string) => {
    const read = await Promise.all(horizons.map((horizon) => horizon.read({ ...request, variable: slug })));
    return read.map(({ table }, h) => ofHorizon(table, names[h]));
  };
  const [first, ...also] = await Promise.all(slugs.map(tablesOf));
  return pairMembers(core, first, { also, method, sources: names });
}

/** A table that states the name of its horizon, by which seams and members are explained. */
function ofHorizon({ schema, batches }: Table, name: string): Table {
  const named = new Schema(schema.fields, new Map(schema.metadata).set('horizon', name));
  return new Table(
    named,
    batches.map((batch) => withSchema(batch, named)),
  );
}

/** Names of horizons for messages, each once. */
function namesOf(horizons: readonly Horizon[]): string[] {
  return horizons.map(({ name }, h) =>
    horizons.findIndex((other) => other.name === name) < h ? `${name} (${h + 1})` : name,
  );
}

function notesOf({ notes }: Timeline): string[] {
  return notes.map(({ source, text }) => `${source}: ${text}`);
}
