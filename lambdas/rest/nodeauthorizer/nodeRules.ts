import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import { allow, CORE, READ } from '../rbac/allow.ts';

/**
 * What every node may do, as Kubernetes' `NodeRules`: the rules of the cluster role `system:node`, too. What depends on the node, such as which Secrets it may read, is decided by `withNodeRules`, which asks these rules
 * only for other resources than those.
 */
export const NODE_RULES: readonly PolicyRule[] = [
  allow('create', 'authentication.k8s.io', 'tokenreviews'),
  allow('create', 'authorization.k8s.io', 'localsubjectaccessreviews subjectaccessreviews'),
  allow(READ, CORE, 'services'),
  allow('create get list watch', CORE, 'nodes'),
  allow('patch update', CORE, 'nodes/status'),
  allow('patch update', CORE, 'nodes'),
  allow('create patch update', CORE, 'events'),
  allow(READ, CORE, 'pods'),
  allow('create delete', CORE, 'pods'),
  allow('patch update', CORE, 'pods/status'),
  allow('create', CORE, 'pods/eviction'),
  allow(READ, CORE, 'configmaps secrets'),
  allow('get', CORE, 'persistentvolumeclaims persistentvolumes'),
  allow('get', CORE, 'endpoints'),
  allow('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
  allow('create delete get patch update', 'coordination.k8s.io', 'leases'),
  allow('get', 'storage.k8s.io', 'volumeattachments'),
  allow('create', CORE, 'serviceaccounts/token'),
  allow('get patch update', CORE, 'persistentvolumeclaims/status'),
  allow(READ, 'storage.k8s.io', 'csidrivers'),
  allow('create delete get patch update', 'storage.k8s.io', 'csinodes'),
  allow(READ, 'node.k8s.io', 'runtimeclasses'),
  allow('get', 'resource.k8s.io', 'resourceclaims'),
  allow('deletecollection', 'resource.k8s.io', 'resourceslices'),
  allow('get', CORE, 'serviceaccounts'),
];
