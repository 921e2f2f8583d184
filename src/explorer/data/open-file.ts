import type { Core } from '../../core/load.js';
import type { Places, Point } from '../../ensemble/nearest-place.js';
import { arrayFormat } from '../../files/array/detect-array-format.js';
import type { GivenFile } from './file-origin.js';
import type { ClimatologyFile, FileReader, Series, SourceVariable } from './open-source.js';
import { readBytes } from './read-bytes.js';

/** A file of an ensemble that is open. */
export interface EnsembleFile {
  readonly kind: 'ensemble';
  readonly reader: FileReader;
  /** As in the metadata: `seasonal`. */
  readonly horizon?: string;
  readonly variables: readonly SourceVariable[];
  readonly places: Places;
  /** The last day, by which files are ordered. */
  readonly lastDay: number;
  readonly notes: readonly string[];
  read(variable: string, point: Point | undefined, core: Core): Promise<Pick<Series, 'table' | 'notes'>>;
}

/** What a file is: an ensemble, or a climatology to compare one with. */
export type OpenedFile = EnsembleFile | (ClimatologyFile & { readonly kind: 'climatology'; readonly variable: string });

/** Bytes by which a file of arrays is recognized: HDF5 may begin after other bytes. */
const HEAD_BYTES = 65_536;

/** Opens a file by its content. Throws FormatError, DataError, OptionError and PackageError, which name it. */
export async function openFile(file: GivenFile): Promise<OpenedFile> {
  const head = new Uint8Array(await file.content.slice(0, HEAD_BYTES).arrayBuffer());
  const format = arrayFormat(head);
  const bytes = await readBytes(file);
  // Readers are loaded when a file is met.
  if (format === undefined) return (await import('./table-file.js')).openTableFile(bytes, file.path);
  return (await import('./array-file.js')).openArrayFile(format, bytes, file.path);
}
