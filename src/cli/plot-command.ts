import { Command, Option } from 'commander';
import type { Climatology } from '../climate/climatology.js';
import type { Condition } from '../condition/condition.js';
import { loadCore } from '../core/load.js';
import { OptionError } from '../errors.js';
import { FILES } from '../files/formats.js';
import { type InputFile, openInputFile, STANDARD } from '../input/input-file.js';
import { VALUE_OPTIONS } from '../input/input-request.js';
import { joinFiles } from '../input/join-files.js';
import { OptionUse } from '../input/option-use.js';
import { plotStepsAndWindows } from '../input/plot-steps.js';
import { type PlotRequest, type PlotTables, plotTables } from '../input/plot-tables.js';
import { readClimatologyFile } from '../input/read-climatology-file.js';
import type { PlotPanel } from '../plot/index.js';
import { MAP_PROJECTIONS } from '../plot/map/projection-names.js';
import { STATISTICS_OPTIONS, type StatisticsOptions } from '../statistics/options.js';
import { addArchiveOptions, assertArchiveOptions } from './archive-options.js';
import { drawMap, type MapFlags } from './draw-map.js';
import { inputPaths } from './input-paths.js';
import { addOptions, takeOptions } from './library-options.js';
import { PLOT } from './option-rows.js';
import { limitList, pixelCount, textList } from './option-values.js';
import { panelThresholds, variableOfMap } from './panel-thresholds.js';
import { type PictureForm, pictureBytes, pictureForm, pictureTheme } from './picture-output.js';
import { Reporter } from './reporter.js';
import { bandsOption, joinOption, quietOption } from './shared-options.js';
import { takeValues } from './take-values.js';
import { PLACES, VALUES } from './value-rows.js';
import { addWindowOptions, takeWindows, type WindowFlags } from './window-options.js';
import { assertOutput, writeOutput } from './write-output.js';

/** The forms of pictures. */
const FORMS = ['svg', 'png', 'text'] as const;
type PlotForm = (typeof FORMS)[number];

/** Flags of maps alone. */
const MAP_FLAGS = ['statistic', 'period', 'projection', 'limits'] as const;

/** Values of flags, besides those of the library's options. */
interface PlotFlags extends MapFlags, WindowFlags {
  map?: boolean;
  steps?: boolean;
  variable?: string[];
  climatology?: string;
  format?: PlotForm;
  out?: string;
  title?: string;
  join?: string;
  width?: number;
  height?: number;
  amounts?: 'boxes' | 'bars' | 'bands';
  bands?: number;
  members?: boolean;
  fill?: boolean;
  theme?: 'light' | 'dark' | 'auto';
}

type PlotStatistics = Omit<StatisticsOptions, 'thresholds' | 'granularity' | 'window'> & {
  readonly thresholds?: readonly Condition[];
  granularity?: string;
  window?: string;
};

