import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [join(root, folder, name)] : []));
const integrations = readdirSync(join(root, 'integrations')).map((name) => `integrations/${name}`);
const pages = ['', 'docs', 'docs/cookbook', ...integrations].flatMap(pagesIn);

/** The text of a page without code, in which nothing is a link. */
const proseOf = (path: string) =>
  readFileSync(path, 'utf8')
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/`[^`\n]*`/g, 'x');

/** The places of a page, as GitHub names them: by its headings; a name that comes again has a number. */
function placesOf(path: string): Set<string> {
  const counts = new Map<string, number>();
  const text = readFileSync(path, 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  const names = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => {
    const name = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
  return new Set(names);
}

describe('pages of the documentation', () => {
  it('have links to files and places that there are', () => {
    const broken: string[] = [];
    for (const page of pages) {
      for (const [, target] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file, place] = target.split('#');
        const path = file === '' ? page : resolve(dirname(page), file);
        const isThere = existsSync(path) && (place === undefined || !path.endsWith('.md') || placesOf(path).has(place));
        if (!isThere) broken.push(`${relative(root, page)}: ${target}`);
      }
    }
    expect(broken).toEqual([]);
    expect(pages.length).toBeGreaterThan(60);
  });

  it('are in the sidebar of the site, each once', async () => {
    const sidebar: { pages: string[] } = await import(new URL('../../docs/site/sidebar.mjs', import.meta.url).href);
    const docs = [...pagesIn('docs'), ...pagesIn('docs/cookbook')]
      .map((path) => relative(join(root, 'docs'), path).replace(/\.md$/, '').replaceAll('\\', '/'))
      .filter((page) => page !== 'README');
    const apart = ['contributing', 'changelog', ...integrations];
    expect([...sidebar.pages].sort()).toEqual([...docs, ...apart].sort());
  });
});
