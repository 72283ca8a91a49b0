import type { ConfigMap, Secret, Service, ServiceAccount } from 'kubernetes-types/core/v1.js';
import type {
  Deployment,
  Event,
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  ReplicationController,
} from '../../lambdas/objects/kinds.ts';
import type { KubernetesObject, Stored } from '../../lambdas/objects/KubernetesObject.ts';

interface Kinds {
  deployment: Deployment;
  deployments: Deployment;
  deploy: Deployment;
  replicaset: ReplicaSet;
  replicasets: ReplicaSet;
  rs: ReplicaSet;
  replicationcontroller: ReplicationController;
  replicationcontrollers: ReplicationController;
  rc: ReplicationController;
  pod: Pod;
  pods: Pod;
  po: Pod;
  node: Node;
  nodes: Node;
  namespace: Namespace;
  namespaces: Namespace;
  ns: Namespace;
  event: Event;
  events: Event;
  configmap: Stored<ConfigMap>;
  configmaps: Stored<ConfigMap>;
  cm: Stored<ConfigMap>;
  secret: Stored<Secret>;
  secrets: Stored<Secret>;
  service: Stored<Service>;
  services: Stored<Service>;
  svc: Stored<Service>;
  serviceaccount: Stored<ServiceAccount>;
  serviceaccounts: Stored<ServiceAccount>;
}

type KindOf<Name extends string> = Name extends keyof Kinds ? Kinds[Name] : KubernetesObject;

/** The object type for a resource's name, or for a key that begins with it: `deployment/default/web` is a Deployment. */
export type ObjectOf<Key extends string> = Key extends `${infer Name}/${string}` ? KindOf<Name> : KindOf<Key>;
