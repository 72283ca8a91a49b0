const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

/** Reads a quoted text: its quotes, `r` and escapes. Returns `undefined` for an escape that CEL does not have. */
export function unquoteText(token: string): string | undefined {
  const { content, isRaw } = contentOf(token);
  if (isRaw) return content;
  const characters = unescape(content, (code) => String.fromCodePoint(code));
  return characters?.join('');
}

/** Reads quoted bytes, without their `b`: an escape such as `\xff` is one byte, everything else is UTF-8. */
export function unquoteBytes(token: string): Uint8Array | undefined {
  const { content, isRaw } = contentOf(token);
  if (isRaw) return new TextEncoder().encode(content);
  const parts = unescape(content, (code) => Uint8Array.of(code));
  if (parts === undefined) return undefined;
  return new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
}

function contentOf(token: string): { readonly content: string; readonly isRaw: boolean } {
  const isRaw = /^[rR]/.test(token);
  const quoted = isRaw ? token.slice(1) : token;
  const quoteLength = /^(?:"""|''')/.test(quoted) ? 3 : 1;
  return { content: quoted.slice(quoteLength, -quoteLength).replace(/\r\n?/g, '\n'), isRaw };
}

/** Splits a text into characters and escapes; `byteOf` makes what an escape of one byte stands for. */
function unescape<T>(content: string, byteOf: (code: number) => T): (string | T)[] | undefined {
  const result: (string | T)[] = [];
  const pattern =
    /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))|[^\\]+/gy;
  for (const [text, hex, hex2, unicode, unicode8, octal, simple] of content.matchAll(pattern)) {
    const byte = hex ?? hex2;
    const point = unicode ?? unicode8;
    if (byte !== undefined) result.push(byteOf(Number.parseInt(byte, 16)));
    else if (octal !== undefined) result.push(byteOf(Number.parseInt(octal, 8)));
    else if (point !== undefined) {
      const code = Number.parseInt(point, 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
      result.push(String.fromCodePoint(code));
    } else if (simple === undefined) result.push(text);
    else {
      const character = SIMPLE[simple];
      if (character === undefined) return undefined;
      result.push(character);
    }
  }
  return result;
}
