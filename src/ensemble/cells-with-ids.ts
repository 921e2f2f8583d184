import { mentionOption, OptionError } from '../errors.js';
import type { BoundingBox } from './bounding-box.js';
import { CellsInBox, someCells } from './cells-in-box.js';
import type { Ensemble, EnsemblePart } from './ensemble.js';
import { idsOf, type PlaceLabels } from './place-labels.js';

/** Selects the cells of ensembles of one input, and knows whether there were any. */
export interface ChosenCells {
  /** The ensemble with the chosen cells only; undefined where there are none. */
  select(ensemble: Ensemble): Ensemble | undefined;
  /** For people: how many cells were selected. */
  readonly note: string;
  /** Throws OptionError or DataError where what was requested is not there. */
  assertFound(): void;
}

/** The requested choice of cells, if there is one. */
export function chosenCells(
  { bbox, ids }: { readonly bbox?: BoundingBox | undefined; readonly ids?: readonly string[] | undefined },
  source: string,
): ChosenCells | undefined {
  if (ids !== undefined) return new CellsWithIds(ids, source);
  return bbox && new CellsInBox(bbox, source);
}

/** Selects the cells of places with some ids, in the order of the input. */
class CellsWithIds implements ChosenCells {
  readonly #ids: readonly string[];
  readonly #source: string;
  readonly #known = new Set<string>();
  #all = 0;
  #found = 0;

  constructor(ids: readonly string[], source: string) {
    this.#ids = ids;
    this.#source = source;
  }

  select(ensemble: Ensemble): Ensemble | undefined {
    const parts = ensemble.parts.flatMap((part) => this.#chosen(part) ?? []);
    return parts.length === 0 ? undefined : { ...ensemble, parts };
  }

  get note(): string {
    return `${this.#found} of ${this.#all} places have the ids ${this.#ids.join(', ')}`;
  }

  assertFound(): void {
    assertIds(this.#ids, this.#known, this.#source);
  }

  #chosen(part: EnsemblePart): EnsemblePart | undefined {
    const cells = cellsWithIds(part.labels, this.#ids);
    this.#all += part.latitude.length;
    this.#found += cells.length;
    for (const id of idsOf(part.labels) ?? []) this.#known.add(id);
    if (cells.length === part.latitude.length) return part;
    return cells.length === 0 ? undefined : someCells(part, cells);
  }
}

/** The cells of places with some ids. */
export function cellsWithIds(labels: PlaceLabels | undefined, ids: readonly string[]): Int32Array {
  const wanted = new Set(ids);
  return Int32Array.from((idsOf(labels) ?? []).flatMap((id, cell) => (wanted.has(id) ? cell : [])));
}

/** Throws OptionError for an id that no place has. */
export function assertIds(ids: readonly string[], known: ReadonlySet<string>, source: string): void {
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return;
  const some = [...known].slice(0, 20).join(', ');
  throw new OptionError({
    ...{ subject: `${source}, ids`, problem: 'no place has this id', received: missing.join(', ') },
    allowed:
      known.size === 0
        ? `places with ids; a column of ids by ${mentionOption('columns', { id: 'NAME' })}`
        : `ids of the input: ${some}${known.size > 20 ? ` and ${known.size - 20} more` : ''}`,
  });
}
