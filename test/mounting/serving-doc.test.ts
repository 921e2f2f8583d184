import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from 'plumecast/service';
import { expect, it } from 'vitest';
import { root } from './server-process.js';

const page = readFileSync(join(root, 'docs', 'serving.md'), 'utf8');

/** The text of a section. */
const section = (title: string) => page.split(`\n## ${title}\n`)[1].split('\n## ')[0];

it('the example of a custom source prints the output in docs/serving.md', () => {
  const [, code, output] = /```js\n([^`]*?)```\n\n```text\n([^`]*?)```/.exec(page) ?? [];
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    env,
    timeout: 110_000,
  });
  expect(`${stderr}${stdout}`).toBe(output);
});

it('every path of the service is in docs/serving.md', () => {
  const { paths } = openApiDocument() as { paths: Record<string, unknown> };
  const current = Object.keys(paths).filter((path) => !path.includes('{id}'));
  // Prefixed paths exist without their prefix, too; the page names each horizon by its last segment.
  const names = current.map((path) => (path.startsWith('/v2') ? path : path.replace(/^\/v1/, '')));
  const text = section('What it answers');
  const missing = names.filter((path) => !text.includes(`\`${path}\``) && !text.includes(`\`/v1${path}\``));
  expect(missing.filter((path) => !text.includes(`\`/${path.split('/').at(-1)}\``))).toEqual([]);
});

it('every code of an error is in docs/serving.md, and no other', () => {
  const folder = join(root, 'src', 'service');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const thrown = sources
    .filter((path) => /^(handler|endpoints|point)\b.*\.ts$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return [...text.matchAll(/(?:ProblemError\(\d{3}, |unavailable\(|reject\()'([a-z-]+)'/g)].map(([, code]) => code);
    });
  const rows = Array.from(section('Errors').matchAll(/^\| \d{3} \| ([^|]+) \|/gm), ([, codes]) => codes);
  const reported = rows.flatMap((codes) => Array.from(codes.matchAll(/`([a-z-]+)`/g), ([, code]) => code));
  expect([...new Set(reported)].sort()).toEqual([...new Set(thrown)].sort());
});

it('every option of createHandler is in docs/serving.md', () => {
  const options = readFileSync(join(root, 'src', 'service', 'handler', 'handler-options.ts'), 'utf8');
  const [, table] = /const OPTIONS[^{]*\{([^}]*)\}/.exec(options) ?? [];
  const names = [...table.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  expect(names).toContain('onRequest');
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

it('docs/serving.md links to every mounting example, and each of its links works', () => {
  const linked = [...page.matchAll(/\]\(mounting\/([^)]+)\)/g)].map(([, name]) => name);
  expect(linked.sort()).toEqual(readdirSync(join(root, 'docs', 'mounting')).sort());
});
