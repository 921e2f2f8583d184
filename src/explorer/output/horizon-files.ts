import { PAIR_BY } from '../data/horizon-source.js';
import type { FileForm, OriginPath } from '../data/open-source.js';
import { SAMPLE_HORIZONS } from '../data/sample.js';
import type { CopiedView } from './copied-view.js';

/** A file of one horizon of a variable. */
export interface HorizonFile extends OriginPath {
  /** Those that are read together with it. */
  readonly others: readonly OriginPath[];
  readonly form: FileForm;
  /** The file with the variable that members are paired by. */
  readonly pairBy?: string;
}

/** The files that hold a variable, in the order of horizons: all, or the one that is shown alone. */
export function filesOf({ source: { origin }, view: { method } }: CopiedView, variable: string): HorizonFile[] {
  const files =
    origin.kind === 'sample'
      ? SAMPLE_HORIZONS.map(({ folder }, horizon) => ({
          ...{ path: `${folder}/${variable}.arrow`, pairBy: `${folder}/${PAIR_BY}.arrow`, horizon },
          ...{ others: [], form: 'table' as const },
        }))
      : origin.kind === 'files'
        ? origin.files.flatMap(({ variables, ...file }) => {
            if (!variables.includes(variable)) return [];
            const paired = origin.files.find(
              ({ horizon, variables: held }) => horizon === file.horizon && held.includes(PAIR_BY),
            );
            return { ...file, pairBy: paired?.path };
          })
        : [];
  return typeof method === 'object' && files.length > 1
    ? files.filter(({ horizon }) => horizon === method.only)
    : files;
}

/** Whether members of a variable are paired by those of another: where all horizons have that one. */
export function isPaired({ source }: CopiedView, variable: string, files: readonly HorizonFile[]): boolean {
  const count = source.horizons.length;
  return variable !== PAIR_BY && files.length === count && files.every(({ pairBy }) => pairBy !== undefined);
}
