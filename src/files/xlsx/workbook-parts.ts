/*
 * The parts of a workbook around its sheets, as ECMA-376 has them (Office Open XML, part 1: SpreadsheetML; part 2: packages).
 */

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OPEN_XML = 'http://schemas.openxmlformats.org';
const MAIN = `${OPEN_XML}/spreadsheetml/2006/main`;
const DOCUMENT = `${OPEN_XML}/officeDocument/2006/relationships`;
const PACKAGE = `${OPEN_XML}/package/2006`;
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** How numbers are shown; the position of one is its style's. */
const FORMATS = [
  'General',
  'yyyy\\-mm\\-dd',
  'yyyy\\-mm\\-dd\\ hh:mm',
  '0.0%',
  '0',
  '0.0',
  '0.00',
  '0.000',
  '0.0000',
] as const;

/** The number of the style of a cell, as `styles` lists them. */
export const STYLES = { general: 0, date: 1, time: 2, share: 3, bold: FORMATS.length } as const;

/** The style of numbers with so many decimals, at most 4. */
export function decimalsStyle(decimals: number): number {
  return FORMATS.indexOf('0') + Math.min(decimals, 4);
}

/** The paths in the package, and the content, of what stands beside the sheets. */
export function workbookParts(sheetNames: readonly string[]): [path: string, xml: string][] {
  const sheets = sheetNames.map((name, index) => ({ name: escapeXml(name), id: index + 1 }));
  const styles = sheets.length + 1;
  const parts = [
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
    ...sheets.map(({ id }) => `<Override PartName="/${sheetPath(id)}" ContentType="${TYPE}.worksheet+xml"/>`),
  ];
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    ...parts,
  ];
  const entries = sheets.map(({ name, id }) => `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`);
  return [
    ['[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types">${types.join('')}</Types>`],
    ['_rels/.rels', relationships([[1, 'officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${entries.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...sheets.map(({ id }): Relationship => [id, 'worksheet', sheetPath(id).slice('xl/'.length)]),
        [styles, 'styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', styleSheet()],
  ].map(([path, xml]) => [path, HEAD + xml]);
}

/** The path of a sheet, counted from 1. */
export function sheetPath(id: number): string {
  return `xl/worksheets/sheet${id}.xml`;
}

/** What comes before the rows of a sheet: the first row stays in sight, and columns are as wide as stated, in characters. */
export function sheetHead(widths: readonly number[]): string {
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  const view =
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
}

export const SHEET_END = '</sheetData></worksheet>';

type Relationship = [id: number, type: string, target: string];

function relationships(all: readonly Relationship[]): string {
  const entries = all.map(
    ([id, type, target]) => `<Relationship Id="rId${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

/** Numbers of formats of one's own begin at 164. */
const OWN_FORMATS = 164;

function styleSheet(): string {
  const formats = FORMATS.map((code, i) => `<numFmt numFmtId="${OWN_FORMATS + i}" formatCode="${escapeXml(code)}"/>`);
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  const style = (format: number, rest: string) =>
    `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0"${rest}/>`;
  const cells = [
    style(0, ''),
    ...FORMATS.slice(1).map((_, i) => style(OWN_FORMATS + i + 1, ' applyNumberFormat="1"')),
    style(0, ' applyFont="1"').replace('fontId="0"', 'fontId="1"'),
  ];
  return [
    `<styleSheet xmlns="${MAIN}">`,
    `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them; SpreadsheetML writes them as _x0001_.
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text within XML; characters that XML cannot hold as SpreadsheetML writes them. */
export function escapeXml(text: string): string {
  return text
    .replace(CONTROLS, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>"]/g, (character) => SPECIAL[character]);
}

/** The sheet for the metadata of the table. */
export const ABOUT = 'about';

const MAX_NAME = 31;

/** A name for a sheet that none of `taken` has, whatever its case: at most 31 characters, without those that Excel forbids. */
export function sheetName(wanted: string, taken: readonly string[]): string {
  const plain = wanted.replace(/[[\]:*?/\\]/g, '_').replace(/^'+|'+$/g, '') || 'sheet';
  // Excel keeps this one for itself.
  const allowed = /^history$/i.test(plain) ? `${plain}_` : plain;
  const isTaken = (name: string) => taken.some((other) => other.toLowerCase() === name.toLowerCase());
  for (let k = 1; ; k++) {
    const end = k === 1 ? '' : ` (${k})`;
    const name = allowed.slice(0, MAX_NAME - end.length) + end;
    if (!isTaken(name)) return name;
  }
}
