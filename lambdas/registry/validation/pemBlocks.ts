interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
}

/** Returns the blocks of the PEM text whose base64 is given, in their order. What is around them is left out, as Go leaves it out. */
export function pemBlocks(base64: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let open: PemBlock | undefined;
  for (const line of Buffer.from(base64, 'base64').toString('latin1').split('\n')) {
    const text = line.trimEnd();
    const type = /^-----BEGIN ([^-]*)-----$/.exec(text)?.[1];
    if (type !== undefined) {
      open = { type, hasHeaders: false };
    } else if (open && text === `-----END ${open.type}-----`) {
      blocks.push(open);
      open = undefined;
    } else if (open && text.includes(':')) {
      open = { ...open, hasHeaders: true };
    }
  }
  return blocks;
}
