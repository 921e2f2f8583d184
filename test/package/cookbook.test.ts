import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plumecast, runScript } from '../cli/run-command.js';
import { isFullCheck } from '../full-check.js';
import { hasPython, PYTHON } from '../reference/foreign-programs.js';
import { HAS_POSTGRES, PostgresServer } from '../reference/postgres.js';
import { linesOf, wordsOf } from './command-lines.js';

/*
 * The recipes, and the pages to start with: their programs and commands run in the order of the page, each page in a folder
 * with the sample data, and print what it says. Blocks of `console` and of other languages are not run here.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = join(root, 'docs');
const recipes = readdirSync(join(docs, 'cookbook')).flatMap((name) =>
  name === 'index.md' ? [] : [`cookbook/${name}`],
);
const starts = readdirSync(docs).filter((name) => name.startsWith('start-'));
const textOf = (page: string) => readFileSync(join(docs, page), 'utf8');

interface Block {
  readonly language: string;
  readonly code: string;
  /** What it prints, where the page says so. */
  readonly output?: string;
}

function blocksOf(page: string): Block[] {
  const blocks = textOf(page).matchAll(/```(\w+)\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g);
  return [...blocks].map(([, language, code, output]) => ({ language, code, ...(output !== undefined && { output }) }));
}

const work = mkdtempSync(join(tmpdir(), 'plumecast-cookbook-'));
beforeAll(() => {
  plumecast(['demo', 'plumecast-demo'], { cwd: work });
});
afterAll(() => rmSync(work, { recursive: true }));

/** A folder with the sample data, in which the package is as if it were installed. */
function newFolder(): string {
  const folder = mkdtempSync(join(work, 'page-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, path] of [
    ['plumecast', root],
    ['apache-arrow', join(root, 'node_modules/apache-arrow')],
  ])
    symlinkSync(path, join(folder, 'node_modules', name), 'junction');
  cpSync(join(work, 'plumecast-demo'), join(folder, 'plumecast-demo'), { recursive: true });
  return folder;
}

/** Runs the lines of a block; returns what they print. Notes on the error output are for readers of the terminal. */
function runLines(code: string, folder: string, extra: readonly string[] = []): string {
  let printed = '';
  for (const line of linesOf(code)) {
    const { args, file } = wordsOf(line.replace(/^npx (?=plumecast )/, ''));
    const [program, command, target = 'plumecast-demo'] = args;
    // The same for all pages.
    if (command === 'demo') {
      cpSync(join(work, 'plumecast-demo'), join(folder, target), { recursive: true });
      continue;
    }
    const {
      code: status,
      out,
      err,
    } = program === 'plumecast' ? plumecast([...args.slice(1), ...extra], { cwd: folder }) : runShell(line, folder);
    expect([line, status, /^(error|warning)/m.test(err) ? err : '']).toEqual([line, 0, '']);
    if (file === undefined || program !== 'plumecast') printed += out;
    else writeFileSync(join(folder, file), out);
  }
  return printed;
}

function runShell(line: string, cwd: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

function runProgram(code: string, folder: string): string {
  const script = join(folder, 'example.mjs');
  writeFileSync(script, code);
  const { out, err, code: status } = runScript(script, [], { cwd: folder });
  expect([status, err]).toEqual([0, '']);
  return out;
}

/** Pages of which some blocks need what is not on every machine; each has a test below. */
const APART = ['archive', 'notebook', 'postgresql-keys', 'react', 'spark'].map((name) => `cookbook/${name}.md`);
/** Pages to start with, and some of the recipes; all in a full check. */
const pages = [...starts, ...recipes.filter((_, i) => isFullCheck || i % 3 === 0)].filter(
  (page) => !APART.includes(page),
);

describe('pages of the docs', () => {
  it('are listed: each recipe in the cookbook', () => {
    const index = textOf('cookbook/index.md');
    expect(recipes.filter((page) => !index.includes(`(${page.slice('cookbook/'.length)})`))).toEqual([]);
    expect(recipes).toHaveLength(16);
  });

  it.each(pages)('%s: what it runs prints what it says', (page) => {
    const folder = newFolder();
    const blocks = blocksOf(page).filter(({ language }) => language === 'js' || language === 'sh');
    expect(blocks.length).toBeGreaterThan(0);
    for (const { language, code, output = '' } of blocks) {
      const printed = language === 'js' ? runProgram(code, folder) : runLines(code, folder);
      // A picture is no text of the page.
      if (output !== '' || !printed.startsWith('<svg')) expect(printed).toBe(output);
    }
  });

  it('cookbook/archive.md: names commands that there are, with their options', () => {
    for (const { code } of blocksOf('cookbook/archive.md')) {
      for (const line of code.trim().split('\n')) {
        const { args } = wordsOf(line.replace(/^npx /, ''));
        const help = plumecast([args[1], '--help', 'all']).out;
        for (const option of args.filter((word) => /^--\w/.test(word))) expect(help).toContain(option);
      }
    }
  });

  it('cookbook/react.md: its components are built, and one draws a file of the page', async () => {
    const folder = newFolder();
    const [chart, picture] = blocksOf('cookbook/react.md');
    writeFileSync(join(folder, 'Forecast.jsx'), chart.code);
    writeFileSync(join(folder, 'Picture.jsx'), `${picture.code}\nexport { draw };\n`);
    await build({
      entryPoints: ['Forecast.jsx', 'Picture.jsx'].map((name) => join(folder, name)),
      outdir: join(folder, 'built'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      format: 'esm',
      jsx: 'automatic',
      platform: 'node',
      external: ['plumecast', 'plumecast/*'],
      // The hooks and elements of Preact are those of React.
      alias: { react: 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
      nodePaths: [join(root, 'node_modules')],
      logLevel: 'error',
    });
    const printed = runProgram(
      `import { readFile } from 'node:fs/promises';
       import { Forecast } from './built/Forecast.mjs';
       import { draw, Picture } from './built/Picture.mjs';
       globalThis.fetch = async (path) => new Response(await readFile(path));
       const svg = await draw('plumecast-demo/precipitation.arrow', { granularity: 'weekly', width: 360 }, new AbortController().signal);
       console.log(typeof Forecast, typeof Picture, svg.slice(0, 4), /precipitation/i.test(svg));`,
      folder,
    );
    expect(printed).toBe('function function <svg true\n');
  });
});

describe.skipIf(!hasPython('pandas', 'pyarrow'))('with pandas', () => {
  it('cookbook/notebook.md: prints what it says', () => {
    const [{ code, output }] = blocksOf('cookbook/notebook.md').filter(({ language }) => language === 'python');
    const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', code], {
      encoding: 'utf8',
      env: {
        ...process.env,
        PYTHONPATH: join(root, 'integrations/spark/src'),
        PLUMECAST_COMMAND: `"${process.execPath}" "${join(root, 'dist/cli.js')}"`,
      },
    });
    expect([status, stdout, status === 0 ? '' : stderr]).toEqual([0, output, '']);
  });

  it('cookbook/spark.md: is Python, and names functions and options that there are', () => {
    const [{ code }] = blocksOf('cookbook/spark.md');
    const imported = /from plumecast\.spark import (.*)/.exec(code)?.[1].split(', ') ?? [];
    const source = readFileSync(join(root, 'integrations/spark/src/plumecast/spark.py'), 'utf8');
    for (const name of imported) expect(source).toContain(`def ${name}(`);
    const { status, stderr } = spawnSync(PYTHON, ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]);
    expect([status, String(stderr)]).toEqual([0, '']);
  });
});

describe.skipIf(!HAS_POSTGRES)('with PostgreSQL', () => {
  it('cookbook/postgresql-keys.md: makes the keys that it lists', async () => {
    const server = await PostgresServer.start();
    try {
      const folder = newFolder();
      const [{ code }] = blocksOf('cookbook/postgresql-keys.md');
      const printed = runLines(code, folder, ['--database', await server.database()]);
      const lines = printed.trim().split('\n');
      const owners = lines.slice(lines.findIndex((line) => line.startsWith('id,')) + 1);
      expect(owners).toHaveLength(4);
      expect(owners.filter((line) => line.includes('Example Farms'))).toHaveLength(1);
    } finally {
      await server.remove();
    }
  });
});
