import { type ArchiveFiles, type ArchiveProduct, type GribArchive, parseNumbers } from './archive.js';

/** Seconds of an hour. */
const HOUR = 3600;

/** A file of a run, and what it is for. */
export interface RunFile {
  /** Below the mirror. */
  readonly path: string;
  readonly index: string;
  /** When its run begins, in seconds since 1970-01-01 UTC. */
  readonly run: number;
  /** The steps that are wanted of it. */
  readonly steps: readonly number[];
  /** The fields that it may have, by their short names; undefined for all. */
  readonly fields?: readonly string[];
  readonly members: readonly number[];
  /** The member of all messages, where they do not state it. */
  readonly memberOfPath?: number;
}

/** A product of an archive, and how far its steps are wanted. */
export interface WantedSteps {
  readonly product: ArchiveProduct;
  /** The last step that is wanted, in hours; by default all. */
  readonly last: number | undefined;
}

/**
 * The product that reaches a step, at any hour of the day; the last one where none does. Without a step, the first one.
 */
export function productFor({ products }: GribArchive, last: number | undefined): ArchiveProduct {
  const reach = ({ runs }: ArchiveProduct) =>
    Math.max(...runs.map(({ steps }) => parseNumbers(steps, 'steps').at(-1) ?? 0));
  return products.find((product) => last === undefined || reach(product) >= last) ?? products[products.length - 1];
}

/** The hours of the day at which runs begin that have the wanted steps. */
export function hoursOfRuns({ product, last = 0 }: WantedSteps): number[] {
  return product.runs
    .filter(({ steps }) => (parseNumbers(steps, 'steps').at(-1) ?? 0) >= last)
    .flatMap(({ hours }) => hours)
    .sort((a, b) => a - b);
}

/** The steps of the run that begins at a time, as far as they are wanted; undefined where no run begins then. */
export function stepsOfRun(
  { product, last = Number.POSITIVE_INFINITY }: WantedSteps,
  run: number,
): number[] | undefined {
  const hour = (run / HOUR) % 24;
  const found = product.runs.find(({ hours }) => hours.includes(hour));
  return found && parseNumbers(found.steps, 'steps').filter((step) => step <= last);
}

/** The files of the run that begins at a time, in seconds since 1970-01-01 UTC: by step or field, then by member. */
export function filesOfRun(
  { fields: known }: GribArchive,
  fields: readonly string[],
  wanted: WantedSteps,
  run: number,
): RunFile[] {
  const kinds = wanted.product.files.filter(({ from, before }) => {
    return (from === undefined || run >= secondsOf(from)) && (before === undefined || run < secondsOf(before));
  });
  const steps = stepsOfRun(wanted, run) ?? [];
  const [ofFields, ofSteps] = [true, false].map((is) => kinds.filter(({ path }) => path.includes('{field}') === is));
  const names = [...new Set(fields.flatMap((field) => known[field].file ?? []))];
  return [
    ...steps.flatMap((step) => ofSteps.flatMap((files) => filesOfMembers(files, { run, steps: [step] }))),
    ...names.flatMap((name) => {
      const own = fields.filter((field) => known[field].file === name);
      return ofFields.flatMap((files) => filesOfMembers(files, { run, steps, fields: own }, name));
    }),
  ];
}

function filesOfMembers(files: ArchiveFiles, of: Pick<RunFile, 'run' | 'steps' | 'fields'>, field = ''): RunFile[] {
  const members = parseNumbers(files.members, 'members');
  const fileOf = (own: readonly number[], member: string): RunFile => {
    const [path, index] = [files.path, files.index].map((template) => filled(template, of, member, field));
    return { ...of, path, index, members: own, ...(files.memberOfPath === true && { memberOfPath: own[0] }) };
  };
  const { names } = files;
  if (names === undefined) return [fileOf(members, '')];
  return members.map((member) => {
    const template = member === 0 ? names.control : names.others;
    return fileOf(
      [member],
      template.replace(/\{number(?::(\d))?\}/, (_, width = '0') => padded(member, width)),
    );
  });
}

function filled(
  template: string,
  { run, steps: [step] }: Pick<RunFile, 'run' | 'steps'>,
  member: string,
  field: string,
): string {
  const [day, time] = new Date(1000 * run).toISOString().split('T');
  return template
    .replaceAll('{year}', day.slice(0, 4))
    .replaceAll('{date}', day.replaceAll('-', ''))
    .replaceAll('{hour}', time.slice(0, 2))
    .replaceAll('{member}', member)
    .replaceAll('{field}', field)
    .replace(/\{step(?::(\d))?\}/g, (_, width = '0') => padded(step, width));
}

function padded(number: number, width: string): string {
  return String(number).padStart(Number(width), '0');
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

/** A run for people: `2026-03-01 06 UTC`. */
export function runText(run: number): string {
  return `${new Date(1000 * run).toISOString().slice(0, 13).replace('T', ' ')} UTC`;
}
