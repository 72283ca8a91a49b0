import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import { shortHashOf } from './shortHashOf.ts';

/** Identifies the restore from which the stack has its tables, whatever the order in which the user names them; `undefined` if none was restored. */
export function restoreIdOf({ restoredTables }: Pick<DriftlessStackProps, 'restoredTables'>): string | undefined {
  const tables = Object.entries(restoredTables).sort(([a], [b]) => (a < b ? -1 : 1));
  return tables.length > 0 ? shortHashOf(tables) : undefined;
}
