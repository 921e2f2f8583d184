import { namedVariables } from '../../condition/condition.js';
import { conditionText } from '../../condition/condition-text.js';
import { readWindowValue } from '../../statistics/window-measure.js';
import { fileName } from '../data/file-origin.js';
import { REFERENCE } from '../data/open-source.js';
import { SAMPLE_HISTORY, SAMPLE_HORIZONS } from '../data/sample.js';
import { quantilesOf, SAMPLING_LEVEL } from '../view/view.js';
import {
  areCalendarWindows,
  type Copied,
  type CopiedView,
  chosenUnits,
  conditionsOf,
  holdOf,
  modelOf,
  thresholdOf,
  windowsOfCopied,
} from './copied-view.js';
import { filesOf, type HorizonFile, pairedBy } from './horizon-files.js';

/** A module for Node that computes what is shown, and prints it as CSV. */
export function typescriptCode(copied: CopiedView): Copied {
  const { source, variables, view } = copied;
  if (variables.length === 0) return { reason: 'No variable is shown.' };
  if (variables.some((variable) => source.variables.find(({ key }) => key === variable)?.isKnown === false))
    return { reason: 'The data do not name a variable that is shown: copy the command instead.' };
  const module = new Module();
  const parts = [...variables.map((variable) => partOf(module, copied, variable)), ...conditionParts(module, copied)];
  if (parts.includes(undefined))
    return { reason: 'These data take more than a few lines of code: copy the command instead.' };
  module.use('plumecast', 'loadCore');
  module.use('plumecast/files', 'encodeTable');
  const text = [
    ...chosenUnits(copied).map(
      ([own, shown]) => `// Values are in the unit of the data: ${code(own)}, shown as ${code(shown)}`,
    ),
    ...module.imports(),
    '',
    'const core = await loadCore();',
    `const windows = { granularity: ${windowsCode(module, copied)}${view.partial ? ', partial: true' : ''} };`,
    `const quantiles = ${code(quantilesOf(view))};`,
    "const show = async (table) => console.log(new TextDecoder().decode(await encodeTable(table, 'csv')));",
    ...module.helpers,
    '',
    ...parts.flatMap((part) => part ?? []),
  ];
  return { text: `${text.join('\n')}\n` };
}

/** The lines for one variable; undefined where they would be too many. */
function partOf(module: Module, copied: CopiedView, variable: string): string[] | undefined {
  const { source, view, point } = copied;
  const threshold = thresholdOf(copied, variable);
  // Of a server and of files of arrays, the place is chosen where values are read.
  const isChosen = source.origin.kind === 'server' || filesOf(copied, variable).some(isOfArrays);
  const hold = holdOf(copied, variable);
  const own = {
    ...(threshold !== undefined && { thresholds: [threshold] }),
    variable,
    ...(!isChosen && point !== undefined && { point }),
  };
  const window = hold === undefined ? '' : `, window: ${holdCode(module, hold)}`;
  const bands = view.sampling ? `, bands: samplingBands(${SAMPLING_LEVEL})` : '';
  if (view.sampling) module.use('plumecast', 'samplingBands');
  const options = `{ ...windows, quantiles, ${code(own).slice(2, -2)}${window}${bands} }`;
  const table = tableOf(module, copied, variable);
  if (table === undefined) return undefined;
  const normal = view.normal ? normalOf(module, copied, variable) : undefined;
  module.use('plumecast', 'statistics');
  if (normal === undefined) return [`await show(statistics(core, ${table}, ${options}));`];
  return [`await show(statistics(core, ${table}, ${options.slice(0, -2)}, climatology: ${normal} }));`];
}

/** The lines for conditions; undefined for one that takes too many. */
function conditionParts(module: Module, copied: CopiedView): (string[] | undefined)[] {
  const { view, variables } = copied;
  if (view.conditions.length === 0) return [];
  const { of, joint } = conditionsOf(copied);
  module.use('plumecast', 'conditionShares');
  const own = variables.flatMap((variable) =>
    of(variable).map((text) => ({ names: [variable], text, isJoint: false })),
  );
  const ofSeveral = joint.map((condition) => ({
    ...{ names: namedVariables([condition]), text: conditionText(condition), isJoint: true },
  }));
  return [...own, ...ofSeveral].map(({ names, text, isJoint }) => {
    const holds = names.map((name) => holdOf(copied, name));
    const isLong = isJoint && holds.some((hold) => hold !== undefined);
    if (isLong || /[<>=.]q\d/.test(text)) return undefined;
    const tables = names.map((name) => tableOf(module, copied, name));
    if (tables.includes(undefined)) return undefined;
    const data = isJoint ? `{ ${names.map((name, v) => `${code(name)}: ${tables[v]}`).join(', ')} }` : tables[0];
    const hold = holds[0] === undefined ? '' : `, window: ${holdCode(module, holds[0])}`;
    return [`await show(conditionShares(core, ${data}, [${code(text)}], { ...windows${hold} }));`];
  });
}

