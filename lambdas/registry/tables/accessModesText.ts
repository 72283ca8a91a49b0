/** The short forms of access modes, in the order in which kubectl prints them. */
const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Prints access modes as kubectl does: `RWO,ROX`. */
export function accessModesText(modes: readonly string[] = []): string {
  return Object.entries(SHORT)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
