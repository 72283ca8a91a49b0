import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.js';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.js';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type {
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from 'kubernetes-types/core/v1.js';
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';
import type { FlowSchema, PriorityLevelConfiguration } from 'kubernetes-types/flowcontrol/v1.js';
import type { Ingress, IngressClass, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { RuntimeClass } from 'kubernetes-types/node/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'kubernetes-types/rbac/v1.js';
import type { PriorityClass } from 'kubernetes-types/scheduling/v1.js';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from 'kubernetes-types/storage/v1.js';

/** The kinds whose types are known, by apiVersion and kind. Objects of other kinds, and custom ones, have only their metadata typed. */
export interface ServedKinds {
  v1: {
    ConfigMap: ConfigMap;
    Endpoints: Endpoints;
    Event: Event;
    LimitRange: LimitRange;
    Namespace: Namespace;
    Node: Node;
    PersistentVolume: PersistentVolume;
    PersistentVolumeClaim: PersistentVolumeClaim;
    Pod: Pod;
    PodTemplate: PodTemplate;
    ReplicationController: ReplicationController;
    ResourceQuota: ResourceQuota;
    Secret: Secret;
    Service: Service;
    ServiceAccount: ServiceAccount;
  };
  'admissionregistration.k8s.io/v1': {
    MutatingWebhookConfiguration: MutatingWebhookConfiguration;
    ValidatingAdmissionPolicy: ValidatingAdmissionPolicy;
    ValidatingAdmissionPolicyBinding: ValidatingAdmissionPolicyBinding;
    ValidatingWebhookConfiguration: ValidatingWebhookConfiguration;
  };
  'apiextensions.k8s.io/v1': { CustomResourceDefinition: CustomResourceDefinition };
  'apps/v1': {
    ControllerRevision: ControllerRevision;
    DaemonSet: DaemonSet;
    Deployment: Deployment;
    ReplicaSet: ReplicaSet;
    StatefulSet: StatefulSet;
  };
  'autoscaling/v2': { HorizontalPodAutoscaler: HorizontalPodAutoscaler };
  'batch/v1': { CronJob: CronJob; Job: Job };
  'certificates.k8s.io/v1': { CertificateSigningRequest: CertificateSigningRequest };
  'coordination.k8s.io/v1': { Lease: Lease };
  'discovery.k8s.io/v1': { EndpointSlice: EndpointSlice };
  'flowcontrol.apiserver.k8s.io/v1': {
    FlowSchema: FlowSchema;
    PriorityLevelConfiguration: PriorityLevelConfiguration;
  };
  'networking.k8s.io/v1': { Ingress: Ingress; IngressClass: IngressClass; NetworkPolicy: NetworkPolicy };
  'node.k8s.io/v1': { RuntimeClass: RuntimeClass };
  'policy/v1': { PodDisruptionBudget: PodDisruptionBudget };
  'rbac.authorization.k8s.io/v1': {
    ClusterRole: ClusterRole;
    ClusterRoleBinding: ClusterRoleBinding;
    Role: Role;
    RoleBinding: RoleBinding;
  };
  'scheduling.k8s.io/v1': { PriorityClass: PriorityClass };
  'storage.k8s.io/v1': {
    CSIDriver: CSIDriver;
    CSINode: CSINode;
    CSIStorageCapacity: CSIStorageCapacity;
    StorageClass: StorageClass;
    VolumeAttachment: VolumeAttachment;
  };
}

/** The short names of the kinds that have any, as kubectl knows them. */
export interface ShortNames {
  CertificateSigningRequest: 'csr';
  ConfigMap: 'cm';
  CronJob: 'cj';
  CustomResourceDefinition: 'crd' | 'crds';
  DaemonSet: 'ds';
  Deployment: 'deploy';
  Endpoints: 'ep';
  Event: 'ev';
  HorizontalPodAutoscaler: 'hpa';
  Ingress: 'ing';
  LimitRange: 'limits';
  Namespace: 'ns';
  NetworkPolicy: 'netpol';
  Node: 'no';
  PersistentVolume: 'pv';
  PersistentVolumeClaim: 'pvc';
  Pod: 'po';
  PodDisruptionBudget: 'pdb';
  PriorityClass: 'pc';
  ReplicaSet: 'rs';
  ReplicationController: 'rc';
  ResourceQuota: 'quota';
  Service: 'svc';
  ServiceAccount: 'sa';
  StatefulSet: 'sts';
  StorageClass: 'sc';
}
