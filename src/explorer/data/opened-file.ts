import type { Places } from '../../ensemble/nearest-place.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { ClimatologyFile, FileForm, ReadRequest, Series, SourceVariable } from './open-source.js';

/** A file of an ensemble that is open. */
export interface EnsembleFile {
  readonly kind: 'ensemble';
  readonly form: FileForm;
  /** As in the metadata: `seasonal`. */
  readonly horizon?: string;
  readonly variables: readonly SourceVariable[];
  readonly places: Places;
  /** The last day, by which files are ordered. */
  readonly lastDay: number;
  /** The names of models, where there are several. */
  readonly models?: readonly string[];
  /** Whether days are made of time steps. */
  readonly hasSteps: boolean;
  read(request: ReadRequest): Promise<Pick<Series, 'table' | 'notes' | 'steps'>>;
  /** The values of a variable at all places, of a grid; `as` says what they are where the file does not. */
  readonly grid?: (variable: string, as: string | undefined) => Promise<GridEnsemble>;
}

/** What a file is: an ensemble, or a climatology to compare one with. */
export type OpenedFile = EnsembleFile | (ClimatologyFile & { readonly kind: 'climatology'; readonly variable: string });
