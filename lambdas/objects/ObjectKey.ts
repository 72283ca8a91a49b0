/**
 * A resource as Kubernetes' GroupResource prints: `pods`, `deployments.apps`, `leases.coordination.k8s.io`. It names what is stored,
 * whatever API version it is served in; both event APIs store `events`.
 */
export type GroupResource = string;

/** Where an object is stored. `namespace` is empty for cluster-scoped resources. */
export interface ObjectKey {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
}
