import { plannedBytes, plannedRequests } from '../../files/archives/fetch-messages.node.js';
import { runText } from '../../files/archives/run-files.js';
import { variableFinder } from '../../variable/find-variable.js';
import { parseArchiveAddress } from '../archive-address.js';
import { findArchive, planArchive } from '../archive-input.js';

/** What an archive has, and what it costs to read it: of GRIB, a point costs as much as all places. */
export interface ArchiveInspection {
  readonly source: string;
  readonly title: string;
  readonly license: string;
  readonly attribution: string;
  readonly references: string;
  readonly mirror: string;
  readonly product: string;
  /** The runs that were looked at, the newest first; what is complete is read. */
  readonly runs: readonly { readonly run: string; readonly isComplete: boolean; readonly problem?: string }[];
  readonly members: number;
  readonly steps: readonly number[];
  /** What the index files of all steps take. */
  readonly indexes: { readonly requests: number; readonly bytes: number };
  readonly fields: readonly ArchiveFieldCost[];
}

/** A field of a run. */
interface ArchiveFieldCost {
  readonly field: string;
  /** The variable that its name means. */
  readonly variable?: string;
  readonly messages: number;
  readonly bytes: number;
  readonly requests: number;
}

/**
 * Inspects an archive of GRIB by its address: index files are requested, and no message. Throws FileError and OptionError.
 */
export async function inspectArchive(address: string): Promise<ArchiveInspection | undefined> {
  const { name, options } = parseArchiveAddress(address);
  const archive = await findArchive(name, options);
  if (archive.kind !== 'grib') return undefined;
  const plan = await planArchive(archive, options, () => true);
  const { title, license, attribution, references } = archive;
  const find = variableFinder();
  return {
    ...{ source: name, title, license, attribution, references, mirror: plan.mirror, product: plan.product },
    runs: [
      ...plan.incomplete.map(({ run, problem }) => ({ run: runText(run), isComplete: false, problem })),
      ...plan.runs.map((run) => ({ run: runText(run), isComplete: true })),
    ],
    members: plan.members.length,
    ...{ steps: plan.steps, indexes: plan.indexes },
    fields: plan.fields.map((field) => {
      const own = { messages: plan.messages.filter((message) => message.field === field) };
      const variable = find(field)?.slug;
      const cost = { messages: own.messages.length, bytes: plannedBytes(own), requests: plannedRequests(own) };
      return { field, ...(variable !== undefined && { variable }), ...cost };
    }),
  };
}
