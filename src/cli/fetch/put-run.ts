import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwritable } from '../../disk/file-fault.js';
import { isAddress } from '../../disk/local-path.js';
import { convertFile } from '../convert-command.js';
import { ingestCommand } from '../ingest/ingest-command.js';
import { program } from '../program.js';
import { runProgram } from '../run-program.js';
import { type Fetch, targetOf } from './fetch-flags.js';

/** Where what has come of a run is kept beside its output until all of it is there. */
export interface Parts {
  readonly root: string;
  /** Of what was asked for of this run: of another run, or of other variables, it is another one. */
  readonly folder: string;
}

/** The parts of an output, of one in a bucket among temporary files; `request` is all that says what they hold. */
export function partsOf({ flags }: Fetch, run: number, request: unknown): Parts {
  const target = targetOf(flags, run).replace(/\/+$/, '');
  const root = `${isAddress(target) ? join(tmpdir(), `plumecast-${shortDigest(target)}`) : target}.parts`;
  return { root, folder: join(root, shortDigest(request)) };
}

function shortDigest(of: unknown): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 16);
}

/** Removes what was kept beside an output that is there. Throws FileError. */
export async function removeParts({ root }: Parts): Promise<void> {
  await rm(root, { recursive: true, force: true }).catch((cause) => {
    throw unwritable(root, cause);
  });
}

/**
 * Writes a run at an address to its file, or puts it into its horizon of a store; returns whether that took it: where not,
 * the exit code of the process says why. Throws FileError and others.
 */
export async function putRun({ flags, reporter, format }: Fetch, run: number, address: string): Promise<boolean> {
  const { variable: variables, compression, store, horizon = 'short-term', bbox, quiet } = flags;
  if (store === undefined) {
    await convertFile(
      address,
      { out: targetOf(flags, run), format: format as NonNullable<typeof format>, compression },
      reporter,
      {
        ...{ variable: variables[0], columns: undefined, values: { bbox } },
      },
    );
    return true;
  }
  const given = ['ingest', '--store', store, `--${horizon}`, address, '--variable', variables.join(',')];
  if (bbox !== undefined) given.push('--bbox', [bbox.south, bbox.west, bbox.north, bbox.east].join(','));
  if (quiet === true) given.push('--quiet');
  const code = await runProgram(program([ingestCommand()]), given);
  if (code !== 0) process.exitCode = code;
  return code === 0;
}
