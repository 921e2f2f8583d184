/**
 * Builds the site of the documentation into build/site: the pages of docs/, README files of integrations/, the API
 * reference, and the bundle by which readers run examples. Fails where a link leads nowhere, or where the sidebar lacks a page.
 *
 *   npm run docs [-- --serve]     --serve: shows it on http://127.0.0.1:4173 afterwards
 *
 * What VitePress needs is installed into docs/site the first time; after that nothing is fetched.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages as listed } from '../docs/site/sidebar.mjs';
import { brokenLinks } from './broken-links.mjs';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));
const SITE = 'docs/site';
const SOURCE = 'build/site-pages';
const OUT = 'build/site';
// Links to files of these endings are links to files.
process.env.VITE_EXTRA_EXTENSIONS = 'capnp,sql';

run('npm', ['run', '--silent', 'build']);
if (!existsSync(`${SITE}/node_modules/vitepress`)) run('npm', ['ci', '--silent', '--prefix', SITE]);
rmSync(SOURCE, { recursive: true, force: true });
rmSync(OUT, { recursive: true, force: true });
const pages = gatherPages();
for (const [path, text] of pages) write(`${path}.md`, text);
const unlisted = [...pages.keys()].filter((path) => path !== 'index' && !listed.includes(path));
const missing = listed.filter((path) => !pages.has(path));
if (unlisted.length + missing.length > 0)
  fail(
    `the sidebar lacks ${unlisted.join(', ') || 'nothing'}, and lists what is not there: ${missing.join(', ') || 'nothing'}`,
  );

gatherAssets();
// The theme imports VitePress from where the pages are.
symlinkSync(join(process.cwd(), SITE, 'node_modules'), join(SOURCE, 'node_modules'), 'junction');
run('node', [`${SITE}/node_modules/vitepress/bin/vitepress.js`, 'build', SOURCE, '--outDir', join(process.cwd(), OUT)]);
run('npx', ['typedoc', '--out', `${OUT}/api`, '--logLevel', 'Warn']);
const broken = brokenLinks(OUT);
if (broken.length > 0) fail(`links that lead nowhere:\n${broken.join('\n')}`);
console.log(`${pages.size} pages in ${OUT}, all links lead somewhere`);
if (process.argv.includes('--serve'))
  run('node', [
    `${SITE}/node_modules/vitepress/bin/vitepress.js`,
    'preview',
    SOURCE,
    '--outDir',
    join(process.cwd(), OUT),
  ]);

/** The texts of all pages by their paths in the site. */
function gatherPages() {
  const files = [
    ...markdownIn('docs').flatMap((name) => (name === 'README' ? [] : [[name, `docs/${name}.md`]])),
    ...markdownIn('docs/cookbook').map((name) => [`cookbook/${name}`, `docs/cookbook/${name}.md`]),
    ...['spark', 'slurm', 'kubernetes', 'service'].map((name) => [
      `integrations/${name}`,
      `integrations/${name}/README.md`,
    ]),
    ['index', `${SITE}/index.md`],
    ['contributing', 'CONTRIBUTING.md'],
    ['changelog', 'CHANGELOG.md'],
  ];
  const siteOf = new Map(files.map(([page, path]) => [path, page]));
  return new Map(files.map(([page, path]) => [page, withLinks(readFileSync(path, 'utf8'), path, siteOf)]));
}

function markdownIn(folder) {
  return readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
}

/** A page whose links between files of the project are those of the site; a link to another file is its name alone. */
function withLinks(text, path, siteOf) {
  const codeAndTexts = text.split(/(```[\s\S]*?```|`[^`\n]*`)/);
  const linked = (part) =>
    part.replaceAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (all, image, title, target) => {
      const [file, anchor] = target.split('#');
      if (file === '' || /^[a-z]+:/.test(file)) return all;
      const found = posix.join(posix.dirname(path), file).replace(/\/$/, '');
      const page = siteOf.get(found) ?? siteOf.get(`${found}/README.md`);
      if (page !== undefined) return `${image}[${title}](/${page}.md${anchor === undefined ? '' : `#${anchor}`})`;
      if (found === 'README.md' || found === 'docs/README.md') return `[${title}](/index.md)`;
      if (image !== '' || /^docs\/(mounting\/|config\.schema)/.test(found))
        return `${image}[${title}](/${found.replace('docs/', '')})`;
      return `\`${found}\``;
    });
  // Links may have code in their titles: it is taken out, and put back when links are replaced.
  const held = [];
  const kept = codeAndTexts.map((part, i) => (i % 2 === 0 ? part : `\0${held.push(part) - 1}\0`)).join('');
  const parts = linked(kept).split('\0');
  return parts.map((part, i) => (i % 2 === 0 ? part : held[part])).join('');
}

/** What pages show and load besides their texts. */
function gatherAssets() {
  for (const name of readdirSync('docs').filter((file) => /\.(svg|jpg|json)$/.test(file)))
    copy(`docs/${name}`, `public/${name}`);
  copy('docs/mounting', 'public/mounting');
  copy('dist/bundle.js', 'public/bundle.js');
  for (const name of readdirSync('dist').filter((file) => /\.wasm$/.test(file))) copy(`dist/${name}`, `public/${name}`);
  for (const name of ['config.mjs', 'sidebar.mjs', 'runnable-fences.mjs', 'theme'])
    copy(`${SITE}/${name}`, `.vitepress/${name}`);
}

function write(path, text) {
  const target = join(SOURCE, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function copy(from, to) {
  const target = join(SOURCE, to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true });
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) fail(`${basename(program)} ${args[0]} ${error?.message ?? `exited with ${status}`}`);
}

function fail(problem) {
  console.error(`build-site: ${problem}`);
  process.exit(1);
}
