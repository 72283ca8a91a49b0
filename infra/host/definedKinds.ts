import { isDefinition } from './whenEstablished.ts';

/** A kind that a CustomResourceDefinition among some objects defines. */
export interface DefinedKind {
  /** `widgets.example.com` */
  readonly groupResource: string;
  readonly group: string;
  readonly kind: string;
  readonly servedVersions: readonly string[];
  readonly storageVersion: string;
}

interface Spec {
  readonly group?: string;
  readonly names?: { readonly kind?: string };
  readonly versions?: readonly { readonly name: string; readonly served?: boolean; readonly storage?: boolean }[];
}

type AnyObject = { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } };

/** Returns the kinds that definitions among the objects define. Pure. */
export function definedKinds(objects: readonly AnyObject[]): DefinedKind[] {
  return objects.filter(isDefinition).map((definition) => {
    const { group = '', names, versions = [] } = ((definition as { spec?: Spec }).spec ?? {}) satisfies Spec;
    return {
      groupResource: definition.metadata.name,
      group,
      kind: names?.kind ?? '',
      servedVersions: versions.filter(({ served }) => served === true).map(({ name }) => name),
      storageVersion: versions.find(({ storage }) => storage === true)?.name ?? '',
    };
  });
}
