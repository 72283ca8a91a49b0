import type { ReadVersion } from '../../lambdas/ports/ChangeLog.ts';

/** Returns objects of the namespace `default`, each named after its version: `object-5`. */
export function objectVersions(...versions: readonly number[]): readonly ReadVersion[] {
  return versions.map((version) => ({ namespace: 'default', name: `object-${version}`, version }));
}
