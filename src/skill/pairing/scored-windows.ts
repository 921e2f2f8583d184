import type { Places } from '../../ensemble/nearest-place.js';
import { idsOf } from '../../ensemble/place-labels.js';
import { DataError, FormatError } from '../../errors.js';

/** The dates on which the first and the last of some consecutive windows end. */
type Span = readonly [from: string, through: string];

const FORM = /^(\S+ [0-9a-f]{16}) (\S+)$/;

/** Which windows of which runs were scored: each counts once. */
export class ScoredWindows {
  readonly #runs = new Map<string, readonly Span[]>();

  /** Reads the texts of a state. Throws FormatError for what is none. */
  static read(texts: unknown, source: string): ScoredWindows {
    return new ScoredWindows().addTexts(texts, source);
  }

  /** Adds what the texts of a state say. Throws FormatError for what is none. */
  addTexts(texts: unknown, source: string): this {
    for (const text of Array.isArray(texts) ? texts : [undefined]) {
      const [, run, spans] = FORM.exec(String(text)) ?? [];
      if (run === undefined) {
        const problem = 'does not say which runs were scored';
        throw new FormatError({ subject: source, problem, received: text, allowed: 'a state of plumecast verify' });
      }
      this.#runs.set(
        run,
        spans.split(',').map((span) => span.split('..') as unknown as Span),
      );
    }
    return this;
  }

  /** What makes the key of a run at some places of its name: the same run at other places is another one. */
  keysAt(places: Places): (name: string) => string {
    const digest = placesDigest(places);
    return (name) => runKey(name, digest);
  }

  /** Whether a window of a run, by the date on which it ends, was scored. */
  has(run: string, end: string): boolean {
    return (this.#runs.get(run) ?? []).some(([from, through]) => end >= from && end <= through);
  }

  /** Adds windows of a run; `ends` are the dates on which all of its windows end, in order of time. */
  add(run: string, ends: readonly string[], isNew: (end: string) => boolean): void {
    const spans: Span[] = [];
    let before = false;
    for (const end of ends) {
      const isScored = isNew(end) || this.has(run, end);
      if (isScored && before) spans[spans.length - 1] = [spans[spans.length - 1][0], end];
      else if (isScored) spans.push([end, end]);
      before = isScored;
    }
    if (spans.length > 0) this.#runs.set(run, spans);
  }

  /** Adds what another has. Throws DataError for windows of a run that both have. */
  merge(other: ScoredWindows, source: string): void {
    for (const [run, spans] of other.#runs) {
      const own = this.#runs.get(run) ?? [];
      const both = spans.find(([from, through]) => own.some((span) => from <= span[1] && through >= span[0]));
      if (both !== undefined) {
        throw new DataError({
          source,
          problem: 'has windows that are scored already: a case counts once',
          received: `the run ${run.slice(0, -17)}, windows that end from ${both.join(' to ')}`,
          allowed: 'states of other runs, places or days',
        });
      }
    }
    for (const [run, spans] of other.#runs) {
      const own = this.#runs.get(run) ?? [];
      this.#runs.set(
        run,
        [...own, ...spans].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    }
  }

  /** The runs as texts in their order. */
  texts(): string[] {
    return [...this.#runs].map(([run, spans]) => `${run} ${spans.map((span) => span.join('..')).join(',')}`).sort();
  }
}

/** The key of a run, with 16 hexadecimal digits of what places they are. */
export function runKey(name: string, places: string): string {
  return `${name.replaceAll(/\s/g, '_')} ${places}`;
}

/** What places are, as 16 hexadecimal digits (FNV-1a with two offsets). */
function placesDigest({ latitude, longitude, labels }: Places): string {
  const ids = idsOf(labels);
  const hashes = [0x811c9dc5, 0x01000193];
  for (let place = 0; place < latitude.length; place++) {
    const text = `${latitude[place].toFixed(4)},${longitude[place].toFixed(4)},${ids?.[place] ?? ''};`;
    for (let i = 0; i < text.length; i++) {
      for (let h = 0; h < 2; h++) hashes[h] = Math.imul(hashes[h] ^ text.charCodeAt(i), 0x01000193 + 2 * h) >>> 0;
    }
  }
  return hashes.map((hash) => hash.toString(16).padStart(8, '0')).join('');
}