/** The expression of the windows. */
function windowsCode(module: Module, copied: CopiedView): string {
  const windows = windowsOfCopied(copied);
  if (areCalendarWindows(copied)) return code(windows);
  module.use('plumecast', 'windowsOf');
  return `windowsOf(${code(windows)})`;
}

/** The functions that make measures, by the names of these. */
const MEASURES: Readonly<Record<string, string>> = {
  ...{
    days: 'daysThat',
    'longest spell': 'longestSpell',
    spells: 'spells',
    'first day': 'firstDayThat',
    excess: 'excess',
  },
};

/** The expression of what windows hold: `daysThat('>20')` of `days >20`. */
function holdCode(module: Module, hold: string): string {
  const [, kind, condition, days] = /^([a-z ]+?) ([<>]\S+)(?: of (\d+) d)?$/.exec(hold) ?? [];
  if (kind === undefined || typeof readWindowValue(hold) !== 'object') return code(hold);
  module.use('plumecast', MEASURES[kind]);
  return `${MEASURES[kind]}(${code(condition)}${days === undefined ? '' : `, ${days}`})`;
}

/** The expression of the table of a variable. */
function tableOf(module: Module, copied: CopiedView, variable: string): string | undefined {
  const { source, view } = copied;
  if (source.origin.kind === 'server') {
    useClient(module, copied, source.origin.address);
    module.help(
      'const forecast = async (variable) =>',
      "  tableFromIPC(await client.forecast({ ...place, variables: [variable] }, { as: 'arrow' }));",
    );
    return `await forecast(${code(variable)})`;
  }
  const files = filesOf(copied, variable);
  if (files.some(isOfArrays) && !files.every(isOpenedByPath)) return undefined;
  const tables = openingOf(module, copied, variable, files);
  if (tables.length === 1) return tables[0];
  module.use('plumecast', 'blend');
  const splice = view.method === 'splice' ? { method: 'splice' } : {};
  const of = `{ variable: ${code(variable)}`;
  const pairs = pairedBy(copied, variable, files);
  if (pairs.length === 0) {
    const more = 'method' in splice ? ", method: 'splice'" : '';
    return `blend(core, [${tables.join(', ')}], ${of}${more} }).table`;
  }
  module.use('plumecast', 'pairMembers');
  const opened = pairs.map(({ slug, paths }) => {
    const own = files.map((file, h) => ({ ...file, path: paths[h] }));
    return `[${openingOf(module, copied, slug, own).join(', ')}]`;
  });
  const also = opened.length > 1 ? `, also: [${opened.slice(1).join(', ')}]` : '';
  const how = code({ variable: pairs[0].slug, ...splice }).slice(2, -2);
  module.help(`const pairing = pairMembers(core, ${opened[0]}, { ${how}${also} });`);
  return `blend(core, [${tables.join(', ')}], ${of}, pairing }).table`;
}

function isOfArrays({ form }: HorizonFile): boolean {
  return form !== 'table';
}

/** Whether a file of arrays is opened by its path alone: on the disk, and not one of several that belong together. */
function isOpenedByPath(file: HorizonFile): boolean {
  return isOfArrays(file) && file.url !== file.path && file.others.length === 0;
}

/** The lines that create a client of a server. */
function useClient(module: Module, { point }: CopiedView, address: string): void {
  module.use('plumecast/client', 'createClient');
  module.use('apache-arrow', 'tableFromIPC');
  module.help(
    `const client = createClient({ baseUrl: ${code(address)}, apiKey: process.env.PLUMECAST_KEY });`,
    `const place = ${code(point ?? {})};`,
  );
}

