import { pathWord } from '../../check/shell-word.js';
import { namedVariables } from '../../condition/condition.js';
import { conditionText } from '../../condition/condition-text.js';
import { parseCondition } from '../../condition/parse-condition.js';
import { readWindowValue } from '../../statistics/window-measure.js';
import { fileName } from '../data/file-origin.js';
import { type OriginPath, REFERENCE } from '../data/open-source.js';
import { SAMPLING_LEVEL } from '../view/view.js';
import {
  areCalendarWindows,
  type Copied,
  type CopiedView,
  chosenUnits,
  conditionsOf,
  holdOf,
  modelOf,
  quantileList,
  thresholdOf,
  windowsOfCopied,
} from './copied-view.js';
import { filesOf, type HorizonFile, pairedBy } from './horizon-files.js';
import { type ShellText, shell, shellWords } from './shell-text.js';

/** The `plumecast` commands that compute what is shown. */
export function shellCommand(copied: CopiedView): Copied {
  const commands = commandLines(copied);
  return 'reason' in commands ? commands : { text: `${commands.lines.join('\n')}\n` };
}

/** The same as a list, in which a command may be of several lines; comments begin with #. */
export function commandLines(copied: CopiedView): { readonly lines: readonly string[] } | { readonly reason: string } {
  const { source, view, variables } = copied;
  if (variables.length === 0) return { reason: 'No variable is shown.' };
  if (variables.some((variable) => variable.includes('\0'))) {
    return { reason: 'The name of a variable has a zero byte, which no command can hold.' };
  }
  if (view.as === undefined && variables.some((variable) => !isKnown(copied, variable))) {
    return { reason: 'Choose what the values are first: the file does not say it.' };
  }
  const distant = source.origin.kind === 'files' ? source.origin.files.find(isOnlyHere) : undefined;
  if (distant !== undefined) return { reason: `The command reads Zarr stores in folders: ${distant.path} is none.` };
  const isOfGroups = ({ others }: HorizonFile, _: number, all: readonly HorizonFile[]) =>
    others.length > 0 && all.length > 1;
  if (variables.some((variable) => filesOf(copied, variable).some(isOfGroups))) {
    return { reason: 'The command blends horizons of one file each: one of these is of several.' };
  }
  const lines = unitNotes(copied);
  const conditions = conditionsOf(copied);
  if (source.origin.kind === 'sample') lines.push(shell`plumecast demo plumecast-demo`);
  for (const variable of variables) {
    const isNamed = isKnown(copied, variable);
    const named = isNamed ? variable : view.as;
    const array = !isNamed && variable !== 'values' ? [shell`--array ${variable}`] : [];
    const model = modelOf(copied);
    const option = [
      ...array,
      ...(named === undefined ? [] : [shell`--variable ${named}`]),
      ...(model === undefined ? [] : [shell`--model ${model}`]),
    ];
    const input = inputOf(copied, variable, option, lines);
    const words = [shell`plumecast stats ${pathWord(input.path)}`, ...input.options];
    words.push(...windowOptions(copied, variable), shell`--quantiles ${quantileList(copied)}`);
    const threshold = thresholdOf(copied, variable);
    const all = [...(threshold === undefined ? [] : [threshold]), ...conditions.of(variable)];
    if (all.length > 0) words.push(shell`--threshold ${all.join(',')}`);
    if (view.sampling) words.push(shell`--bands ${`${SAMPLING_LEVEL}`}`);
    if (view.normal || all.some((condition) => /[<>=.]q\d/.test(condition))) {
      const normal = climatologyOf(copied, variable, lines);
      if (normal !== undefined) words.push(shell`--climatology ${pathWord(normal)}`);
    }
    lines.push(shellWords(words));
  }
  for (const condition of conditions.joint) {
    const names = namedVariables([condition]);
    const text = conditionText(condition);
    if (names.some((name) => holdOf(copied, name) !== undefined) || /[<>=.]q\d/.test(text)) {
      return {
        reason: `"${text}" takes more than a command: it has a rule of its own for a variable, or normal values.`,
      };
    }
    const inputs = names.map((name) => inputOf(copied, name, [], lines));
    const paths = [...new Set(inputs.map(({ path }) => path))].map((path) => shell`${pathWord(path)}`);
    const options = windowOptions(copied, undefined);
    lines.push(
      shellWords([
        shell`plumecast stats`,
        ...paths,
        ...(inputs[0]?.options ?? []),
        ...options,
        shell`--threshold ${text}`,
      ]),
    );
  }
  return { lines: eachOnce(lines) };
}

