import { extname } from 'node:path';
import { OptionError } from '../errors.js';
import { STANDARD } from '../input/input-file.js';

/** The forms of pictures. */
export type PictureForm = 'svg' | 'png';

/** The form of a picture, among those that a command has. */
export interface PictureRequest<Form extends string> {
  /** The value of `--format`. */
  readonly format: string | undefined;
  /** Path of the file, or - for standard output. */
  readonly out: string;
  readonly forms: readonly Form[];
  /** The form for standard output. */
  readonly usual: Form;
}

/**
 * The form of a picture: the requested one, or as the output's ending says. Throws OptionError for others, and for PNG on a
 * terminal.
 */
export function pictureForm<Form extends string>({ format, out, forms, usual }: PictureRequest<Form>): Form {
  const ending = extname(out).slice(1).toLowerCase();
  const name = ending === 'txt' ? 'text' : ending;
  const form = format === undefined && out === STANDARD ? usual : forms.find((each) => each === (format ?? name));
  if (form === undefined) {
    const endings = forms.map((each) => (each === 'text' ? '.txt' : `.${each}`));
    const allowed = `${endings.join(', ')}; or --format ${forms.join(', ')}`;
    if (format !== undefined)
      throw new OptionError({ subject: '--format', problem: 'is no form of pictures', received: format, allowed });
    const problem = ending === '' ? 'has no ending that selects the form' : `has the unknown ending .${ending}`;
    throw new OptionError({ subject: out, problem, allowed });
  }
  if (form === 'png' && out === STANDARD && process.stdout.isTTY) {
    const problem = 'png is not for a terminal';
    throw new OptionError({ subject: 'output', problem, allowed: '--out PATH, or a pipe' });
  }
  return form;
}

/** The colours of a picture: the pixels of PNG have one theme. */
export function pictureTheme<Theme extends string>(
  form: string,
  theme: Theme | undefined,
): Theme | 'light' | undefined {
  return form === 'png' ? (theme === 'dark' ? theme : 'light') : theme;
}

/** The bytes of a picture. */
export async function pictureBytes(svg: string, form: PictureForm, out: string): Promise<Uint8Array> {
  if (form === 'svg') return new TextEncoder().encode(svg);
  const { renderPng } = await import('./render-png.js');
  return renderPng(svg, { subject: out === STANDARD ? 'output' : out });
}
