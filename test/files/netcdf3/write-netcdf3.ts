/** The bytes of a NetCDF3 file, put down one by one as the grammar has it: a slow and obvious writer for tests. */

/** The external types in the order of their numbers, from 1 on, with their bytes an element. */
const TYPES = {
  int8: 1,
  text: 1,
  int16: 2,
  int32: 4,
  float32: 4,
  float64: 8,
  uint8: 1,
  uint16: 2,
  uint32: 4,
  int64: 8,
  uint64: 8,
} as const;

export type Netcdf3Type = keyof typeof TYPES;

interface Netcdf3Attribute {
  readonly name: string;
  readonly type: Netcdf3Type;
  readonly values: readonly number[] | string;
}

interface Netcdf3Variable {
  readonly name: string;
  readonly type: Netcdf3Type;
  /** The numbers of its dimensions. */
  readonly dimensions: readonly number[];
  readonly attributes?: readonly Netcdf3Attribute[];
  /** In the order of the array, the last dimension fastest. */
  readonly values: readonly number[];
}

export interface Netcdf3Content {
  readonly version: 1 | 2 | 5;
  /** The length of the dimension of length 0. */
  readonly records: number;
  /** Leaves the number of records open. */
  readonly isStream?: boolean;
  readonly dimensions: readonly { readonly name: string; readonly length: number }[];
  readonly attributes?: readonly Netcdf3Attribute[];
  readonly variables: readonly Netcdf3Variable[];
}

export function writeNetcdf3(content: Netcdf3Content): Uint8Array<ArrayBuffer> {
  const { version, records, dimensions, variables } = content;
  const isRecord = ({ dimensions: own }: Netcdf3Variable) => own.length > 0 && dimensions[own[0]].length === 0;
  const elementsOf = ({ dimensions: own }: Netcdf3Variable) =>
    own.reduce((product, d) => product * (dimensions[d].length || 1), 1);
  const padded = (bytes: number) => Math.ceil(bytes / 4) * 4;
  const isOnly = variables.filter(isRecord).length === 1;
  const bytesOf = (variable: Netcdf3Variable) => {
    const bytes = elementsOf(variable) * TYPES[variable.type];
    return isRecord(variable) && isOnly ? bytes : padded(bytes);
  };

  const headerLength = header(variables.map(() => 0)).length;
  const fixed = variables.filter((variable) => !isRecord(variable));
  const growing = variables.filter(isRecord);
  const begins = new Map<Netcdf3Variable, number>();
  let at = headerLength;
  for (const variable of [...fixed, ...growing]) {
    begins.set(variable, at);
    at += bytesOf(variable);
  }

  const out = header(variables.map((variable) => begins.get(variable) ?? 0));
  for (const variable of fixed) values(out, variable.type, variable.values);
  for (let record = 0; record < records; record++) {
    for (const variable of growing) {
      const length = elementsOf(variable);
      values(out, variable.type, variable.values.slice(record * length, (record + 1) * length), !isOnly);
    }
  }
  return Uint8Array.from(out);

  function header(places: readonly number[]): number[] {
    const bytes = [0x43, 0x44, 0x46, version];
    const count = (value: number) => integer(bytes, value, version === 5 ? 8 : 4);
    const name = (text: string) => {
      const characters = new TextEncoder().encode(text);
      count(characters.length);
      values(bytes, 'text', [...characters]);
    };
    const list = (tag: number, length: number) => {
      integer(bytes, length === 0 ? 0 : tag, 4);
      count(length);
    };
    const number = (type: Netcdf3Type) => integer(bytes, Object.keys(TYPES).indexOf(type) + 1, 4);
    const attributes = (all: readonly Netcdf3Attribute[] = []) => {
      list(12, all.length);
      for (const attribute of all) {
        const each =
          typeof attribute.values === 'string' ? [...new TextEncoder().encode(attribute.values)] : attribute.values;
        name(attribute.name);
        number(attribute.type);
        count(each.length);
        values(bytes, attribute.type, each);
      }
    };
    count(content.isStream ? -1 : records);
    list(10, dimensions.length);
    for (const dimension of dimensions) {
      name(dimension.name);
      count(dimension.length);
    }
    attributes(content.attributes);
    list(11, variables.length);
    for (const [v, variable] of variables.entries()) {
      name(variable.name);
      count(variable.dimensions.length);
      for (const d of variable.dimensions) count(d);
      attributes(variable.attributes);
      number(variable.type);
      count(bytesOf(variable));
      integer(bytes, places[v], version === 1 ? 4 : 8);
    }
    return bytes;
  }
}

function integer(bytes: number[], value: number, width: 4 | 8): void {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, BigInt(value));
  for (let i = 8 - width; i < 8; i++) bytes.push(view.getUint8(i));
}

function values(bytes: number[], type: Netcdf3Type, each: readonly number[], isPadded = true): void {
  const view = new DataView(new ArrayBuffer(8));
  for (const value of each) {
    if (type === 'float32') view.setFloat32(0, value);
    else if (type === 'float64') view.setFloat64(0, value);
    else view.setBigInt64(0, BigInt(value) << BigInt(64 - 8 * TYPES[type]));
    for (let i = 0; i < TYPES[type]; i++) bytes.push(view.getUint8(i));
  }
  while (isPadded && bytes.length % 4 !== 0) bytes.push(0);
}
