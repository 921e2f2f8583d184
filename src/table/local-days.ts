import { DataError } from '../errors.js';

/** Midnight in a zone that is not UTC. */
const LOCAL_MIDNIGHT = /[T ]00(:?00(:?00([.,]0+)?)?)? ?[+-](?!00(:?00)?$)\d\d(:?\d\d)?$/;

/** Where daily values stand. */
export interface DatedColumn {
  readonly source?: string;
  readonly column: string;
}

/** Throws DataError where texts, one at least, are all midnights of another zone than UTC: daily values of other days. */
export function assertUtcTexts(texts: readonly unknown[], where: DatedColumn): void {
  if (texts.length > 0 && texts.every((text) => LOCAL_MIDNIGHT.test(String(text)))) throw localDays(where, texts[0]);
}

/** The error for daily values of days that are not those of UTC. */
export function localDays({ source, column }: DatedColumn, received: unknown): DataError {
  return new DataError({
    ...{ source, row: 1, column, problem: 'daily values of days that are not those of UTC', received },
    allowed:
      'values of UTC days, or of hours, of which UTC days are made; or dates without a time, which are taken as they are',
  });
}
