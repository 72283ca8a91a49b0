/**
 * A resource as Kubernetes prints a GroupResource: `pods`, `deployments.apps`, `leases.coordination.k8s.io`. It names the stored resource, which
 * several API groups and versions may serve: both event APIs store `events`.
 */
export type GroupResource = string;

/** The key under which an object is stored. `namespace` is empty for cluster-scoped resources. */
export interface ObjectKey {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
}
