/**
 * The minor release of Kubernetes 1 since which a server keeps a field, by the type that has it: `field:minor`. It is the release in which the field's feature is on by default; before that a server drops
 * what clients send. A field whose feature is off in all releases counts from the release that declared it. Fields that are older than 1.29 are not here. Facts of `kube_features.go` and of the API's types.
 */
export const fieldReleases: Readonly<Record<string, string>> = {
  'apiextensions.v1.CustomResourceDefinitionVersion': 'selectableFields:31',
  'apiextensions.v1.ValidationRule': 'optionalOldSelf:30',
  'apps.v1.DeploymentStatus': 'terminatingReplicas:35',
  'apps.v1.ReplicaSetStatus': 'terminatingReplicas:35',
  'apps.v1.RollingUpdateStatefulSetStrategy': 'maxUnavailable:35',
  'authorization.v1.ResourceAttributes': 'fieldSelector:32 labelSelector:32',
  'autoscaling.v2.HPAScalingRules': 'tolerance:35',
  'batch.v1.JobSpec': 'successPolicy:31 managedBy:32',
  'coordination.v1.LeaseSpec': 'strategy:31 preferredHolder:31',
  'core.v1.Container': 'resizePolicy:33',
  'core.v1.ContainerStatus':
    'allocatedResources:33 resources:33 volumeMounts:31 user:33 allocatedResourcesStatus:31 stopSignal:33',
  'core.v1.EphemeralContainer': 'resizePolicy:33',
  'core.v1.Lifecycle': 'stopSignal:33',
  'core.v1.LifecycleHandler': 'sleep:30',
  'core.v1.LoadBalancerIngress': 'ipMode:30',
  'core.v1.NodeRuntimeHandlerFeatures': 'userNamespaces:31',
  'core.v1.NodeStatus': 'runtimeHandlers:31 features:33',
  'core.v1.NodeSystemInfo': 'swap:33',
  'core.v1.PersistentVolumeClaimSpec': 'volumeAttributesClassName:34',
  'core.v1.PersistentVolumeClaimStatus':
    'allocatedResources:32 allocatedResourceStatuses:32 currentVolumeAttributesClassName:34 modifyVolumeStatus:34',
  'core.v1.PersistentVolumeSpec': 'volumeAttributesClassName:34',
  'core.v1.PodAffinityTerm': 'matchLabelKeys:31 mismatchLabelKeys:31',
  'core.v1.PodCondition': 'observedGeneration:34',
  'core.v1.PodSecurityContext': 'appArmorProfile:30 supplementalGroupsPolicy:33 seLinuxChangePolicy:33',
  'core.v1.PodSpec': 'hostUsers:33 resourceClaims:34 resources:34',
  'core.v1.PodStatus': 'observedGeneration:34 resize:33 resourceClaimStatuses:34',
  'core.v1.ResourceRequirements': 'claims:34',
  'core.v1.SecurityContext': 'appArmorProfile:30 procMount:33',
  'core.v1.ServiceSpec': 'trafficDistribution:31',
  'core.v1.Volume': 'image:35',
  'core.v1.VolumeMount': 'recursiveReadOnly:31',
  'discovery.v1.EndpointHints': 'forNodes:34',
  'meta.v1.DeleteOptions': 'ignoreStoreReadErrorWithClusterBreakingPotential:32',
  'storage.v1.CSIDriverSpec': 'nodeAllocatableUpdatePeriodSeconds:35',
  'storage.v1.VolumeError': 'errorCode:35',
};
