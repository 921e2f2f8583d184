import type { Core } from '../src/core/load.js';
import { type Absent, type Contestant, fullName, type Rival } from './contestant.js';
import { arqueroContestant } from './contestants/arquero.js';
import { d3Contestant, simpleStatisticsContestant } from './contestants/libraries.js';
import { plainContestants } from './contestants/networks.js';
import { plumecastContestants } from './contestants/plumecast.js';
import { orAbsent } from './peers.js';
import { cRivals } from './rivals/c.js';
import { cdoRival } from './rivals/cdo.js';
import { duckdbRival } from './rivals/duckdb.js';
import { polarsRival } from './rivals/polars.js';
import { pythonRivals } from './rivals/python.js';

/**
 * Everyone that this machine has and whose name matches, and why it does not have the others. Rivals in C are compiled
 * into `folder`.
 */
export async function findEntrants(core: Core, folder: string, pattern: RegExp) {
  const contestants = [
    ...plumecastContestants(core),
    ...plainContestants,
    d3Contestant,
    await orAbsent('simple-statistics', simpleStatisticsContestant()),
    await orAbsent('Arquero', arqueroContestant()),
  ];
  const rivals = [
    ...cRivals(folder),
    ...pythonRivals(),
    cdoRival(),
    await orAbsent('DuckDB', duckdbRival()),
    await orAbsent('Polars', polarsRival()),
  ];
  const all = [...contestants, ...rivals].filter((each) => pattern.test(fullName(each)));
  return {
    contestants: all.filter((each): each is Contestant => 'prepare' in each),
    rivals: all.filter((each): each is Rival => 'measure' in each),
    absent: all.filter((each): each is Absent => 'reason' in each),
  };
}
