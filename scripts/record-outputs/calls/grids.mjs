/** Gridded files, and batches of files. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../digest.mjs';

export function gridCalls({ api, core, tables }) {
  const withFile = async (name, use) => {
    const file = await api.openArrayFile(name);
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  };
  const ensemble = ({
    array,
    variable,
    units,
    accumulation,
    metadata,
    type,
    members,
    firstDay,
    days,
    grid,
    cells,
  }) => ({
    ...{
      array,
      variable: variable?.slug,
      units,
      accumulation,
      metadata: [...metadata].filter(([name]) => name !== 'history'),
    },
    ...{ type, members, firstDay, days, grid, cells },
  });
  return {
    ...Object.fromEntries(
      GRID_FILES.flatMap((name) => [
        [
          `gridEnsembles of ${name}`,
          () => withFile(name, async (file) => (await api.gridEnsembles(file)).map(ensemble)),
        ],
        [
          `gridArrays of ${name}`,
          () =>
            withFile(name, async (file) =>
              (await api.gridArrays(file)).map(({ array, name: own }) => own ?? array?.name ?? array),
            ),
        ],
        [
          `gridEnsemble of ${name}, all blocks`,
          () =>
            withFile(name, async (file) => {
              const grid = await api.gridEnsemble(file, { variable: 'precipitation' });
              const results = [];
              for (const block of grid.blocks(8000, [7, 14])) {
                const mark = core.memory.mark();
                const part = await grid.read(block, core);
                const values = (part.field ?? part).members.map((member) =>
                  Array.from({ length: block.cells * block.days }, (_, row) => member.value(row)),
                );
                results.push([block.cell, block.cells, block.day, block.days, values]);
                core.memory.release(mark);
              }
              return [ensemble(grid), results];
            }),
        ],
      ]),
    ),
    'gridEnsemble of an array that is not there': () =>
      withFile('zarr/v2', (file) => api.gridEnsemble(file, { array: 'nothing' })),
    'gridEnsemble of a variable that is not there': () =>
      withFile('zarr/v2', (file) => api.gridEnsemble(file, { variable: 'temp_mean' })),
    'openArrayFile of a table': () => withFile('tables/rain.csv', () => 0),
    'openArrayFile of nothing': () => withFile('nothing.nc', () => 0),
    ...Object.fromEntries(
      ['ensembleContentOfTable', 'statisticsContent'].flatMap((name) =>
        [0, 1, 6].map((deflate) => [
          `writeNetcdf4 of ${name}, deflate ${deflate}`,
          () =>
            inNewFolder(async (folder) => {
              const weekly = () => api.statistics(core, tables.wide, { granularity: 'weekly', spread: true });
              const content =
                name === 'statisticsContent'
                  ? api.statisticsContent(api.resultsOfTable(weekly()))
                  : api.ensembleContentOfTable(tables.wide);
              await api.writeNetcdf4(join(folder, 'a.nc'), await content, { deflate });
              return sha256(await readFile(join(folder, 'a.nc')));
            }),
        ]),
      ),
    ),
  };
}

export function batchCalls({ api }) {
  const plan = { granularities: ['weekly'], workers: 1, format: 'csv', onError: 'continue' };
  const run = (more, options) =>
    inNewFolder(async (folder) => {
      const events = [];
      const report = await api.runBatch(
        { ...plan, ...more, out: join(folder, 'out') },
        { ...options, onEvent: (event) => events.push(event.event) },
      );
      return [
        report.status,
        report.finished,
        report.kept,
        report.left,
        report.failed.length,
        events.filter((event) => event !== 'progress').sort(),
      ];
    });
  return {
    'runBatch of three': () =>
      run({ inputs: ['tables/rain.arrow', 'tables/one-place.csv', 'grids/weeks.nc', 'zarr/v2'] }),
    'runBatch with a bad one': () => run({ inputs: ['tables/rain.arrow', 'csv/text.csv'] }),
    'runBatch that stops': () => run({ inputs: ['csv/text.csv', 'tables/rain.arrow'], onError: 'stop' }),
    'runBatch that is interrupted': () => run({ inputs: ['tables/rain.arrow'] }, { signal: AbortSignal.abort() }),
    'runBatch of two granularities': () =>
      run({
        inputs: ['tables/rain.parquet'],
        granularities: ['weekly', 'daily'],
        variables: ['precipitation'],
        thresholds: { precipitation: ['>20'] },
      }),
  };
}

/** Those whose daily values are read, and results. */
const GRID_FILES = [
  'grids/rain.nc',
  'grids/rain-plain.nc',
  'grids/weeks.nc',
  'zarr/v2',
  'zarr/v2-gzip',
  'zarr/v2-missing',
  'zarr/v3',
  'normal/rain-monthly.nc',
];

async function inNewFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'plumecast-record-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
