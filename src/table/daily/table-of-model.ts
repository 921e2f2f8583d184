import { makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { OptionError } from '../../errors.js';
import { assertTable } from '../arrow/assert-table.js';
import { quickSchema } from '../arrow/quick-schema.js';
import { longestEnding, splitUnits } from '../columns/name-parts.js';
import { severalModels } from '../columns/value-columns.js';

/**
 * Selects the columns of one model, and removes the model from their names. The metadata of the table list the models
 * that names of columns end with (`models`, as in tables of Open-Meteo); a table without such a list is returned as it
 * is. Throws OptionError if one of several models must be named, or the named one is not among them.
 */
export function selectModel(table: Table, { model, source }: { model?: string; source?: string }): Table {
  assertTable(table, source);
  const { fields, metadata } = table.schema;
  const models = metadata.get('models')?.split(',');
  if (models === undefined) {
    if (model === undefined) return table;
    const subject = source === undefined ? 'model' : `${source}, model`;
    const problem = 'the table does not name models';
    throw new OptionError({ subject, problem, received: model, allowed: 'no model: all members are of one' });
  }
  const chosen = model ?? (models.length === 1 ? models[0] : undefined);
  if (chosen === undefined || !models.includes(chosen)) throw severalModels(models, source, model);
  const known = new Set(models);
  const modelOf = (name: string) => longestEnding(plainName(name), known);
  const places = [...fields.keys()].filter((place) => [undefined, chosen].includes(modelOf(fields[place].name)));
  const kept = places.map((place) => {
    const field = fields[place];
    return modelOf(field.name) === undefined ? field : field.clone({ name: withoutModel(field.name, chosen) });
  });
  const ofModel = new Map(metadata).set('model', chosen);
  ofModel.delete('models');
  const schema = quickSchema(new Schema(kept, ofModel));
  const batches = table.batches.map(({ data, numRows: length }) => {
    const children = places.map((place) => data.children[place]);
    return new RecordBatch(schema, makeData({ type: new Struct(kept), length, nullCount: 0, children }));
  });
  return new Table(schema, batches);
}

function plainName(name: string): string {
  return splitUnits(name)?.plain ?? name;
}

function withoutModel(name: string, model: string): string {
  const { plain, suffix } = splitUnits(name) ?? { plain: name, suffix: '' };
  return `${plain.slice(0, -model.length - 1)}${suffix}`;
}