/** `plumecast plot`: meteograms of ensemble files, timelines and results of statistics. */
export function plotCommand(): Command {
  const command = new Command('plot')
    .description(
      'Draw ensembles or statistics: at a place members, quantiles and boxes by time; or a map of one window.',
    )
    .argument(
      '<files...>',
      `${FILES}, or results of stats; a panel for each; also at web addresses; - is standard input`,
    )
    .option('--map', 'a map of one statistic of one window, of a grid or of places')
    .option('--steps', 'time steps as they are, and beside them daily windows')
    .option(
      '--statistic <name>',
      'what a map shows: mean, q10, p_gt_20, tercile, ... (default: mean, or the threshold)',
    )
    .option(
      '--period <key>',
      'window of a map: 2026-04-07, 2026-W15, 2026-04; others with --windows (default: the first one)',
    )
    .addOption(
      new Option('--projection <name>', 'projection of a map (default: as suits the grid)').choices(MAP_PROJECTIONS),
    )
    .option(
      '--limits <numbers>',
      'limits between colours of a map: 0,5,10,20 (default: as suits the values)',
      limitList,
    )
    .option('--variable <slugs>', "variables, such as temp_mean,precipitation; default: each file's own", textList);
  addWindowOptions(addOptions(command, STATISTICS_OPTIONS, PLOT))
    .addOption(bandsOption())
    .option('--climatology <file>', 'the span of its quantiles and its terciles behind the values')
    .option('--title <text>', 'a line above the picture')
    .option('--width <number>', 'pixels, or characters of a text (default: 840, or those of the terminal)', pixelCount)
    .option(
      '--height <number>',
      'pixels of the whole picture; of a map at most (default: as the width asks for)',
      pixelCount,
    )
    .addOption(
      new Option('--amounts <marks>', 'how rain and other amounts of days are drawn (default: boxes)').choices([
        'boxes',
        'bars',
        'bands',
      ]),
    )
    .option('--no-members', 'quantiles without the lines of members')
    .option('--fill', 'an SVG that fills the width of its box in a page')
    .addOption(new Option('--theme <name>', 'colours; auto follows the reader').choices(['light', 'dark', 'auto']))
    .addOption(new Option('--format <name>', 'form of the picture (default: text)').choices(FORMS))
    .option(
      '--out <path>',
      'file to write, ending in .svg, .png or .txt; with {id} a file for each place; - is standard output',
    )
    .addOption(joinOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast plot temp_mean.arrow
  $ plumecast plot temp_mean.arrow precipitation.arrow --out forecast.svg
  $ plumecast plot gefs.nc --variable temp_mean,precipitation --point 37.30,-79.84 --out forecast.png
  $ plumecast plot rain.arrow --granularity weekly --climatology weeks.arrow --threshold ">20" --out rain.svg
  $ plumecast plot rain.arrow --amounts bars --no-members --height 300 --out rain.svg
  $ plumecast plot gefs.nc --variable temp_mean --points farms.csv --out "plume-{id}.svg"
  $ plumecast plot gefs.nc --steps --variable precipitation --point 37.30,-79.84 --time-zone America/New_York --out steps.svg
  $ plumecast plot gefs.nc --map --period 2026-W15 --out week.svg
  $ plumecast plot gefs.nc --map --climatology weeks.nc --statistic tercile --out outlook.svg
  $ plumecast plot gefs.nc --map --granularity weekly --threshold ">20" --bbox 35,-10,60,30 --out risk.png
  $ plumecast blend short.arrow sub.arrow seasonal.arrow --out timeline.arrow && plumecast plot timeline.arrow`,
    )
    .action(plot);
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, { ...VALUES, ...PLACES }));
}

async function plot(paths: string[], flags: PlotFlags, command: Command): Promise<void> {
  const { out = STANDARD, climatology: climatologyFile, variable = [] } = flags;
  const form = pictureForm({ format: flags.format, out, forms: FORMS, usual: 'text' });
  assertMapFlags(form, flags, command);
  const values = await takeValues({ ...VALUES, ...PLACES }, flags);
  const taken = await takeWindows(takeOptions<PlotStatistics>(PLOT, flags), flags, command);
  const { thresholds: conditions = [], ...given } = taken;
  const statistics = given as PlotRequest['statistics'];
  if (paths.includes(STANDARD) && climatologyFile === STANDARD) {
    command.error('error: standard input can be read once, and not for --climatology, too');
  }
  const reporter = new Reporter(command);
  const files = await inputPaths(paths, command);
  assertArchiveOptions(files, command);
  await assertOutput(out, climatologyFile === undefined ? files : [...files, climatologyFile]);
  const climatology =
    climatologyFile === undefined ? undefined : await readClimatologyFile(climatologyFile, values.calendar);
  const inputs = await joinFiles(files, flags.join, reporter.notice);
  reporter.gather(inputs.length);
  if (flags.map) {
    if (inputs.length > 1 || variable.length > 1) command.error('error: a map is of one file and one variable');
    const slug = variableOfMap(variable[0], conditions);
    const request = { variable: slug, statistics, conditions, values, climatology };
    const theme = pictureTheme(form, flags.theme);
    const svg = await drawMap(
      inputs[0],
      request,
      { ...flags, theme, fill: form === 'svg' && flags.fill },
      reporter.notice,
    );
    await writeOutput(out, [await pictureBytes(svg, form as PictureForm, out)]);
    return;
  }
  const read = flags.steps ? plotStepsAndWindows : windowsAlone;
  const use = new OptionUse(values);
  const hasOwnPictures = out.includes(ID);
  const drawn = { maxPlaces: hasOwnPictures ? MAX_PICTURES : MAX_PANELS, hasOwnPictures };
  const request = { statistics, values, use, climatology, bands: flags.bands, ...drawn };
  const tables = await tablesOfFiles(inputs, variable, request, reporter, read);
  use.assertUsed();
  const order = [...new Set(tables.map(({ place }) => place))];
  tables.sort((a, b) => order.indexOf(a.place) - order.indexOf(b.place));
  const lines = panelThresholds(tables, conditions);
  const pictures = new Map<string, PlotPanel[]>();
  for (const [i, panel] of tables.entries()) {
    const path = hasOwnPictures ? pathOfPlace(out, panel.place) : out;
    pictures.set(path, [...(pictures.get(path) ?? []), { ...panel, thresholds: lines[i] }]);
  }
  for (const path of pictures.keys()) await assertOutput(path, files);
  for (const [path, panels] of pictures) await writeOutput(path, [await draw(panels, form, { ...flags, out: path })]);
}

/** What stands for the id of a place in the names of pictures of one each. */
const ID = '{id}';
/** The most places in one picture, and the most pictures. */
const MAX_PANELS = 20;
const MAX_PICTURES = 1000;

/** The path of the picture of a place. Throws OptionError where it has no id. */
function pathOfPlace(out: string, place: string | undefined): string {
  if (place !== undefined) return out.replaceAll(ID, encodeURIComponent(place));
  const problem = 'has {id}, which is for members at places with ids';
  throw new OptionError({ subject: 'output', problem, received: out, allowed: 'a name without {id}' });
}

/** Ends the command for flags of maps without a map, and for a map as text or of one place. */
function assertMapFlags(form: PlotForm, flags: PlotFlags & MapPlaces, command: Command): void {
  const [mapFlag] = MAP_FLAGS.filter((name) => flags[name] !== undefined);
  if (!flags.map && mapFlag !== undefined) command.error(`error: option --${mapFlag} needs --map`);
  if (flags.map && flags.steps) command.error('error: option --steps is not for a map');
  if (flags.map && flags.bands !== undefined) command.error('error: option --bands is not for a map');
  if (flags.map && form === 'text') command.error('error: a map is not drawn as text: --out PATH.svg or PATH.png');
  if (form === 'text' && flags.height !== undefined)
    command.error('error: option --height is for pictures: --out PATH.svg or PATH.png');
  const place = (['point', 'points', 'regions', 'mean'] as const).find((name) => flags[name] !== undefined);
  if (flags.map && place !== undefined) command.error(`error: option --${place} is not for a map`);
}

/** Places that no map is of. */
type MapPlaces = Partial<Record<'point' | 'points' | 'regions' | 'mean', unknown>>;

/** The windows of one panel. */
const windowsAlone: typeof plotStepsAndWindows = plotTables;

/** The tables of each file, or of each requested variable of each file. */
async function tablesOfFiles(
  inputs: readonly (string | InputFile)[],
  variables: readonly string[],
  request: Omit<PlotRequest, 'variable'> & { readonly climatology?: Climatology },
  reporter: Reporter,
  read: typeof plotStepsAndWindows,
): Promise<PlotTables[]> {
  const core = await loadCore();
  const tables: PlotTables[] = [];
  for (const input of inputs) {
    const file = typeof input === 'string' ? await openInputFile(input) : input;
    // Each variable reads it again.
    const open: InputFile = { ...file, close: async () => {} };
    try {
      for (const variable of variables.length > 0 ? variables : [undefined]) {
        tables.push(...(await read(core, open, { ...request, variable }, reporter.notice)));
      }
    } finally {
      await file.close();
    }
  }
  return tables;
}

/** The width of text that is not for a terminal, in characters. */
const TEXT_WIDTH = 80;

/** The drawing code is loaded when it is needed: a command starts sooner without it. */
async function draw(
  panels: readonly PlotPanel[],
  form: PlotForm,
  flags: PlotFlags & { out: string },
): Promise<Uint8Array> {
  const { meteogram, meteogramText } = await import('../plot/index.js');
  const { title, width, height, amounts, out } = flags;
  const { stdout } = process;
  if (form === 'text') {
    const terminal = out === STANDARD && stdout.isTTY ? stdout.columns : TEXT_WIDTH;
    return new TextEncoder().encode(meteogramText(panels, { width: width ?? Math.max(30, terminal) }));
  }
  return pictureBytes(
    meteogram(panels, {
      ...{ title, width, height, amounts, members: flags.members, fill: form === 'svg' && flags.fill },
      theme: pictureTheme(form, flags.theme),
    }),
    form,
    out,
  );
}
