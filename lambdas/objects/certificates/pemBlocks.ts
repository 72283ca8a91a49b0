interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly content: Buffer;
}

/** Returns the blocks of the PEM text whose base64 is given, in their order. What is around them is left out, as Go leaves it out. */
export function pemBlocks(base64: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let open: { type: string; hasHeaders: boolean; lines: string[] } | undefined;
  for (const line of Buffer.from(base64, 'base64').toString('latin1').split('\n')) {
    const text = line.trimEnd();
    const type = /^-----BEGIN ([^-]*)-----$/.exec(text)?.[1];
    if (type !== undefined) {
      open = { type, hasHeaders: false, lines: [] };
    } else if (open && text === `-----END ${open.type}-----`) {
      const { lines, ...block } = open;
      blocks.push({ ...block, content: Buffer.from(lines.join(''), 'base64') });
      open = undefined;
    } else if (open && text.includes(':')) {
      open.hasHeaders = true;
    } else if (open) {
      open.lines.push(text);
    }
  }
  return blocks;
}
