import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ path, name: path.replace('.', manifest.name), file: target.default }],
);

// A change on purpose: npx vitest run test/package --update
it.each(entries)('$name exports the names that are pinned', async ({ file }) => {
  const exported = await import(/* @vite-ignore */ new URL(`../../${file}`, import.meta.url).href);
  expect(Object.keys(exported).sort()).toMatchSnapshot();
});
