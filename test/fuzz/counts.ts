import { readFile, writeFile } from 'node:fs/promises';
import type { Listener } from './child.js';
import { type Finding, OUTCOMES, type Outcome } from './outcome.js';
import type { Reader } from './seeds.js';

const SHOWN: readonly Outcome[] = ['result', 'typed'];
const FAULTS = (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => !SHOWN.includes(outcome));

interface ReaderFinding extends Finding {
  readonly reader: Reader;
}

/** What came of the cases of each reader. */
export class Counts {
  readonly all: ReaderFinding[] = [];
  readonly #ended = new Map<Reader, { cases: number; result: number; typed: number }>();

  constructor(readers: readonly Reader[]) {
    for (const reader of readers) this.#ended.set(reader, { cases: 0, result: 0, typed: 0 });
  }

  of(reader: Reader): Listener {
    const counts = this.#ended.get(reader) as { cases: number; result: number; typed: number };
    return {
      ended: (outcome) => {
        counts.cases++;
        if (outcome === 'result' || outcome === 'typed') counts[outcome]++;
      },
      found: (finding) => {
        this.all.push({ ...finding, reader });
      },
    };
  }

  get hasFaults(): boolean {
    return this.all.length > 0;
  }

  /** A table in Markdown, a row a reader. */
  table(): string {
    const head = [
      'reader',
      'cases',
      ...SHOWN.map((outcome) => OUTCOMES[outcome]),
      ...FAULTS.map((one) => OUTCOMES[one]),
    ];
    const rows = [...this.#ended].map(([reader, { cases, result, typed }]) => {
      const faults = FAULTS.map((outcome) => {
        const indices = this.all
          .filter((one) => one.reader === reader && one.outcome === outcome)
          .map(({ index }) => index);
        return new Set(indices).size;
      });
      return [reader, ...[cases, result, typed, ...faults].map((count) => count.toLocaleString('en'))];
    });
    const lines = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
    return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }

  /** Two findings of each cause. */
  examples(): ReaderFinding[] {
    return this.#byCause().flatMap((findings) => findings.slice(0, 2));
  }

  #byCause(): ReaderFinding[][] {
    const groups = new Map<string, ReaderFinding[]>();
    for (const finding of this.all) {
      const cause = causeOf(finding);
      groups.set(cause, [...(groups.get(cause) ?? []), finding]);
    }
    return [...groups.values()].sort((one, two) => two.length - one.length);
  }

  /** Findings of one cause together, the most frequent first, each with cases to see it again. */
  findings(key: number): string {
    const sorted = this.#byCause();
    return sorted
      .map(([first, ...others]) => {
        const { reader, outcome, index, seed, door, detail } = first;
        const more = others.slice(0, 4).map((other) => other.index);
        return [
          `${others.length + 1} x ${reader}: ${OUTCOMES[outcome]} (${door}; ${seed})`,
          `  ${detail}`,
          `  npm run fuzz -- --readers ${reader} --seed ${key} --case ${index}   also ${more.join(', ')}`,
        ].join('\n');
      })
      .join('\n');
  }

  /** Puts the table in place of the one in a document. */
  async writeTo(path: string, key: number): Promise<void> {
    const text = await readFile(path, 'utf8');
    const date = new Date().toISOString().slice(0, 10);
    const table = `<!-- counts -->\nOn ${date}, seed ${key}, Node ${process.version}:\n\n${this.table()}\n<!-- end of counts -->`;
    await writeFile(
      path,
      text.replace(/<!-- counts -->[\s\S]*<!-- end of counts -->/, () => table),
    );
  }
}

/** What findings of one cause have in common: the innermost error, and where it comes from. */
function causeOf({ reader, outcome, door, detail }: ReaderFinding): string {
  if (outcome === 'memory') return `${reader} ${outcome} ${door}`;
  const innermost = detail.split(' <- ').at(-1) ?? '';
  const [message, ...places] = innermost.replace(/\/tmp\/\S+?(?=[:, ])/g, 'FILE').split(' @ ');
  return `${reader} ${outcome} ${message.replace(/"[^"]*"|-?\d+/g, 'N').slice(0, 80)} ${places.join('').split(' < ')[0]}`;
}
