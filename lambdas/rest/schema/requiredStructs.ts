/**
 * Fields that every stored object has, since no version of validation lets one in without them, and that our code takes for granted: a stored object that lacks one is unreadable. In Kubernetes they are structs or lists that a pointer or
 * an omission cannot take away. A dot leads into a struct.
 */
export const requiredStructs: Readonly<Record<string, readonly string[]>> = {
  'apiextensions.v1.CustomResourceDefinition': ['spec'],
  'apiextensions.v1.CustomResourceDefinitionSpec': ['names', 'versions'],
  'apps.v1.DaemonSetSpec': ['selector', 'template'],
  'apps.v1.DeploymentSpec': ['selector', 'template'],
  'apps.v1.ReplicaSetSpec': ['selector'],
  'apps.v1.StatefulSetSpec': ['selector', 'template'],
  'autoscaling.v2.HorizontalPodAutoscalerSpec': ['scaleTargetRef'],
  'batch.v1.CronJobSpec': ['jobTemplate'],
  // A CronJob's template of Jobs has no selector.
  'batch.v1.Job': ['spec.selector'],
  'batch.v1.JobSpec': ['template'],
  'batch.v1.JobTemplateSpec': ['spec'],
  'certificates.v1.CertificateSigningRequest': ['spec'],
  'core.v1.PodSpec': ['containers'],
  'flowcontrol.v1.FlowSchemaSpec': ['priorityLevelConfiguration'],
  'networking.v1.IPAddressSpec': ['parentRef'],
  'rbac.v1.ClusterRoleBinding': ['roleRef'],
  'rbac.v1.RoleBinding': ['roleRef'],
  'storage.v1.CSIDriver': ['spec'],
  'storage.v1.CSINode': ['spec'],
  'storage.v1.VolumeAttachment': ['spec'],
  'storage.v1.VolumeAttachmentSpec': ['source'],
};
