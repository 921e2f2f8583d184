import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { nearestCell } from '../../ensemble/nearest-cell.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import { canonicalMetadata, tablesOfPart } from '../../files/cf/part-tables.js';
import { joinTables } from '../../table/build/join-tables.js';

/** The daily values at one place, as a table in the canonical wide form. Throws DataError where there are several. */
export function tableAt(all: Ensemble, point: Point | undefined, source: string): Table {
  const { parts, metadata, variable, units } = point === undefined ? all : nearestCell(all, point, source);
  const [part] = parts;
  if (parts.length > 1 || part.field.cells > 1) {
    throw new DataError({ source, problem: 'has several places', allowed: 'the choice of one' });
  }
  const members = part.field.members.map(({ name }) => name);
  const texts = canonicalMetadata({ metadata, variable: variable?.slug, units, members });
  return joinTables([...tablesOfPart(part, texts)]);
}
