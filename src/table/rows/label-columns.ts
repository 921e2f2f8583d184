import { type DataType, Float64, makeData } from 'apache-arrow';
import type { NumberArrayConstructor } from '../../core/number-arrays.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { idsOf, type LabelColumn, type PlaceLabels } from '../../ensemble/place-labels.js';
import { DataError, mentionOption } from '../../errors.js';
import { valueArray } from '../arrow/value-array.js';
import {
  moreTexts,
  type NewColumn,
  nullsWhere,
  type TextDictionary,
  textDictionary,
  texts,
} from '../build/create-table.js';

/** The texts of columns so far: tables of one stream share them. */
const dictionaries = /* @__PURE__ */ new WeakMap<LabelColumn, TextDictionary>();

/** The labels of cells, which become columns of tables. */
export function placeLabels(columns: readonly LabelColumn[], hasId: boolean, of: Int32Array): PlaceLabels {
  const labels: PlaceLabels = {
    ...{ columns, hasId, of },
    toColumns: (places) => columns.map((column) => labelColumn(column, places)),
    joined: (parts) => ({ ...labels, of: Int32Array.from(parts.flatMap((part) => [...(part.labels?.of ?? [])])) }),
    assertOnly: assertOnlyPlace,
  };
  return labels;
}

function assertOnlyPlace({ latitude, longitude, labels }: Places, place: number, source?: string): void {
  const ids =
    idsOf(labels)?.filter((_, i) => latitude[i] === latitude[place] && longitude[i] === longitude[place]) ?? [];
  if (ids.length < 2) return;
  throw new DataError({
    ...{ source, subject: 'point', problem: `several places are nearest: ${ids.join(', ')}` },
    ...{ received: `${latitude[place]}, ${longitude[place]}`, allowed: `one of them, by ${mentionOption('ids')}` },
  });
}

function labelColumn(column: LabelColumn, places: Int32Array): NewColumn {
  const { name, isNumber, type = new Float64(), values, codes, varies } = column;
  const codeOf = (place: number) => (varies ? -1 : (codes[place] ?? -1));
  if (isNumber) {
    return typedNumbers(
      name,
      type as DataType,
      Array.from(places, (place) => values[codeOf(place)]),
    );
  }
  return texts(
    name,
    places.map((place) => codeOf(place) + 1),
    growingTexts(column),
  );
}

function growingTexts(column: LabelColumn): TextDictionary {
  const known = dictionaries.get(column) ?? textDictionary([null]);
  const added = column.values.slice(known.vector.length - 1).map(String);
  const all = added.length > 0 ? moreTexts(known, added) : known;
  dictionaries.set(column, all);
  return all;
}

/** Numbers of a type; those that are undefined become null. */
function typedNumbers(name: string, type: DataType, values: readonly unknown[]): NewColumn {
  const data = new (valueArray(type) as NumberArrayConstructor)(values.length);
  for (let row = 0; row < values.length; row++) if (values[row] !== undefined) data[row] = values[row] as number;
  const nulls = nullsWhere(values.length, (row) => values[row] === undefined);
  return { name, data: makeData({ type: type as Float64, data: data as Float64Array, ...nulls }) };
}