/** The options that say windows, and what they hold of a variable. */
function windowOptions(copied: CopiedView, variable: string | undefined): ShellText[] {
  const windows = windowsOfCopied(copied);
  const hold = variable === undefined ? undefined : holdOf(copied, variable);
  return [
    areCalendarWindows(copied) ? shell`--granularity ${windows}` : shell`--windows ${windows}`,
    ...(copied.view.partial ? [shell`--partial`] : []),
    ...(hold === undefined ? [] : [holdOption(hold)]),
  ];
}

/** The option for what windows hold: `--days ">20"` of `days >20`. */
function holdOption(hold: string): ShellText {
  const [, kind, condition, days] =
    /^(days|longest spell|spells|first day|excess) (\S+)(?: of (\d+) d)?$/.exec(hold) ?? [];
  if (kind === undefined || readWindowValue(hold) === undefined) return shell`--window ${hold}`;
  if (kind === 'days') return shell`--days ${condition}`;
  if (kind === 'excess') return shell`--excess ${condition}`;
  if (kind === 'first day') return shell`--first-day ${condition}`;
  const spell = shell`--spell ${condition}`;
  return kind === 'spells' ? shell`${spell} --spell-days ${days}` : spell;
}

/** Says that results are in the units of the data. zsh runs what is typed after #, so the units are quoted there too. */
function unitNotes(copied: CopiedView): ShellText[] {
  return chosenUnits(copied).map(
    ([own, shown]) => shell`# Values are in the unit of the data: ${own}, shown as ${shown}`,
  );
}

function eachOnce(lines: readonly ShellText[]): string[] {
  return [...new Set(lines.map(({ text }) => text))];
}

function textOf(lines: readonly ShellText[]): Copied {
  return { text: `${eachOnce(lines).join('\n')}\n` };
}

function isKnown({ source }: CopiedView, variable: string): boolean {
  return source.variables.find(({ key }) => key === variable)?.isKnown !== false;
}

/** Whether a file is a store at an address or in an archive, which commands do not read. */
function isOnlyHere({ form, path, url }: { form: string; path: string; url?: string }): boolean {
  return form === 'store' && (url === path || path.endsWith('.zip'));
}

interface Input {
  readonly path: string;
  readonly options: readonly ShellText[];
}

/** The file that statistics are computed of; `lines` get the commands that make it. */
function inputOf(copied: CopiedView, variable: string, option: readonly ShellText[], lines: ShellText[]): Input {
  const { source, view, point } = copied;
  const place = point === undefined ? [] : [shell`--point ${`${point.latitude},${point.longitude}`}`];
  if (source.origin.kind === 'server') {
    const path = `${nameOf(variable)}.arrow`;
    lines.push(shell`${arrowCurl(copied, 'forecast', { var: variable })} > ${path}`);
    return { path, options: option };
  }
  const files = filesOf(copied, variable);
  if (files.length === 1) {
    const [path, ...others] = [files[0], ...files[0].others].map((file) => localPath(file, lines));
    return { path, options: [...others.map((other) => shell`${pathWord(other)}`), ...option, ...place] };
  }
  const paths = files.map((file) => shell`${pathWord(localPath(file, lines))}`);
  const timeline = `timeline-${nameOf(variable)}.arrow`;
  const words = [shell`plumecast blend`, ...paths, ...option];
  if (view.method === 'splice') words.push(shell`--method splice`);
  const pairs = pairedBy(copied, variable, files);
  const isOwn = pairs.every(({ paths }) => paths.every((path, h) => path === files[h].path));
  if (pairs.length === 0) words.push(shell`--pair-by ${variable}`);
  else if (isOwn) words.push(shell`--pair-by ${pairs.map(({ slug }) => slug).join(',')}`);
  else {
    const local = pairs.flatMap(({ paths }) => paths.map((path, h) => localPath({ ...files[h], path }, [])));
    words.push(shell`--pair-by ${local.map(pathWord).join(',')}`);
  }
  lines.push(shell`${shellWords(words)} --out ${timeline}`);
  return { path: timeline, options: [...option, ...place] };
}

