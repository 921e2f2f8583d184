import type { Table } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { asText } from '../option-checks.js';

/** Throws OptionError for what is no Arrow table. */
export function refuseNoTable(table: Table | undefined | null, source?: string): void {
  if (table?.schema?.fields !== undefined) return;
  throw new OptionError({
    subject: source === undefined ? 'table' : `${source}, table`,
    problem: 'is none',
    received: asText(table),
    allowed: 'an Arrow table',
  });
}
