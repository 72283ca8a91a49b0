import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';

const rule = (verbs: string[], apiGroups: string[], resources: string[]): PolicyRule => ({
  verbs,
  apiGroups,
  resources,
});

/** What every node may do, as Kubernetes' `NodeRules`: the rules of the cluster role `system:node`, too. What depends on the node, such as which Secrets it may read, is decided by `withNodeRules`. */
export const NODE_RULES: readonly PolicyRule[] = [
  rule(['create'], ['authentication.k8s.io'], ['tokenreviews']),
  rule(['create'], ['authorization.k8s.io'], ['localsubjectaccessreviews', 'subjectaccessreviews']),
  rule(['get', 'list', 'watch'], [''], ['services']),
  rule(['create'], [''], ['nodes']),
  rule(['update', 'patch'], [''], ['nodes/status']),
  rule(['update', 'patch'], [''], ['nodes']),
  rule(['create', 'update', 'patch'], [''], ['events']),
  rule(['create', 'update', 'patch'], ['events.k8s.io'], ['events']),
  rule(['create', 'delete'], [''], ['pods']),
  rule(['update', 'patch'], [''], ['pods/status']),
  rule(['create'], [''], ['pods/eviction']),
  rule(['get'], [''], ['endpoints']),
  rule(['get', 'list', 'watch', 'create'], ['certificates.k8s.io'], ['certificatesigningrequests']),
  rule(['get', 'list', 'watch'], ['storage.k8s.io'], ['csidrivers']),
  rule(['get', 'list', 'watch'], ['node.k8s.io'], ['runtimeclasses']),
];
