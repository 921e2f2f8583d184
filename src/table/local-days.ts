import { DataError } from '../errors.js';

/** Midnight in a zone that is not UTC. */
const LOCAL_MIDNIGHT = /[T ]00(:?00(:?00([.,]0+)?)?)? ?[+-](?!00(:?00)?$)\d\d(:?\d\d)?$/;

/** The column of dates of daily values. */
export interface DatedColumn {
  readonly source?: string;
  readonly column: string;
}

/** Throws DataError if all texts are midnights in a zone other than UTC: then daily values are not of UTC days. */
export function assertUtcTexts(texts: readonly unknown[], where: DatedColumn): void {
  if (texts.length > 0 && texts.every((text) => LOCAL_MIDNIGHT.test(String(text)))) throw localDays(where, texts[0]);
}

/** The error for daily values of days that are not UTC days. */
export function localDays({ source, column }: DatedColumn, received: unknown): DataError {
  return new DataError({
    ...{ source, row: 1, column, problem: 'daily values of days that are not those of UTC', received },
    allowed: 'values of UTC days or hours, or dates without a time',
  });
}
