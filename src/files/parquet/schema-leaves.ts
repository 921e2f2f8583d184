import type { SchemaElement, SchemaTree } from 'hyparquet';

/** Deeper than schemas are, and than the stack of a recursive reader. */
const MAX_SCHEMA_DEPTH = 64;

/** A column of values in the file: one of the schema's leaves. */
export interface ParquetLeaf {
  /** Its index among the column chunks of each row group. */
  readonly index: number;
  /** The index of its column among the children of the schema's root. */
  readonly top: number;
  readonly element: SchemaElement;
  readonly path: readonly string[];
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** Throws a RangeError unless the elements are one tree, from its root on. */
export function assertTree(schema: readonly SchemaElement[]): void {
  const open: number[] = [1];
  for (const { name, num_children: children = 0, type } of schema) {
    while (open.at(-1) === 0) open.pop();
    if (open.length === 0) throw new RangeError('a schema of more than one tree');
    if (open.length > MAX_SCHEMA_DEPTH) throw new RangeError(`a schema more than ${MAX_SCHEMA_DEPTH} deep`);
    if (typeof name !== 'string') throw new RangeError('a schema element without a name');
    if (!Number.isInteger(children) || children < 0 || children > schema.length) {
      throw new RangeError(`a schema element with ${children} children among ${schema.length} elements`);
    }
    if ((type === undefined) === (children === 0)) throw new RangeError(`a schema element ${name} of no known type`);
    open[open.length - 1]--;
    open.push(children);
  }
  if (open.some((left) => left > 0))
    throw new RangeError(`a schema of ${schema.length} elements, some of which are missing`);
}

/** The leaves of a schema, in the order of the column chunks of each row group. */
export function listLeaves(tree: SchemaTree): ParquetLeaf[] {
  const leaves: ParquetLeaf[] = [];
  const visit = ({ element, children, path }: SchemaTree, top: number, definition: number, repetition: number) => {
    const maxDefinition = definition + (element.repetition_type === 'REQUIRED' ? 0 : 1);
    const maxRepetition = repetition + (element.repetition_type === 'REPEATED' ? 1 : 0);
    if (children.length === 0) leaves.push({ index: leaves.length, top, element, path, maxDefinition, maxRepetition });
    for (const child of children) visit(child, top, maxDefinition, maxRepetition);
  };
  for (const [top, child] of tree.children.entries()) visit(child, top, 0, 0);
  return leaves;
}
