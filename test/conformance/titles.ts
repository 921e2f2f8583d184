import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A test, as its file says it. */
export interface Title {
  readonly file: string;
  /** The text of `describe` around it. */
  readonly section: string;
  readonly title: string;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The titles of all conformance tests, read from the text of their files. */
export function titles(): Title[] {
  const files = readdirSync(FOLDER).filter((file) => /^(?:section|decisions)-.*\.test\.ts$/.test(file));
  return files.flatMap(titlesIn);
}

function titlesIn(file: string): Title[] {
  const source = ts.createSourceFile(file, readFileSync(FOLDER + file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Title[] = [];
  const visit = (node: ts.Node, section: string): void => {
    const text = ts.isCallExpression(node) ? textOf(node.arguments[0]) : undefined;
    const name = ts.isCallExpression(node) ? nameOf(node.expression) : undefined;
    if (name === 'it' && text !== undefined) found.push({ file, section, title: text });
    const inside = name === 'describe' && text !== undefined ? text : section;
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, '');
  return found;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** `it` for `it(...)` and for `it.each(...)(...)`. */
function nameOf(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return nameOf(node.expression.expression);
  }
  return undefined;
}
