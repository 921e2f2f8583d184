import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenSource, Origin } from '../../../src/explorer/data/open-source.js';
import type { Copied, CopiedView } from '../../../src/explorer/output/copied-view.js';
import { pythonCode } from '../../../src/explorer/output/python-code.js';
import { commandLines, curlCommand, shellCommand } from '../../../src/explorer/output/shell-command.js';
import { typescriptCode } from '../../../src/explorer/output/typescript-code.js';
import { parseAddress } from '../../../src/explorer/view/address.js';
import { FIRST_VIEW } from '../../../src/explorer/view/view.js';

const run = promisify(execFile);

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of attacks.
/** Names of files, arrays and variables that a shell or a module would run, were they not quoted; each makes a file. */
const NAMES = [
  '--$(touch hit)',
  '$(touch hit)',
  '`touch hit`',
  '--`touch hit`',
  '"; touch hit; "',
  "'; touch hit; '",
  "\\'; touch hit #",
  'a\\',
  '--\'"$(touch hit)"\'',
  'a\ntouch hit\n',
  '--a\ntouch hit\n',
  '\r\ntouch hit\r\n',
  'a\u2028touch hit\u2029b',
  '\u0015touch hit\r',
  '\u001B[201~touch hit\r',
  '\u202Etouch\u2066 hit',
  'a!touch!!hit',
  "it's!!",
  '-rf',
  '-',
  '--',
  '--help',
  '=ls',
  '~root',
  '*',
  '{a,b}',
  'a b\tc',
  '#touch hit',
  '& touch hit &',
  '| touch hit',
  '> hit',
  '${IFS}$HOME$((1+1))',
  "$'\\047; touch hit'",
  '${(e):-$(touch hit)}',
  "'); require('fs').writeFileSync('hit', ''); ('",
  "${process.getBuiltinModule('fs').writeFileSync('hit', '')}",
  "`${process.getBuiltinModule('fs').writeFileSync('hit', '')}`",
  "*/ process.getBuiltinModule('fs').writeFileSync('hit', '') /*",
  "\nprocess.getBuiltinModule('fs').writeFileSync('hit', '')\n//",
  "\\'); process.getBuiltinModule('fs').writeFileSync('hit', ''); //",
  'größe 降水 \u{1F327}\uFE0F',
  '\\101\\x41\\u0041',
  '__proto__',
  'constructor',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: end of these.

/** A view of open data with one variable. */
function viewOf(origin: Origin, variable: string, more: Partial<CopiedView['view']> = {}, isKnown = true): CopiedView {
  const source = {
    ...{ origin, variables: [{ key: variable, isKnown }], models: [], horizons: [], climatologies: new Map() },
  } as unknown as OpenSource;
  const point = { latitude: -33.9, longitude: 18.4 };
  return {
    source,
    variables: [variable],
    point,
    view: { ...FIRST_VIEW, as: isKnown ? undefined : 'temp_mean', ...more },
  };
}

function fileOf(path: string, variable: string, url?: string): Origin {
  const file = { path, url, others: [{ path: `${path}.2` }], variables: [variable], form: 'table', horizon: 0 };
  return { kind: 'files', files: [file as never] };
}

function textOf(copied: Copied): string {
  if ('reason' in copied) throw new Error(copied.reason);
  return copied.text;
}

describe('copied text', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumecast-copied-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The words that programs get, for each text that a reader pastes into bash; the texts must make no file. */
  async function pasted(texts: readonly string[]): Promise<string[][][]> {
    const note = `note() { printf '%s\\0' "$@" $'\\n' >> calls; }`;
    const programs = ['plumecast', 'curl'].map((name) => `${name}() { note ${name} "$@"; }`);
    // As in a terminal, where "!" and a word after it stand for an earlier command.
    const bash = spawn('bash', ['--norc', '--noprofile', '-i'], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
    bash.stdin.end(['set -H', note, ...programs, ...texts.map((text) => `${text}\nnote END`), 'exit'].join('\n'));
    await new Promise((ended) => bash.once('close', ended));
    const all = (await readFile(join(folder, 'calls'), 'utf8')).split('END\0\n\0');
    await rm(join(folder, 'calls'));
    expect(all.pop()).toBe('');
    expect((await readdir(folder)).filter((name) => !name.endsWith('.arrow'))).toEqual([]);
    return all.map((calls) => {
      const words = calls.split('\0\n\0').map((call) => call.split('\0'));
      return words.slice(0, -1);
    });
  }

  it('gives a shell each name as one word, and nothing to run', async () => {
    const ofFiles = await pasted(
      NAMES.map((name) => textOf(shellCommand(viewOf(fileOf(name, 'temp_mean'), 'temp_mean')))),
    );
    const head = (path: string) => ['plumecast', 'stats', path.startsWith('-') ? `./${path}` : path];
    const place = ['--point', '-33.9,18.4'];
    const others = (path: string) => head(`${path}.2`).slice(2);
    expect(ofFiles.map(([words]) => words.slice(0, 8))).toEqual(
      NAMES.map((name) => [...head(name), ...others(name), '--variable', 'temp_mean', ...place]),
    );
    const ofArrays = await pasted(
      NAMES.map((name) => textOf(shellCommand(viewOf(fileOf('a', name), name, { units: { [name]: name } }, false)))),
    );
    expect(ofArrays.map((lines) => lines.map((words) => words.slice(0, 8)))).toEqual(
      NAMES.map((name) => [[...head('a'), 'a.2', '--array', name, '--variable', 'temp_mean']]),
    );
  });

  it('gives curl each address as one word, and a file of this folder', async () => {
    const server = (name: string) => ({ kind: 'server', address: `https://example.org/${name}/` }) as const;
    const requested = await pasted(NAMES.map((name) => textOf(curlCommand(viewOf(server(name), name)))));
    for (const [i, [words]] of requested.entries()) {
      expect(words.slice(0, 4)).toEqual(['curl', '-gfsS', '-H', 'X-Api-Key: ']);
      const path = `${NAMES[i].replace(/\/+$/, '')}/v2/forecast/statistics?lat=-33.9&lon=18.4&var=`;
      expect(words[4]).toContain(`https://example.org/${path}`);
    }
    const addresses = ['.bashrc', '..', ...NAMES].map((name) => `https://example.org/${name}`);
    const fetched = await pasted(addresses.map((url) => textOf(curlCommand(viewOf(fileOf(url, 'x', url), 'x')))));
    for (const [i, [words, stats]] of fetched.entries()) {
      expect(words).toEqual(['curl', '-gfsS', '-o', stats[2], addresses[i]]);
      expect(stats[2]).toMatch(/^(\.\/-|[^-./])[^/]*$/);
    }
    const commands = await pasted(
      NAMES.map((name) => textOf(shellCommand(viewOf(server(name), name, { normal: true })))),
    );
    for (const lines of commands) {
      expect(lines.map(([program]) => program)).toEqual(['curl', 'curl', 'plumecast', 'plumecast']);
      expect(lines[2][2]).toMatch(/^history-[\w.-]*\.arrow$/);
    }
  });

  it('is a module that has each name as a text, and runs nothing of it', async () => {
    const codes = NAMES.flatMap((name) => {
      const url = `https://example.org/${name}`;
      const units = { units: { [name]: name } };
      const views = [viewOf(fileOf(name, name), name, units), viewOf(fileOf(url, name, url), name)];
      const ofServer = viewOf({ kind: 'server', address: url }, name, { normal: true });
      return [...views, ofServer].map((view) => ({ name, code: textOf(typescriptCode(view)) }));
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in code.
    for (const { code } of codes) expect(code).not.toMatch(/[\0-\x09\x0B-\x1F\x7F-\x9F\u2028-\u202E\u2066-\u2069]/);
    const texts = await textsOf(codes.map(({ code }) => code));
    for (const [i, { name }] of codes.entries()) expect(texts[i]).toContain(name);
  });

  /** The texts that each module gives to the functions that it imports, which do nothing here. */
  async function textsOf(codes: readonly string[]): Promise<string[][]> {
    const stubs = `
let seen = [];
const textsIn = (value) => (Object(value) === value ? Object.values(value).flatMap(textsIn) : [value]);
const stub = (...all) => { seen.push(...textsIn(all)); return new Proxy(stub, { get: (_, name) => name === 'then' ? undefined : stub }); };
globalThis.stub = stub;
globalThis.fetch = stub;
const all = [];
for (let i = 0; i < ${codes.length}; i++) { seen = []; await import('./module-' + i + '.mjs'); all.push(seen); }
process.stdout.write(JSON.stringify(all));
`;
    for (const [i, code] of codes.entries()) {
      const imports = (_: string, names: string) =>
        names.replace(/\w+/g, (name) => `const ${name} = stub;`).replaceAll(',', '');
      const body = code
        .replace(/^import \{ (.*) \} from '.*';$/gm, imports)
        .replace(/^const show = .*$/m, 'const show = stub;');
      await writeFile(join(folder, `module-${i}.mjs`), body);
    }
    await writeFile(join(folder, 'module.mjs'), stubs);
    const { stdout } = await run(process.execPath, ['module.mjs'], { cwd: folder });
    expect((await readdir(folder)).filter((name) => !name.startsWith('module'))).toEqual([]);
    return JSON.parse(stdout);
  }

  it('is Python whose texts are the commands, and nothing else of a name', () => {
    for (const name of NAMES) {
      const view = viewOf(fileOf(name, name), name, { units: { [name]: name } });
      const commands = commandLines(view);
      const { lines } = commands as { lines: readonly string[] };
      const code = textOf(pythonCode(view)).split('\n');
      const own = code.slice(code.indexOf('tables = []') + 1, -2);
      const read = own.map((line) => {
        const [, call, text] = /^(tables\.append\(read_csv\(|run\(|# )(.*?)\)*$/.exec(line) ?? [];
        return call === '# ' ? `# ${JSON.parse(`"${text}"`)}` : JSON.parse(text);
      });
      expect(read).toEqual(
        lines.map((line) => (line.startsWith('plumecast stats') ? `npx ${line} --format csv` : line)),
      );
    }
  });

  it('names the model that is shown, of a table of several', () => {
    const one = viewOf(fileOf('a.json', 'temp_mean'), 'temp_mean');
    const of = (model?: string) => ({
      ...one,
      source: { ...one.source, models: ['icon_seamless_eps', 'gfs_seamless'] },
      view: { ...one.view, model },
    });
    expect(textOf(shellCommand(of()))).toContain('--model icon_seamless_eps');
    expect(textOf(shellCommand(of('gfs_seamless')))).toContain('--variable temp_mean --model gfs_seamless');
    expect(textOf(typescriptCode(of('gfs_seamless')))).toContain("{ variable, model: 'gfs_seamless' }");
    expect(textOf(shellCommand(one))).not.toContain('--model');
  });

  it('has windows, what they hold, and conditions as options and as calls', () => {
    const more = { windows: 'days 1-7,8-14', partial: true, holds: { rain: 'spells <1 of 5 d' } };
    const one = viewOf(fileOf('a.csv', 'rain'), 'rain', { ...more, conditions: ['rain 2..3', 'snow>1'] });
    expect(textOf(shellCommand(one))).toContain(
      "--windows 'days 1-7,8-14' --partial --spell '<1' --spell-days 5 --quantiles 0.05,0.25,0.5,0.75,0.95 --threshold 2..3",
    );
    const banded = { ...one, view: { ...one.view, sampling: true } };
    expect(textOf(shellCommand(banded))).toContain('--threshold 2..3 --bands 0.9');
    expect(textOf(pythonCode(banded))).toContain('--bands 0.9');
    expect(textOf(typescriptCode(banded))).toContain(', bands: samplingBands(0.9) }');
    expect(textOf(typescriptCode(banded))).toMatch(/import \{.* samplingBands,.*\} from 'plumecast';/);
    const code = textOf(typescriptCode(one));
    expect(code).toContain("const windows = { granularity: windowsOf('days 1-7,8-14'), partial: true };");
    expect(code).toContain("window: spells('<1', 5)");
    expect(code).toContain("(conditionShares(core, daily(await opened('a.csv'), 'rain'), ['2..3'], {");
    const { source } = one;
    const variables = [...source.variables, { key: 'snow', isKnown: true }];
    const both = { ...one, source: { ...source, variables }, view: { ...one.view, holds: {} } };
    expect(textOf(shellCommand({ ...both, view: { ...both.view, conditions: ['rain>1 and snow<2'] } }))).toContain(
      "--windows 'days 1-7,8-14' --partial --threshold 'rain>1 and snow<2'",
    );
    const served = {
      ...both,
      view: { ...both.view, windows: 'weekly', partial: false, conditions: ['rain>1 and snow<2'] },
    };
    expect(
      textOf(
        curlCommand({ ...served, source: { ...served.source, origin: { kind: 'server', address: 'https://a.b' } } }),
      ),
    ).toContain('var=rain,snow&granularity=weekly&statistics=0.05,0.25,0.5,0.75,0.95&threshold=rain%3E1+and+snow%3C2');
    expect(curlCommand({ ...one, source: { ...source, origin: { kind: 'server', address: 'https://a.b' } } })).toEqual({
      reason: 'A server answers whole days, weeks and months by their usual rules: copy the command instead.',
    });
  });

  it('is none for names with a zero byte, which no command can hold', () => {
    const { reason } = shellCommand(viewOf(fileOf('a.arrow', 'a\0b'), 'a\0b')) as { reason: string };
    expect(reason).toBe('The name of a variable has a zero byte, which no command can hold.');
  });

  it('has no unit of a link that is none of the choices', () => {
    const { units } = parseAddress('#unit=mm:in&unit=a%0Atouch hit:b&unit=mm:$(touch hit)&unit=degC:degC').view;
    expect(units).toEqual({ mm: 'in' });
  });
});
