import { GROUP_PACKAGES } from '../kindSchema.ts';
import type { Schema } from '../schemaOf.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `apps.v1.Deployment` → `io.k8s.api.apps.v1.Deployment`, as Kubernetes names its components. */
export function componentName({ name }: Schema): string {
  return name.startsWith('meta.') ? `io.k8s.apimachinery.pkg.apis.${name}` : `io.k8s.api.${name}`;
}

export function listNameOf(kind: string): string {
  return `${kind}List`;
}

/** The kind that a type is, by its package; what every group shares counts as the core group's. */
export function gvkOf({ name, goName }: Schema): GroupVersionKind {
  const [packageName = '', version = ''] = name.split('.');
  const group = Object.entries(GROUP_PACKAGES).find(([, known]) => known === packageName)?.[0] ?? '';
  return { group, kind: goName, version };
}
