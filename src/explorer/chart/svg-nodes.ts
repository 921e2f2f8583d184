import { type ChartLayers, LAYERS } from './layers.js';

const SVG = 'http://www.w3.org/2000/svg';
const parser = new DOMParser();

/** Parses markup as XML, in which nothing runs, and gives its nodes to this page. */
function svgNodes(markup: string): Node[] {
  const { documentElement } = parser.parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, 'image/svg+xml');
  if (documentElement.querySelector('parsererror') !== null) throw new Error('The drawing is not SVG.');
  return Array.from(documentElement.childNodes, (node) => document.importNode(node, true));
}

/** Tags, attributes and texts as `element` of the plots writes them: values have no quotation marks. */
const PART = /<(\w+)| ([\w-]+)="([^"]*)"|>([^<]+)(?=<)/g;

/** A part of markup: a tag has no value, a text has no name. */
interface Part {
  readonly name?: string;
  readonly value?: string;
}

/**
 * An element whose content is markup. Where only values of attributes and texts change, such as the points of lines,
 * these are set in the nodes that are there: to parse takes several times as long.
 */
export class MarkupNode {
  readonly node: SVGElement;
  #markup = '';
  #frame = '';
  #parts: readonly Part[] = [];

  constructor(node: SVGElement = document.createElementNS(SVG, 'g')) {
    this.node = node;
  }

  /** Shows markup; what has not changed is left alone. */
  show(markup: string): void {
    if (markup === this.#markup) return;
    const parts: Part[] = [];
    const frame = markup.replace(PART, (_, tag?: string, name?: string, value?: string, text?: string) => {
      parts.push(tag === undefined ? { name, value: value ?? text } : {});
      return tag === undefined ? ` ${name ?? '>'}` : `<${tag}`;
    });
    if (frame === this.#frame && !markup.includes('&')) this.#change(parts);
    else this.node.replaceChildren(...svgNodes(markup));
    this.#markup = markup;
    this.#frame = frame;
    this.#parts = parts;
  }

  /** Sets the attributes and texts that differ: nodes are in the order of the markup. */
  #change(parts: readonly Part[]): void {
    const nodes = document.createTreeWalker(this.node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    parts.forEach(({ name, value }, i) => {
      if (name === undefined) nodes.nextNode();
      if (value === undefined || value === this.#parts[i].value) return;
      if (name === undefined) nodes.currentNode.nodeValue = value;
      else (nodes.currentNode as Element).setAttribute(name, value);
    });
  }
}

/** The layers of a chart in the page. */
export class LayerNodes {
  readonly root = document.createElementNS(SVG, 'g');
  readonly #layers = LAYERS.map((name) => ({ name, content: new MarkupNode() }));

  constructor() {
    this.root.append(...this.#layers.map(({ content }) => content.node));
  }

  /** Shows layers; those that have not changed are left alone. */
  show(markup: ChartLayers['markup']): void {
    for (const { name, content } of this.#layers) content.show(markup[name]);
  }
}
