/*
 * Bodies that are prepared for all points hold what one answer said. So each field of an answer, and of the query that
 * it is for, is declared here or beside its type; what is not declared, or depends on the point in another way than the
 * prepared text knows, is never prepared.
 */

/**
 * What a field is to prepared bodies: `constant`, the same at all points, `of-point`, written anew for each of them, or
 * `unprepared`: an answer that needs it is written in the usual way.
 */
type FieldRole = 'constant' | 'of-point' | 'unprepared';

/** The role of each field: the compiler names one that is missing. */
export type FieldRoles<Fields> = { readonly [Name in keyof Required<Fields>]: FieldRole };

/** Thrown where a writer needs a field that cannot be prepared. */
export const UNPREPARED: unique symbol = Symbol('unprepared');

/**
 * A copy whose constant fields are as they are, and fields of a point those of `ofPoint`; whoever reads another one
 * that is there gets UNPREPARED thrown.
 */
export function preparedFields<Fields extends object>(
  fields: Fields,
  roles: FieldRoles<Fields>,
  ofPoint: Partial<Fields>,
): Fields {
  const copy = { ...ofPoint };
  for (const [name, value] of Object.entries(fields)) {
    const role = roleOf(roles, name);
    if (role === 'of-point' && Object.hasOwn(ofPoint, name)) continue;
    const isKept = role === 'constant' || isAbsent(value);
    Object.defineProperty(copy, name, {
      enumerable: true,
      get() {
        if (!isKept) throw UNPREPARED;
        return value;
      },
    });
  }
  return copy as Fields;
}

/** Whether prepared bodies may have all fields that are there. */
export function arePrepared<Fields extends object>(fields: Fields, roles: FieldRoles<Fields>): boolean {
  return Object.entries(fields).every(([name, value]) => isAbsent(value) || roleOf(roles, name) !== 'unprepared');
}

function roleOf(roles: object, name: string): FieldRole {
  return Object.hasOwn(roles, name) ? (roles as Readonly<Record<string, FieldRole>>)[name] : 'unprepared';
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}