/** The expressions that open files, or the sample. */
function openingOf(module: Module, copied: CopiedView, variable: string, files: readonly HorizonFile[]): string[] {
  const { point } = copied;
  if (copied.source.origin.kind === 'sample') {
    module.use('plumecast/demo', 'demoTable');
    const used = SAMPLE_HORIZONS.filter(({ folder }) =>
      files.some(({ path }) => path.startsWith(`${folder}/${variable}`)),
    );
    return used.map(({ folder: _, ...options }) => `demoTable(${code(variable)}, ${code(options)})`);
  }
  if (files.some(isOfArrays)) {
    module.use('plumecast/files', 'tableAtPoint');
    module.use('plumecast/files/node', 'openArrays');
    const place = point === undefined ? '' : `, point: ${code(point)}`;
    module.help(
      'const daily = async (path, variable) =>',
      `  (await tableAtPoint(core, await openArrays(path), { variable${place} })).table;`,
    );
    return files.map(({ path }) => `await daily(${code(path)}, ${code(variable)})`);
  }
  module.use('plumecast', 'dailyTable');
  const model = modelOf(copied);
  const more = model === undefined ? '' : `, model: ${code(model)}`;
  const daily = `const daily = (table, variable) => dailyTable(table, { variable${more} }).table;`;
  module.use('plumecast/files', 'readTable');
  const isRemote = files.some(({ url, path }) => url === path);
  if (isRemote) {
    module.help(
      'const fetched = async (url) => readTable(new Uint8Array(await (await fetch(url)).arrayBuffer()), { source: url });',
      daily,
    );
    return files.map(({ path }) => `daily(await fetched(${code(path)}), ${code(variable)})`);
  }
  module.use('node:fs/promises', 'readFile');
  module.help('const opened = async (path) => readTable(await readFile(path), { source: path });', daily);
  return files.map(({ path }) => `daily(await opened(${code(path)}), ${code(variable)})`);
}

/** The expression of normal values; undefined where they are not in a few lines. */
function normalOf(module: Module, copied: CopiedView, variable: string): string | undefined {
  const { source } = copied;
  const given = source.climatologies.get(variable);
  if (given !== undefined) {
    module.use('plumecast/files', 'readTable');
    module.use('node:fs/promises', 'readFile');
    module.use('plumecast', 'readClimatology');
    const table = `await readTable(await readFile(${code(given.path)}))`;
    return `readClimatology(${table}, { source: ${code(fileName(given.path))} })`;
  }
  if (source.origin.kind === 'files') return undefined;
  module.use('plumecast', 'climatology');
  const hold = holdOf(copied, variable);
  const window = hold === undefined ? '' : `, window: ${holdCode(module, hold)}`;
  const granularity = windowsCode(module, copied);
  if (source.origin.kind === 'server') {
    useClient(module, copied, source.origin.address);
    module.help(
      'const history = async (variable) =>',
      '  tableFromIPC(',
      `    await client.history({ ...place, variables: [variable], ${code(REFERENCE).slice(2, -2)} }, { as: 'arrow' }),`,
      '  );',
    );
    const columns = { date: 'start', value: 'value' };
    const options = `${code({ variable, columns, fewerYears: true }).slice(0, -2)}, granularity: ${granularity}${window} }`;
    return `climatology(core, await history(${code(variable)}), ${options})`;
  }
  module.use('plumecast/demo', 'demoTable');
  const history = `demoTable(${code(variable)}, ${code(SAMPLE_HISTORY)})`;
  return `climatology(core, ${history}, { granularity: ${granularity}${window} })`;
}

/** The imports and helpers that lines need. */
class Module {
  readonly #imports = new Map<string, Set<string>>();
  readonly #helpers = new Set<string>();

  use(from: string, name: string): void {
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(name));
  }

  help(...lines: readonly string[]): void {
    for (const line of lines) this.#helpers.add(line);
  }

  get helpers(): string[] {
    return [...this.#helpers];
  }

  imports(): string[] {
    return [...this.#imports]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => `import { ${[...names].sort().join(', ')} } from '${from}';`);
  }
}

/** Characters that end lines, are not seen, or turn the direction of the text after them. */
const UNSEEN = /[\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

/** A value as code on one line: names without quotes, texts in single ones where that is possible. */
function code(value: unknown): string {
  if (typeof value === 'string') {
    const json = JSON.stringify(value).replace(
      UNSEEN,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return value.includes("'") || json.includes('\\') ? json : `'${value}'`;
  }
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${code(each)}`)
      .join(', ')} }`;
  }
  return String(value);
}
