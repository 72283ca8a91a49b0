import { createHash } from 'node:crypto';

/** Returns 16 hexadecimal digits that stand for these inputs. */
export function shortHashOf(inputs: unknown): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
}
