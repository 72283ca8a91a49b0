import type { Service as ApiService, ServicePort } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isDns1035Label } from '../../objects/nameFormats.ts';
import type { ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { servicesTable } from '../tables/servicesTable.ts';
import { selectFields } from './selectFields.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';
import { validateService, validateServiceUpdate } from './validateService.ts';

type Service = Stored<ApiService>;

function applyServiceDefaults(draft: KubernetesObject): void {
  const spec = ((draft as Service).spec ??= {});
  spec.type ??= 'ClusterIP';
  spec.sessionAffinity ??= 'None';
  for (const port of spec.ports ?? []) applyPortDefaults(port);
  if (spec.type === 'ExternalName') return;
  spec.internalTrafficPolicy ??= 'Cluster';
  spec.ipFamilyPolicy ??= 'SingleStack';
  spec.ipFamilies ??= ['IPv4'];
  if (spec.type !== 'ClusterIP') spec.externalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
  if (spec.sessionAffinity === 'ClientIP') spec.sessionAffinityConfig ??= { clientIP: { timeoutSeconds: 10_800 } };
}

function applyPortDefaults(port: ServicePort): void {
  port.protocol ??= 'TCP';
  port.targetPort ??= port.port;
}

/** An update that leaves the address out keeps it, as long as the service has one. */
function keepClusterIp(draft: KubernetesObject, old: KubernetesObject): void {
  const spec = (draft as Service).spec ?? {};
  const before = (old as Service).spec ?? {};
  if (spec.type === 'ExternalName' || before.clusterIP === undefined) return;
  if ((spec.clusterIP ?? '') === '') spec.clusterIP = before.clusterIP;
  if (spec.clusterIPs === undefined && before.clusterIPs !== undefined) spec.clusterIPs = [...before.clusterIPs];
}

const strategy: Strategy = {
  nameErrors: isDns1035Label,
  prepareForCreate(draft) {
    const { spec = {} } = draft as Service;
    if (spec.clusterIP !== undefined && spec.clusterIP !== '') spec.clusterIPs ??= [spec.clusterIP];
    draft['status'] = { loadBalancer: {} };
  },
  validate: validateService,
  prepareForUpdate: keepClusterIp,
  validateUpdate: validateServiceUpdate,
};

export const services: ResourceEntry = {
  groupResource: 'services',
  group: '',
  plural: 'services',
  singular: 'service',
  kind: 'Service',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyServiceDefaults }],
  strategy,
  status: true,
  table: servicesTable,
  selectableFields: (object) => selectFields(object, ['spec.clusterIP', 'spec.type']),
};
