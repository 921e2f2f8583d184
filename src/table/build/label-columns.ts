import { type DataType, Float64 } from 'apache-arrow';
import type { PlaceLabels } from '../../ensemble/place-labels.js';
import { moreTexts, type NewColumn, type TextDictionary, textDictionary, texts, typedNumbers } from './create-table.js';

/** The texts of label columns, which continue those `before`; columns of numbers have none. */
export function labelTexts({ columns }: PlaceLabels, before: readonly TextDictionary[] = []): TextDictionary[] {
  return columns.map(({ values }, c) => {
    const known = before[c] ?? textDictionary([null]);
    const added = values.slice(known.vector.length - 1).map(String);
    return added.length > 0 ? moreTexts(known, added) : known;
  });
}

/** The label columns of rows; `of` is the place of each, as the labels count places. */
export function labelColumns(
  labels: PlaceLabels | undefined,
  of: Int32Array,
  dictionaries: readonly TextDictionary[] | undefined = labels && labelTexts(labels),
): NewColumn[] {
  return (labels?.columns ?? []).map(({ name, isNumber, type = new Float64(), values, codes }, c) =>
    !isNumber
      ? texts(
          name,
          of.map((place) => (codes[place] ?? -1) + 1),
          dictionaries?.[c] as TextDictionary,
        )
      : typedNumbers(
          name,
          type as DataType,
          Array.from(of, (place) => values[codes[place]]),
        ),
  );
}
