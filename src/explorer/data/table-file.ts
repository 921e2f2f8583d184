import type { Table } from 'apache-arrow';
import { readClimatology } from '../../climate/read-climatology.js';
import type { StepEdges } from '../../ensemble/accumulation.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import { isStatisticsTable } from '../../files/cf/content/table-results.js';
import type { FileAccess } from '../../files/file-access.js';
import { READABLE_FORMATS } from '../../files/formats.js';
import { openTable } from '../../files/open-source.js';
import { variablesOfTable } from '../../input/list-variables.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { makeDaily } from '../../table/daily/daily-table.js';
import { selectModel } from '../../table/daily/step-table.js';
import { numberedStepsOf } from '../../table/daily/time-steps.js';
import { timedTable } from '../../table/daily/timed-table.js';
import { readEnsemble } from '../../table/rows/read-ensemble.js';
import { readPlaces } from '../../table/rows/read-places.js';
import { resolveVariable } from '../../variable/find-variable.js';
import type { EnsembleFile, OpenedFile } from './opened-file.js';
import { tableAt } from './place-table.js';

/** The key of values whose variable is not known. */
const UNKNOWN = 'values';

interface ReadVariable {
  readonly ensemble: Ensemble;
  readonly notes: readonly string[];
  /** Reads the time steps; undefined of daily values. */
  readonly steps:
    | (() => { readonly ensemble: Ensemble; readonly edges: StepEdges; notes: readonly string[] })
    | undefined;
}

/** Opens a file of a table: an ensemble of any form that `statistics` reads, or a climatology. */
export async function openTableFile(file: FileAccess): Promise<OpenedFile> {
  const { source } = file;
  const notes: string[] = [];
  const table = await (
    await openTable(file, { report: (note) => notes.push(note), readable: READABLE_FORMATS })
  ).read();
  if (isStatisticsTable(table)) {
    const problem = 'holds results of statistics, not the members that they are of';
    throw new DataError({ source, problem, allowed: 'the file of the ensemble' });
  }
  if (isClimatology(table)) {
    const { variable } = readClimatology(table, { source });
    return { kind: 'climatology', variable: variable?.slug ?? UNKNOWN, table, path: source };
  }
  return ensembleFile(table, source, notes);
}

function isClimatology({ schema }: Table): boolean {
  const names = schema.fields.map(({ name }) => name);
  return ['period', 'n_samples', 'mean'].every((name) => names.includes(name));
}

function ensembleFile(table: Table, source: string, notes: readonly string[]): EnsembleFile {
  const models = table.schema.metadata.get('models')?.split(',') ?? [];
  const [firstModel] = models;
  const slugs = variablesOfTable(selectModel(table, { model: firstModel, source }));
  const variables =
    slugs.length > 0 ? slugs.map((key) => ({ key, isKnown: true })) : [{ key: UNKNOWN, isKnown: false }];
  const known = new Map<string, ReadVariable>();
  const read = (key: string, as?: string, wanted?: string): ReadVariable => {
    const name = key === UNKNOWN ? as : key;
    const model = models.find((each) => each === wanted) ?? firstModel;
    const id = `${name ?? UNKNOWN} ${model}`;
    const earlier = known.get(id);
    if (earlier !== undefined) return earlier;
    const ensemble = readVariable(table, { name, model, source });
    known.set(id, ensemble);
    return ensemble;
  };
  // Reading the first shows whether the file can be read at all.
  const { ensemble, steps: ofFirst } = read(variables[0].key);
  const lastDay = Math.max(...ensemble.parts.map(({ field }) => field.firstDay + field.days - 1));
  return {
    ...{ kind: 'ensemble', form: 'table', variables, lastDay, places: placesOf(ensemble) },
    horizon: table.schema.metadata.get('horizon'),
    ...(models.length > 1 && { models }),
    hasSteps: ofFirst !== undefined,
    read: async ({ variable, as, model, point, steps }) => {
      const { ensemble, notes: ofVariable, steps: readSteps } = read(variable, as, model);
      const days = { table: tableAt(ensemble, point, source), notes: [...notes, ...ofVariable] };
      if (!steps || readSteps === undefined) return days;
      const found = readSteps();
      const table = timedTable(tableAt(found.ensemble, point, source), found.edges);
      return { ...days, steps: { table, notes: [...notes, ...found.notes] } };
    },
  };
}

function readVariable(
  given: Table,
  { name, model, source }: { readonly name: string | undefined; readonly model: string | undefined; source: string },
): ReadVariable {
  const named = { ...(name !== undefined && resolveVariable(name)), ...(model !== undefined && { model }) };
  const { table, conversions, columns, times } = makeDaily(given, { ...named, source });
  const read = (of: Table, names: ColumnRoles) =>
    readEnsemble(of, { ...named, source, columns: names, places: readPlaces });
  const ensemble = read(table, columns);
  const steps = () => {
    const found = numberedStepsOf(given, { ...named, source });
    return { ensemble: read(found.table, found.columns), edges: found.edges, notes: found.conversions };
  };
  const notes = [...new Set([...conversions, ...(ensemble.notes ?? [])])];
  return { ensemble, notes, steps: times === undefined ? undefined : steps };
}

function placesOf({ parts }: Ensemble): Places {
  const all = (name: 'latitude' | 'longitude') => Float64Array.from(parts.flatMap((part) => [...part[name]]));
  return { latitude: all('latitude'), longitude: all('longitude') };
}
