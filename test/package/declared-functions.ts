import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/*
 * The public functions as the declarations of the built package name them: of each door of package.json what it
 * exports, and the methods of what that makes. Which values a place takes is what its declared type says.
 */

const root = resolve(import.meta.dirname, '../..');
const { exports } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string }>;
};
const doors = Object.values(exports).flatMap((door) => (typeof door === 'string' ? [] : [resolve(root, door.types)]));
const program = ts.createProgram(doors, {
  ...{ strict: true, skipLibCheck: true, noEmit: true, types: ['node'] },
  ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext },
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
});
const OF_BOTH = ['statistics', 'memberWindows', 'blend'];
const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
const checker = program.getTypeChecker();

/** What may be given for a parameter, or for a property of an object: one of several types. */
export type Types = readonly ts.Type[];

/** A public function, or a method of what one gives. */
export interface DeclaredFunction {
  readonly name: string;
  /** For each parameter its name and its types, of all overloads. */
  readonly parameters: readonly { readonly name: string; readonly types: Types }[];
  readonly isAsync: boolean;
}

/** All public functions by name; methods as `Pool.statistics`. */
export const declaredFunctions: ReadonlyMap<string, DeclaredFunction> = (() => {
  const found = new Map<string, DeclaredFunction>();
  const made = new Set<ts.Type>();
  const seen = new Set<ts.Symbol>();
  const pending: ts.Type[] = [];
  const all = new Map<string, ts.Signature[]>();
  const take = (name: string, more: readonly ts.Signature[]) => {
    // Doors may have functions of one name, each for its own places.
    const signatures = [...(all.get(name) ?? []), ...more];
    all.set(name, signatures);
    const longest = [...signatures].sort((a, b) => b.parameters.length - a.parameters.length)[0];
    const parameters = longest.parameters.map(({ name: parameter }, i) => ({
      name: parameter.replace(/^__\d+$/, 'options'),
      types: signatures.flatMap(({ parameters: own }) => (own[i] === undefined ? [] : [typeOf(own[i])])),
    }));
    found.set(name, { name, parameters, isAsync: signatures.some((one) => isAsync(one.getReturnType())) });
    pending.push(...signatures.map((one) => one.getReturnType()));
  };
  for (const door of doors) {
    const file = program.getSourceFile(door);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${door} is not built`);
    const isOfArrays = door.endsWith('arrays.d.ts');
    for (const symbol of checker.getExportsOfModule(module)) {
      const { name } = symbol;
      if (symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration)) continue;
      const aliased = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (!(aliased.flags & ts.SymbolFlags.Value) || !isOwn(aliased)) continue;
      const type = checker.getTypeOfSymbol(aliased);
      const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()];
      // Some have the name of a function of tables.
      const own = isOfArrays && OF_BOTH.includes(name) ? `arrays.${name}` : name;
      if (signatures.length > 0 && !seen.has(aliased)) take(own, signatures);
      seen.add(aliased);
    }
  }
  while (pending.length > 0) {
    const next = pending.pop() as ts.Type;
    if (made.has(next)) continue;
    made.add(next);
    if (next.isUnionOrIntersection()) pending.push(...next.types);
    pending.push(...checker.getTypeArguments(next as ts.TypeReference));
    const symbol = next.aliasSymbol ?? next.symbol;
    if (symbol === undefined || !isOwn(symbol)) continue;
    for (const call of next.getCallSignatures()) pending.push(call.getReturnType());
    for (const property of next.getProperties()) {
      const { valueDeclaration: node } = property;
      const isHidden = node !== undefined && (ts.getCombinedModifierFlags(node) & HIDDEN) !== 0;
      if (!isOwn(property) || isHidden || property.name.startsWith('__')) continue;
      const type = checker.getNonNullableType(typeOf(property));
      const name = `${symbol.name}.${property.name}`;
      if (type.getCallSignatures().length > 0 && !symbol.name.startsWith('__')) take(name, type.getCallSignatures());
      else pending.push(type);
    }
  }
  return found;
})();

function isOwn(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((node) => node.getSourceFile().fileName.startsWith(`${root}/dist/types/`));
}

function typeOf(symbol: ts.Symbol): ts.Type {
  const type = checker.getTypeOfSymbol(symbol);
  const isOptional =
    symbol.flags & ts.SymbolFlags.Optional ||
    (symbol.valueDeclaration !== undefined &&
      ts.isParameter(symbol.valueDeclaration) &&
      checker.isOptionalParameter(symbol.valueDeclaration));
  return isOptional ? checker.getNullableType(type, ts.TypeFlags.Undefined) : type;
}

function isAsync(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isAsync);
  return /^(Promise|AsyncGenerator|AsyncIterable)/.test(type.symbol?.name ?? '');
}

/** The types of a property, or of an item, of values of these types. */
export function typesAt(types: Types, key: string | number): Types {
  return types.flatMap((type): Types => {
    if (type.isUnion()) return typesAt(type.types, key);
    if (typeof key === 'number') {
      const item = checker.isTupleType(type)
        ? checker.getTypeArguments(type as ts.TypeReference)[key]
        : checker.getIndexTypeOfType(type, ts.IndexKind.Number);
      return item === undefined ? [] : [item];
    }
    const property = checker.getPropertyOfType(type, key);
    if (property !== undefined) return [typeOf(property)];
    const value = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return value === undefined ? [] : [value];
  });
}

/** The names of all properties that objects of these types may have. */
export function namesIn(types: Types): readonly string[] {
  return types.flatMap((type) => {
    if (type.isUnion()) return namesIn(type.types);
    if (!isObject(type) || checker.isArrayLikeType(type) || type.getCallSignatures().length > 0) return [];
    return type.getProperties().flatMap((one) => (isOwn(one) && !one.name.startsWith('__') ? [one.name] : []));
  });
}

/** The types of a union that take a value; all of them where none does. */
export function membersTaking(type: ts.Type, value: unknown): Types {
  if (!type.isUnion()) return [type];
  const taking = type.types.filter((one) => accepts([one], value));
  return taking.length > 0 ? taking : type.types;
}

/** What only functions of the library make: messages say which. */
const MADE = new Set([
  'Climatology',
  'Core',
  'Pairing',
  'Variable',
  'WindowTable',
  'EnsembleField',
  'StatisticsColumns',
]);

export function isMade(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.filter(isObject).length > 0 && type.types.filter(isObject).every(isMade);
  return MADE.has((type.aliasSymbol ?? type.symbol)?.name);
}

/** Whether the compiler takes a value for one of the types. */
export function accepts(types: Types, value: unknown, depth = 4): boolean {
  try {
    return types.some((type) => isTaken(type, value, depth));
  } catch {
    return false; // Nothing can be read of it.
  }
}

function isObject(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}

const PRIMITIVES: readonly (readonly [flags: ts.TypeFlags, is: (value: unknown) => boolean])[] = [
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown, () => true],
  [ts.TypeFlags.StringLike, (value) => typeof value === 'string'],
  [ts.TypeFlags.NumberLike, (value) => typeof value === 'number'],
  [ts.TypeFlags.BigIntLike, (value) => typeof value === 'bigint'],
  [ts.TypeFlags.ESSymbolLike, (value) => typeof value === 'symbol'],
  [ts.TypeFlags.Undefined | ts.TypeFlags.Void, (value) => value === undefined],
  [ts.TypeFlags.Null, (value) => value === null],
];

function isTaken(type: ts.Type, value: unknown, depth: number): boolean {
  if (type.isUnion()) return type.types.some((one) => isTaken(one, value, depth));
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value === value;
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return typeof value === 'boolean' && String(value) === checker.typeToString(type);
  if (type.flags & ts.TypeFlags.Boolean) return typeof value === 'boolean';
  for (const [flags, is] of PRIMITIVES) if (type.flags & flags) return is(value);
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint === undefined || isTaken(constraint, value, depth);
  }
  if (type.isIntersection() && type.types.some((one) => !isObject(one)))
    return type.types.every((one) => isObject(one) || isTaken(one, value, depth));
  return isObjectTaken(type, value, depth);
}

function isObjectTaken(type: ts.Type, value: unknown, depth: number): boolean {
  if (value === null || value === undefined) return false;
  if (type.getCallSignatures().length > 0) return typeof value === 'function';
  if (type.flags & ts.TypeFlags.NonPrimitive && Object(value) !== value) return false;
  const { name: kind } = type.symbol ?? {};
  if (depth === 0 || classNames(value).includes(kind)) return Object(value) === value;
  if (kind === 'Table') return false;
  const properties = type.getProperties();
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    if (!Array.isArray(value)) return false;
    return value.every((item, i) => accepts(typesAt([type], i), item, depth - 1));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const required = properties.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional));
  // Where all is optional, something has to be in common; an empty object is taken.
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (index !== undefined) return isPlain && Object.values(fields).every((item) => accepts([index], item, depth - 1));
  if (properties.length > 0 && required.length === 0 && !isPlain && !properties.some(({ name }) => name in fields))
    return false;
  return properties.every((property) => {
    const name = property.name.replace(/^__@(\w+)@\d+$/, '$1');
    const key = name === property.name ? name : Symbol[name as 'iterator'];
    if (property.name.startsWith('__#')) return false; // A private field: only the class itself makes it.
    const inner: unknown = Object(value)[key];
    return accepts([typeOf(property)], inner, isPlain ? depth - 1 : 0);
  });
}

/** The names of the class of a value and of the classes above it, but for Object. */
function classNames(value: unknown): string[] {
  const names: string[] = [];
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    if (at !== Object.prototype) names.push(at.constructor?.name);
  }
  return names;
}
