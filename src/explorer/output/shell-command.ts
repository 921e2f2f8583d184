import { fileName } from '../data/file-origin.js';
import { PAIR_BY } from '../data/horizon-source.js';
import { type OriginPath, REFERENCE } from '../data/open-source.js';
import { type Copied, type CopiedView, quantileList, shellWord, unitNote } from './copied-view.js';
import { filesOf, type HorizonFile, isPaired } from './horizon-files.js';

/** Where a reader puts the key of a server. */
const KEY_PLACEHOLDER = '$PLUMECAST_KEY';

/** The `plumecast` commands that compute what is shown. */
export function shellCommand(copied: CopiedView): Copied {
  const { source, view, variables } = copied;
  if (variables.length === 0) return { reason: 'No variable is shown.' };
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
  const lines = unitNote(copied, '#');
  if (source.origin.kind === 'sample') lines.push('plumecast demo plumecast-demo');
  for (const variable of variables) {
    const isNamed = isKnown(copied, variable);
    const named = isNamed ? variable : view.as;
    const array = !isNamed && variable !== 'values' ? ['--array', variable] : [];
    const option = [...array, ...(named === undefined ? [] : ['--variable', named])];
    const input = inputOf(copied, variable, option, lines);
    const words = ['plumecast', 'stats', input.path, ...input.options];
    words.push('--granularity', view.granularity, '--quantiles', quantileList(copied));
    const threshold = view.thresholds[variable];
    if (threshold !== undefined) words.push('--threshold', `${threshold.operator}${threshold.limit}`);
    if (view.normal) {
      const normal = climatologyOf(copied, variable, lines);
      if (normal !== undefined) words.push('--climatology', normal);
    }
    lines.push(commandLine(words));
  }
  return { text: `${[...new Set(lines)].join('\n')}\n` };
}

function isKnown({ source }: CopiedView, variable: string): boolean {
  return source.variables.find(({ key }) => key === variable)?.isKnown !== false;
}

/** Whether a file is a store at an address or in an archive, which commands do not read. */
function isOnlyHere({ reader, path, url }: { reader: string; path: string; url?: string }): boolean {
  return reader === 'openZarr' && (url === path || path.endsWith('.zip'));
}

/** A line of a shell. Placeholders stay variables of the shell. */
function commandLine(words: readonly string[]): string {
  return words.map((word) => (word.startsWith('--') || word === '-' ? word : shellWord(word))).join(' ');
}

interface Input {
  readonly path: string;
  readonly options: readonly string[];
}

/** The file that statistics are computed of; `lines` get the commands that make it. */
function inputOf(copied: CopiedView, variable: string, option: readonly string[], lines: string[]): Input {
  const { source, view, point } = copied;
  const place = point === undefined ? [] : ['--point', `${point.latitude},${point.longitude}`];
  if (source.origin.kind === 'server') {
    const path = `${variable}.arrow`;
    lines.push(`${arrowCurl(copied, 'forecast', { var: variable })} > ${shellWord(path)}`);
    return { path, options: option };
  }
  const files = filesOf(copied, variable);
  if (files.length === 1) {
    const [path, ...others] = [files[0], ...files[0].others].map((file) => localPath(file, lines));
    return { path, options: [...others, ...option, ...place] };
  }
  const paths = files.map((file) => localPath(file, lines));
  const timeline = `timeline-${variable}.arrow`;
  const words = ['plumecast', 'blend', ...paths, ...option];
  if (view.method === 'splice') words.push('--method', 'splice');
  if (isPaired(copied, variable, files)) {
    words.push('--pair-by', files.map((file) => localPath({ ...file, path: file.pairBy ?? file.path }, [])).join(','));
  } else if (variable !== PAIR_BY) words.push('--pair-by', variable);
  lines.push(commandLine([...words, '--out', timeline]));
  return { path: timeline, options: [...option, ...place] };
}

/** The path of a file, which is fetched first where it has an address. */
function localPath({ path, url }: OriginPath, lines: string[]): string {
  if (url === undefined || url !== path) return path;
  lines.push(`curl -fsS -o ${shellWord(fileName(url))} ${shellWord(url)}`);
  return fileName(url);
}

/** The file of normal values of a variable. */
function climatologyOf(copied: CopiedView, variable: string, lines: string[]): string | undefined {
  const { source, view } = copied;
  const given = source.climatologies.get(variable);
  if (given !== undefined) return given.path;
  const path = `normal-${variable}.arrow`;
  const command = ['plumecast', 'climatology'];
  if (source.origin.kind === 'files') return undefined;
  if (source.origin.kind === 'sample') command.push(`plumecast-demo/history/${variable}.arrow`);
  else {
    const history = `history-${variable}.arrow`;
    const years = { start_date: REFERENCE.startDate, end_date: REFERENCE.endDate };
    lines.push(`${arrowCurl(copied, 'history', { var: variable, ...years })} > ${shellWord(history)}`);
    command.push(history, '--variable', variable, '--columns', 'date=start,value=value', '--fewer-years');
  }
  lines.push(commandLine([...command, '--granularity', view.granularity, '--out', path]));
  return path;
}

/** The request of a server by curl for values as an Arrow stream. */
function arrowCurl(copied: CopiedView, endpoint: string, query: Readonly<Record<string, string>>): string {
  return serverCurl(copied, endpoint, query, " -H 'Accept: application/vnd.apache.arrow.stream'");
}

/** The request of a server by curl for the statistics that are shown, as JSON. */
function statisticsCurl(copied: CopiedView): string {
  const { view, variables } = copied;
  const thresholds = variables.flatMap((variable) => {
    const threshold = view.thresholds[variable];
    return threshold === undefined ? [] : [`${variable}${threshold.operator}${threshold.limit}`];
  });
  return serverCurl(copied, 'forecast/statistics', {
    ...{ var: variables.join(','), granularity: view.granularity, statistics: quantileList(copied) },
    ...(thresholds.length > 0 && { threshold: thresholds.join(',') }),
  });
}

/** A request of a server by curl, at the place that is shown. */
function serverCurl(
  { source, point }: CopiedView,
  endpoint: string,
  query: Readonly<Record<string, string>>,
  accept = '',
): string {
  const address = source.origin.kind === 'server' ? source.origin.address.replace(/\/+$/, '') : '';
  const place = point && { lat: String(point.latitude), lon: String(point.longitude) };
  const text = new URLSearchParams({ ...place, ...query }).toString().replaceAll('%2C', ',');
  return `curl -fsS -H "X-Api-Key: ${KEY_PLACEHOLDER}"${accept} '${`${address}/v2/${endpoint}?${text}`.replaceAll("'", '%27')}'`;
}

/** The request whose answer has the numbers that are shown, or the files that they are of. */
export function curlCommand(copied: CopiedView): Copied {
  const { source, variables } = copied;
  if (variables.length === 0) return { reason: 'No variable is shown.' };
  const notes = unitNote(copied, '#');
  if (source.origin.kind === 'server') return { text: `${[...notes, statisticsCurl(copied)].join('\n')}\n` };
  const urls = source.origin.kind === 'files' ? source.origin.files.filter(({ url, path }) => url === path) : [];
  if (urls.length === 0)
    return { reason: 'curl asks a server: these data are on this machine. Copy the command instead.' };
  return shellCommand(copied);
}
