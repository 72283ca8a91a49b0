/**
 * Fields that Kubernetes' objects always have, since their Go type is a struct that is not a pointer, or a list that is never omitted and whose items are owned
 * one by one. Creating an object does not create them, so nobody owns that they are there. Every kind's `metadata`, `spec` and `status` are such fields too.
 */
export const presentFields: Readonly<Record<string, string>> = {
  'apps.v1.DeploymentSpec': 'strategy template',
  'apps.v1beta2.DeploymentSpec': 'strategy template',
  'apps.v1beta1.DeploymentSpec': 'strategy template',
  'extensions.v1beta1.DeploymentSpec': 'strategy template',
  'apps.v1.ReplicaSetSpec': 'template',
  'apps.v1beta2.ReplicaSetSpec': 'template',
  'extensions.v1beta1.ReplicaSetSpec': 'template',
  'apps.v1.StatefulSetSpec': 'template updateStrategy',
  'apps.v1.DaemonSetSpec': 'template updateStrategy',
  'batch.v1.JobSpec': 'template',
  'batch.v1.CronJobSpec': 'jobTemplate',
  'batch.v1.JobTemplateSpec': 'metadata spec',
  'autoscaling.v1.HorizontalPodAutoscalerSpec': 'scaleTargetRef',
  'autoscaling.v2.HorizontalPodAutoscalerSpec': 'scaleTargetRef',
  'core.v1.PodTemplate': 'template',
  'core.v1.PodTemplateSpec': 'metadata spec',
  'core.v1.PodSpec': 'containers',
  'core.v1.ServiceStatus': 'loadBalancer',
  'core.v1.NodeStatus': 'daemonEndpoints nodeInfo',
  'core.v1.NodeDaemonEndpoints': 'kubeletEndpoint',
  'core.v1.Event': 'involvedObject source',
  'events.v1.Event': 'regarding deprecatedSource',
  'core.v1.PersistentVolumeClaimSpec': 'resources',
  'core.v1.PersistentVolumeClaimTemplate': 'metadata spec',
  'networking.v1.IngressStatus': 'loadBalancer',
  'rbac.v1.RoleBinding': 'roleRef',
  'rbac.v1.ClusterRoleBinding': 'roleRef',
};
