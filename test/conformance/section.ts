import { basename } from 'node:path';
import { describe, it } from 'vitest';
import { DECISIONS } from './decisions.js';
import { EXTENSIONS } from './extensions.js';
import { SPECIFICATION } from './specification.js';

/** All sentences, by the heading of their section and their id in it. */
export const SENTENCES = { ...SPECIFICATION, ...DECISIONS, ...EXTENSIONS };

type Headings = typeof SENTENCES;

/** What asserts a sentence; its title says what the code does. */
interface Test {
  readonly title: string;
  readonly run: () => void | Promise<void>;
}

export interface RegisteredTest extends Test {
  readonly heading: string;
  /** The sentence's id. */
  readonly id: string;
  /** The name of the file that the test is in. */
  readonly file: string;
}

const registered: RegisteredTest[] = [];

export function test(title: string, run: () => void | Promise<void>): Test {
  return { title, run };
}

/**
 * Registers tests of a section's sentences, by id, with Vitest and for the page; `url` is that of their file.
 * Throws where there is no such section or sentence.
 */
export function section<Heading extends keyof Headings>(
  heading: Heading,
  url: string,
  tests: { readonly [Id in keyof Headings[Heading]]?: Test | readonly Test[] },
): void {
  const ids = Object.keys(SENTENCES[heading] ?? {});
  const unknown = Object.keys(tests).filter((id) => !ids.includes(id));
  if (unknown.length > 0) throw new Error(`section "${heading}" has no sentence "${unknown.join('", "')}"`);
  describe(heading, () => {
    for (const [id, some] of Object.entries(tests as Record<string, Test | readonly Test[]>)) {
      for (const { title, run } of [some].flat()) {
        registered.push({ heading, id, title, run, file: basename(url) });
        it(title, run);
      }
    }
  });
}

/** The tests of all sections that are loaded, in the order in which they run. */
export function registeredTests(): readonly RegisteredTest[] {
  return registered;
}
