import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Registry } from '../../registry/Registry.ts';
import { DEFAULT_FLOWS, DEFAULT_LEVELS } from './defaultFlowControl.ts';
import { FLOW_SCHEMAS, FLOWCONTROL_VERSION, PRIORITY_LEVELS } from './FlowControlConfiguration.ts';

/** Whether Kubernetes keeps the spec as it was made; `false` for an object whose spec is the user's. */
const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

/** Creates the schemas and levels of every cluster that are missing, and gives those that are not the user's their spec again. A resource that is not served is left out. */
export async function ensureFlowControl(registry: Registry, served: readonly GroupResource[]): Promise<void> {
  if (!served.includes(FLOW_SCHEMAS) || !served.includes(PRIORITY_LEVELS)) return;
  // A schema refers to a level that exists.
  await ensureAll(registry, PRIORITY_LEVELS, 'PriorityLevelConfiguration', DEFAULT_LEVELS);
  await ensureAll(registry, FLOW_SCHEMAS, 'FlowSchema', DEFAULT_FLOWS);
}

async function ensureAll(
  registry: Registry,
  resource: GroupResource,
  kind: string,
  specs: Readonly<Record<string, object>>,
): Promise<void> {
  const { items } = await registry.list(resource);
  const stored = new Map(items.map((object) => [object.metadata.name, object]));
  await Promise.all(
    Object.entries(specs).map(async ([name, spec]) => {
      const metadata = { name, annotations: { [AUTO_UPDATE]: 'true' } };
      const wanted: NewObject = { apiVersion: FLOWCONTROL_VERSION, kind, metadata, spec };
      await ensure(registry, resource, stored.get(name), wanted);
    }),
  );
}

/** Another instance that starts at the same time may have written the object first. */
const HARMLESS = ['AlreadyExists', 'Conflict', 'NotFound'];

async function ensure(
  registry: Registry,
  resource: GroupResource,
  stored: KubernetesObject | undefined,
  wanted: NewObject,
): Promise<void> {
  const outcome = stored
    ? await restore(registry, resource, stored, wanted)
    : await registry.create(resource, wanted, { request: 'admitted' });
  if (outcome?.status === 'refused' && !HARMLESS.includes(outcome.error.reason)) throw outcome.error;
}

async function restore(registry: Registry, resource: GroupResource, stored: KubernetesObject, wanted: NewObject) {
  if (stored.metadata.annotations?.[AUTO_UPDATE] !== 'true' || isAsWanted(stored['spec'], wanted['spec'])) return;
  const restored = { ...stored, spec: wanted['spec'] };
  return await registry.update(resource, restored, { from: stored, request: 'admitted' });
}

/** The stored spec also has the defaults of fields that are not wanted. */
function isAsWanted(stored: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return jsonEqual(stored, wanted);
  const fields = (stored ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(wanted).every(([field, value]) => isAsWanted(fields[field], value));
}
