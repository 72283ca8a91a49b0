import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { WriterStore } from './AuditedStore.ts';

const USER = { by: 'client' };
/** On what was created in place of something else. */
export const REPLACED = 'simulation/replaced';

/** What a user changes in the new object. */
type Change = (object: KubernetesObject) => KubernetesObject;

/** As `kubectl replace --force` does: deletes an object whatever holds it, and creates it anew under its name, with a UID of its own. `number` makes the UID. */
export async function replaceByForce(
  store: Pick<WriterStore, 'create' | 'replace' | 'remove'>,
  resource: GroupResource,
  object: KubernetesObject,
  { number, change }: { readonly number: number; readonly change: Change },
): Promise<void> {
  const { namespace = '', name, uid } = object.metadata;
  const { finalizers, ...metadata } = object.metadata;
  if (finalizers) await store.replace(USER, resource, { ...object, metadata });
  await store.remove(USER, { resource, namespace, name }, { uid });
  const created = withUid(change(object), uid, number);
  const { resourceVersion: _, deletionTimestamp: __, ...fresh } = created.metadata;
  await store.create(USER, resource, { ...created, metadata: fresh });
}

/** Also in labels and selectors: those of a Job name its UID. */
function withUid(object: KubernetesObject, uid: string, number: number): KubernetesObject {
  const other = `${number.toString(16).padStart(8, '0')}${uid.slice(8)}`;
  return JSON.parse(JSON.stringify(object).replaceAll(uid, other)) as KubernetesObject;
}
