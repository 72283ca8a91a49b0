/** Exceptions to the rule for lists in server-side apply, which merges by the merge key if there is one, and otherwise replaces the whole list (`atomic`). */
export const listTypes: Readonly<Record<string, string>> = {
  'meta.v1.ObjectMeta.finalizers': 'set',
  'core.v1.NodeSpec.podCIDRs': 'set',
  'core.v1.PodStatus.hostIPs': 'atomic',
  'core.v1.Container.ports': 'map containerPort protocol',
  'core.v1.EphemeralContainerCommon.ports': 'map containerPort protocol',
  'core.v1.PodSpec.topologySpreadConstraints': 'map topologyKey whenUnsatisfiable',
  'core.v1.ResourceRequirements.claims': 'map name',
  'core.v1.ResourceStatus.resources': 'map resourceID',
  'core.v1.ServiceSpec.ports': 'map port protocol',
};

/** Structs, and fields that are maps, which server-side apply replaces as a whole. */
export const atomicMaps: ReadonlySet<string> = new Set([
  'meta.v1.LabelSelector',
  'meta.v1.OwnerReference',
  'core.v1.ConfigMapKeySelector',
  'core.v1.EndpointAddress',
  'core.v1.EndpointPort',
  'core.v1.LocalObjectReference',
  'core.v1.NodeSelector',
  'core.v1.NodeSelectorTerm',
  'core.v1.ObjectFieldSelector',
  'core.v1.ObjectReference',
  'core.v1.ResourceFieldSelector',
  'core.v1.ScopeSelector',
  'core.v1.SecretKeySelector',
  'core.v1.SecretReference',
  'core.v1.TypedLocalObjectReference',
  'core.v1.PodSpec.nodeSelector',
  'core.v1.ReplicationControllerSpec.selector',
  'core.v1.ServiceSpec.selector',
  'rbac.v1.RoleRef',
  'rbac.v1.Subject',
]);
