/** The JSON of answers, and where a service has its data from. */
import { outcomeOf } from '../digest.mjs';
import { FIRST_DAY, PLACES } from '../made-data.mjs';

export function respondCalls({ api, core }) {
  const table = api.demoTable('temp_mean', { days: 30, members: 5, locations: PLACES.slice(0, 1) });
  return {
    ...Object.fromEntries(
      ['daily', 'weekly', 'monthly'].map((granularity) => [
        `statisticsJson of a table, ${granularity}`,
        () =>
          textOf(
            api.statisticsJsonOfTable(api.statistics(core, table, { granularity, partial: true }), {
              downscaled: false,
            }),
          ),
      ]),
    ),
  };
}

export function storeCalls({ api, core }) {
  const dataset = (revision, days, members, seed) => {
    const { precipitation } = api.generateEnsemble({ ...PLACES[0], seed, initDate: FIRST_DAY, days, members });
    const values = Float32Array.from(precipitation.flatMap((member) => [...member]));
    if (revision === 'gaps') values.fill(Number.NaN, 3, 6);
    const variables = { precipitation: { firstDay: FIRST_DAY, days, members, values } };
    return api.memoryDataset({
      ...{ revision, variables },
      ...{ latitude: Float64Array.of(PLACES[0].latitude), longitude: Float64Array.of(PLACES[0].longitude) },
    });
  };
  const valuesOf = async (data) => {
    const { days, members } = data.variables.get('precipitation');
    const into = new Float32Array(days * members);
    await data.read('precipitation', 0, into);
    return [data.revision, days, members, into, await data.origins?.('precipitation', 0)];
  };
  const places = () =>
    new api.PlaceIndex({ latitude: Float64Array.of(10, 10, 20), longitude: Float64Array.of(0, 359, 180) });
  const points = [
    [10, -0.6],
    [20.3, 180.2],
    [89, 0],
    [10.5, 0.5],
  ];
  return {
    'memoryDataset read': () => valuesOf(dataset('r', 20, 3, 1)),
    gapFilled: () =>
      valuesOf(
        api.gapFilled([
          { name: 'a', data: dataset('gaps', 10, 1, 1) },
          { name: 'b', data: dataset('s', 20, 1, 2) },
        ]),
      ),
    blendedDataset: () =>
      valuesOf(
        api.blendedDataset(
          core,
          { 'short-term': dataset('a', 15, 5, 1), subseasonal: dataset('b', 40, 7, 2) },
          { pairBy: 'precipitation' },
        ),
      ),
    'PlaceIndex nearest': () =>
      Promise.all(points.map(([latitude, longitude]) => outcomeOf(() => places().nearest({ latitude, longitude })))),
    ...Object.fromEntries(
      points.map(([latitude, longitude]) => [
        `PlaceIndex covering ${latitude}, ${longitude}`,
        () => places().covering({ latitude, longitude }),
      ]),
    ),
    hashKey: () => api.hashKey('a key'),
    ...Object.fromEntries(
      ['demo', 'store', 'tables'].flatMap((folder) =>
        ['openStore'].map((name) => [
          `${name} of ${folder}`,
          async () => {
            const found = await api[name](folder);
            const { forecast, history, attribution } = await found.snapshot();
            const facts = [
              forecast?.generation,
              [...(forecast?.timeline.variables ?? [])],
              [...(history?.data.variables ?? [])],
            ];
            await found.close();
            return [facts, attribution];
          },
        ]),
      ),
    ),
  };
}

/** The text of JSON that a function gives as text, bytes or a writer. */
function textOf(result) {
  if (typeof result === 'string') return result;
  const bytes = ArrayBuffer.isView(result) ? result : (result.bytes?.() ?? result.finish?.() ?? result.toBytes?.());
  return bytes === undefined ? String(result) : new TextDecoder().decode(bytes);
}