/** The path of a file, which is fetched first where it has an address. */
function localPath({ path, url }: OriginPath, lines: ShellText[]): string {
  if (url === undefined || url !== path) return path;
  // Names that begin with a dot are for settings.
  const local = fileName(url).replace(/^\.+/, '') || 'fetched';
  lines.push(shell`curl -gfsS -o ${pathWord(local)} ${url}`);
  return local;
}

/** The name of a variable as a part of the name of a file in the folder of the reader. */
function nameOf(variable: string): string {
  return variable.replace(/[^\w.-]+/g, '-');
}

/** The file of normal values of a variable. */
function climatologyOf(copied: CopiedView, variable: string, lines: ShellText[]): string | undefined {
  const { source, view } = copied;
  const given = source.climatologies.get(variable);
  if (given !== undefined) return given.path;
  const path = `normal-${nameOf(variable)}.arrow`;
  const command = [shell`plumecast climatology`];
  if (source.origin.kind === 'files') return undefined;
  if (source.origin.kind === 'sample') command.push(shell`${`plumecast-demo/history/${variable}.arrow`}`);
  else {
    const history = `history-${nameOf(variable)}.arrow`;
    const years = { start_date: REFERENCE.startDate, end_date: REFERENCE.endDate };
    lines.push(shell`${arrowCurl(copied, 'history', { var: variable, ...years })} > ${history}`);
    command.push(shell`${history} --variable ${variable} --columns date=start,value=value --fewer-years`);
  }
  const options = windowOptions({ ...copied, view: { ...view, partial: false } }, variable);
  lines.push(shell`${shellWords([...command, ...options])} --out ${path}`);
  return path;
}

/** The request of a server by curl for values as an Arrow stream. */
function arrowCurl(copied: CopiedView, endpoint: string, query: Readonly<Record<string, string>>): ShellText {
  return serverCurl(copied, endpoint, query, shell` -H 'Accept: application/vnd.apache.arrow.stream'`);
}

/** The request of a server by curl for the statistics that are shown, as JSON. */
function statisticsCurl(copied: CopiedView): ShellText {
  const { variables } = copied;
  const thresholds = variables.flatMap((variable) => {
    const threshold = thresholdOf(copied, variable);
    return threshold === undefined ? [] : [variable + threshold];
  });
  const { conditions } = copied.view;
  thresholds.push(...conditions);
  const named = [...new Set([...variables, ...namedVariables(conditions.map(parseCondition))])];
  return serverCurl(copied, 'forecast/statistics', {
    ...{ var: named.join(','), granularity: windowsOfCopied(copied), statistics: quantileList(copied) },
    ...(thresholds.length > 0 && { threshold: thresholds.join(',') }),
  });
}

/** The request of a server by curl, at the place that is shown; the reader's shell knows the key. */
function serverCurl(
  { source, point }: CopiedView,
  endpoint: string,
  query: Readonly<Record<string, string>>,
  accept = shell``,
): ShellText {
  const address = source.origin.kind === 'server' ? source.origin.address.replace(/\/+$/, '') : '';
  const place = point && { lat: String(point.latitude), lon: String(point.longitude) };
  const text = new URLSearchParams({ ...place, ...query }).toString().replaceAll('%2C', ',');
  return shell`curl -gfsS -H "X-Api-Key: $PLUMECAST_KEY"${accept} ${`${address}/v2/${endpoint}?${text}`}`;
}

/** Whether a view has windows or rules that no request has. */
function isBeyondServer(copied: CopiedView): boolean {
  const { partial, holds } = copied.view;
  const hasHold = copied.variables.some((variable) => Object.hasOwn(holds, variable));
  return !areCalendarWindows(copied) || hasHold || (partial && windowsOfCopied(copied) !== 'daily');
}

/** The request whose answer has the numbers that are shown, or the files that they are of. */
export function curlCommand(copied: CopiedView): Copied {
  const { source, variables } = copied;
  if (variables.length === 0) return { reason: 'No variable is shown.' };
  if (source.origin.kind === 'server' && isBeyondServer(copied))
    return { reason: 'A server answers whole days, weeks and months by their usual rules: copy the command instead.' };
  if (source.origin.kind === 'server') return textOf([...unitNotes(copied), statisticsCurl(copied)]);
  const urls = source.origin.kind === 'files' ? source.origin.files.filter(({ url, path }) => url === path) : [];
  if (urls.length === 0)
    return { reason: 'curl asks a server: these data are on this machine. Copy the command instead.' };
  return shellCommand(copied);
}
