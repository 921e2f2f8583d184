import { JsonFields } from '../../check/json-fields.js';
import { FormatError } from '../../errors.js';
import { readInput } from '../../input/input-file.js';
import { nearestName } from '../../variable/nearest-name.js';

/** Commands whose options a configuration may set. */
export const CONFIGURED = ['serve', 'ingest'] as const;

/** The version of configuration files. */
export const CONFIG_VERSION = 1;

/** What a value of an option may be in a file. */
export type ConfigValue = string | number | boolean | readonly (string | number)[];

const ALLOWED = '{ "version": 1, "store": "data", "serve": { "port": 8080 }, "ingest": {} }';

/**
 * The options of one command in a configuration file, by their names: what its section has, and `store`. `names` are the
 * options that each command has. Throws FormatError, also for what the other command's section has wrong, and FileError.
 */
export async function readConfig(
  path: string,
  command: string,
  names: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, ConfigValue>> {
  const text = new TextDecoder().decode(await readInput(path));
  const fields = JsonFields.parse(text, path, ALLOWED);
  assertNames(path, '', fields.names, ['$schema', 'version', 'store', ...CONFIGURED]);
  const version = fields.value('version');
  if (version !== CONFIG_VERSION) {
    const problem = version === undefined ? 'has no version' : 'has another version';
    throw new FormatError({ subject: path, problem, received: version, allowed: `"version": ${CONFIG_VERSION}` });
  }
  const values = new Map<string, ConfigValue>();
  if (fields.has('store')) values.set('store', fields.text('store'));
  for (const section of CONFIGURED) {
    if (!fields.has(section)) continue;
    const own = fields.object(section);
    assertNames(path, `${section}.`, own.names, names.get(section) ?? []);
    if (section !== command) continue;
    for (const name of own.names) values.set(name, configValue(path, `${section}.${name}`, own.value(name)));
  }
  return values;
}

function assertNames(path: string, section: string, given: readonly string[], known: readonly string[]): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw new FormatError({
      subject: `${path}, ${section}${name}`,
      problem: 'is no option',
      allowed: nearest === undefined ? known.join(', ') : `${section}${nearest}?`,
    });
  }
}

function configValue(path: string, name: string, value: unknown): ConfigValue {
  const isOne = (one: unknown) => typeof one === 'string' || (typeof one === 'number' && Number.isFinite(one));
  if (isOne(value) || typeof value === 'boolean' || (Array.isArray(value) && value.every(isOne)))
    return value as ConfigValue;
  const allowed = 'a text, a number, true or false, or a list of texts';
  throw new FormatError({ subject: `${path}, ${name}`, problem: 'cannot be used', received: value, allowed });
}
