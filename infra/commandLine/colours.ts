/** Where text is written to. Only a terminal knows of colours. */
export interface ColourStream {
  readonly isTTY?: boolean;
  /** Node's own rule: what the terminal can do, unless `NO_COLOR`, `FORCE_COLOR` or `TERM=dumb` say otherwise. */
  hasColors?(): boolean;
}

/** Marks text for a terminal. Each function returns its text as it is where colours do not belong. */
export interface Colours {
  readonly bold: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly red: (text: string) => string;
}

const ESCAPE = '\u001B[';

/** Returns the colours of a stream: none for a pipe or a file, nor with `NO_COLOR`. */
export function coloursOf(stream: ColourStream): Colours {
  const hasColours = stream.isTTY === true && stream.hasColors?.() === true;
  const mark = (on: number, off: number) => (text: string) =>
    hasColours ? `${ESCAPE}${on}m${text}${ESCAPE}${off}m` : text;
  return { bold: mark(1, 22), cyan: mark(36, 39), red: mark(31, 39) };
}
