import { PAIR_BY } from '../../blend/join-options.js';
import type { FileForm, OriginPath } from '../data/open-source.js';
import { SAMPLE_HORIZONS } from '../data/sample.js';
import type { CopiedView } from './copied-view.js';

/** A file of one horizon of a variable. */
export interface HorizonFile extends OriginPath {
  /** Those that are read together with it. */
  readonly others: readonly OriginPath[];
  readonly form: FileForm;
  /** The files, by slug, with the variables that members are paired by. */
  readonly pairBy: Readonly<Record<string, string | undefined>>;
}

/** The files that hold a variable, in the order of horizons: all, or the one that is shown alone. */
export function filesOf({ source: { origin }, view: { method } }: CopiedView, variable: string): HorizonFile[] {
  const files =
    origin.kind === 'sample'
      ? SAMPLE_HORIZONS.map(({ folder }, horizon) => ({
          ...{ path: `${folder}/${variable}.arrow`, horizon },
          pairBy: Object.fromEntries(PAIR_BY.map((slug) => [slug, `${folder}/${slug}.arrow`])),
          ...{ others: [], form: 'table' as const },
        }))
      : origin.kind === 'files'
        ? origin.files.flatMap(({ variables, ...file }) => {
            if (!variables.includes(variable)) return [];
            const holding = (slug: string) =>
              origin.files.find(({ horizon, variables: held }) => horizon === file.horizon && held.includes(slug));
            return { ...file, pairBy: Object.fromEntries(PAIR_BY.map((slug) => [slug, holding(slug)?.path])) };
          })
        : [];
  return typeof method === 'object' && files.length > 1
    ? files.filter(({ horizon }) => horizon === method.only)
    : files;
}

/** A variable that members are paired by, and its file of each horizon. */
export interface PairedFiles {
  readonly slug: string;
  readonly paths: readonly string[];
}

/** What the members of a variable are paired by, where all horizons have that; none where it is paired by itself. */
export function pairedBy({ source }: CopiedView, variable: string, files: readonly HorizonFile[]): PairedFiles[] {
  if (files.length !== source.horizons.length) return [];
  const known = PAIR_BY.flatMap((slug) => {
    const paths = files.flatMap(({ pairBy }) => pairBy[slug] ?? []);
    return paths.length === files.length ? { slug, paths } : [];
  });
  return known.length === 1 && known[0].slug === variable ? [] : known;
}
