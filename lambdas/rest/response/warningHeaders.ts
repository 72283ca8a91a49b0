/** The number of characters of all warnings together after which each of them is cut, as in apiserver. */
const MAX_TOTAL_LENGTH = 4 * 1024;
/** What is left of each warning then. */
const MAX_CUT_LENGTH = 256;

/**
 * The values of an answer's Warning headers: each text once, in order. If they are longer than 4,096 characters together, each is cut to 256, and those that still
 * do not fit are left out: clients refuse to read an answer whose headers are too long, also the answer of a write that was stored. Pure.
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '');
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= MAX_TOTAL_LENGTH) return texts.map(headerOf);
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= MAX_TOTAL_LENGTH) break;
    const cut = text.slice(0, MAX_CUT_LENGTH);
    written += cut.length;
    headers.push(headerOf(cut));
  }
  return headers;
}

/** A quoted-string of RFC 7234. Characters that a header cannot contain become spaces. */
function headerOf(text: string): string {
  return `299 - "${text.replace(/[^\x20-\x7e]/g, ' ').replace(/["\\]/g, '\\$&')}"`;
}
