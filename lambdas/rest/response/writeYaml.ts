import { stringify } from 'yaml';

/** Writes a value as YAML, its members in alphabetical order, as Kubernetes does. Loaded on demand: most clients ask for JSON. */
export function writeYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, sortMapEntries: true });
}
