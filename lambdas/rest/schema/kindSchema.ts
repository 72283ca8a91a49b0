import type { KubernetesRelease } from '../../objects/KubernetesRelease.ts';
import { schemaIn } from './schemaIn.ts';
import { hasSchema, type Schema, schemaOf } from './schemaOf.ts';

/** The Go package of each served API group. */
export const GROUP_PACKAGES: Readonly<Record<string, string>> = {
  '': 'core',
  apps: 'apps',
  batch: 'batch',
  'admissionregistration.k8s.io': 'admissionregistration',
  'authentication.k8s.io': 'authentication',
  'authorization.k8s.io': 'authorization',
  'apiextensions.k8s.io': 'apiextensions',
  'apiregistration.k8s.io': 'apiregistration',
  autoscaling: 'autoscaling',
  'certificates.k8s.io': 'certificates',
  'coordination.k8s.io': 'coordination',
  'discovery.k8s.io': 'discovery',
  'events.k8s.io': 'events',
  'flowcontrol.apiserver.k8s.io': 'flowcontrol',
  'metrics.k8s.io': 'metrics',
  'networking.k8s.io': 'networking',
  'node.k8s.io': 'node',
  policy: 'policy',
  'rbac.authorization.k8s.io': 'rbac',
  'resource.k8s.io': 'resource',
  'scheduling.k8s.io': 'scheduling',
  'storage.k8s.io': 'storage',
};

/** Kinds that exist in every API group. */
const META_KINDS = new Set(['DeleteOptions', 'Status']);

/** Types that are sent or answered as objects although they have no object metadata. */
const KINDS_WITHOUT_METADATA = new Set(['meta.v1.DeleteOptions']);

/** `apps/v1` → `apps`, `v1`; the core group is `''`. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

/**
 * The schema of a kind that clients send or receive, such as `apps/v1`, `Deployment`, with the fields that the release has; absent: the newest. `undefined` for a kind that no release serves.
 */
export function kindSchema(apiVersion: string, kind: string, release?: KubernetesRelease): Schema | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  if (!Object.hasOwn(GROUP_PACKAGES, group)) return undefined;
  const name = META_KINDS.has(kind) ? `meta.v1.${kind}` : `${GROUP_PACKAGES[group]}.${version}.${kind}`;
  if (!hasSchema(name)) return undefined;
  const schema = schemaOf(name);
  return isKind(schema) ? schemaIn(release, schema) : undefined;
}

/** The schema of a kind that is served. Throws an Error for one that is not. */
export function requireKindSchema({ apiVersion, kind, release }: KindInRelease): Schema {
  const schema = kindSchema(apiVersion, kind, release);
  if (schema === undefined) throw new Error(`no schema for ${kind} in ${apiVersion}`);
  return schema;
}

interface KindInRelease {
  readonly apiVersion: string;
  readonly kind: string;
  readonly release?: KubernetesRelease | undefined;
}

/** True for types that carry apiVersion and kind. */
export function isKind(schema: Schema): boolean {
  const metadata = schema.fields.get('metadata')?.of;
  // Templates have object metadata too, but they are not objects.
  if (schema.goName === 'PersistentVolumeClaimTemplate' || schema.goName.endsWith('TemplateSpec')) return false;
  return (
    (typeof metadata === 'object' && metadata.name.startsWith('meta.v1.')) || KINDS_WITHOUT_METADATA.has(schema.name)
  );
}
