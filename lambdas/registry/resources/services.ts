import type { Service as ApiService, ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isDns1123Label } from '../../objects/nameFormats.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, formatLabels, nameColumn, wideColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { selectFields, STANDARD_VERBS } from './standardRules.ts';
import { dropTypeDependent } from '../services/keepAllocated.ts';
import { isPresent } from '../validation/fieldsOf.ts';
import { serviceWarnings } from '../validation/network/serviceWarnings.ts';
import { isReachedFromOutside } from '../validation/network/serviceTraffic.ts';
import {
  validateService,
  validateServiceStatusUpdate,
  validateServiceUpdate,
} from '../validation/network/validateService.ts';

type Service = Stored<ApiService>;

/** How long a client's requests go to the same pod, if its Service does not say. */
const AFFINITY_SECONDS = 10_800;

function applyServiceDefaults(draft: KubernetesObject): void {
  const spec = ((draft as Service).spec ??= {});
  spec.type ||= 'ClusterIP';
  spec.sessionAffinity ||= 'None';
  applyAffinityDefaults(spec);
  for (const port of spec.ports ?? []) applyPortDefaults(port);
  if (isReachedFromOutside(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function applyAffinityDefaults(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP' || isPresent(spec.sessionAffinityConfig?.clientIP?.timeoutSeconds)) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
}

function applyPortDefaults(port: ServicePort): void {
  port.protocol ||= 'TCP';
  // Zero and the empty string mean the service's own port. Clients that send protobuf always send one of them when they set no target port.
  if (!port.targetPort) port.targetPort = port.port;
}

/** Nodes send traffic on to the address of a load balancer, unless its controller says otherwise. */
function applyIpModes({ status }: Service): void {
  for (const ingress of (status?.loadBalancer?.ingress ?? []) as { ip?: string; ipMode?: string }[]) {
    if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}

const strategy: Strategy = {
  nameErrors: isDns1123Label,
  allowCreateOnUpdate: true,
  prepareForCreate(draft) {
    draft['status'] = { loadBalancer: {} };
  },
  validate: (object) => validateService(object),
  warnings: serviceWarnings,
  prepareForUpdate(draft, old) {
    const [spec, before] = [(draft as Service).spec, (old as Service).spec];
    if (!spec || !before) return;
    dropTypeDependent(spec, before);
    // The load balancer may still be there for a while, but it is no longer this Service's.
    const { status } = draft as Service;
    if (spec.type !== 'LoadBalancer' && status?.loadBalancer?.ingress)
      draft['status'] = { ...status, loadBalancer: {} };
  },
  validateUpdate: validateServiceUpdate,
  prepareForStatusUpdate: applyIpModes,
  validateStatusUpdate: validateServiceStatusUpdate,
};

const NONE = '<none>';

const servicesTable: TableRules = {
  columns: [
    nameColumn,
    column('Type', 'How the service is exposed.'),
    column('Cluster-IP', 'The address inside the cluster.'),
    column('External-IP', 'The addresses outside the cluster.'),
    column('Port(s)', 'The ports, each with its node port, if any, and protocol.'),
    ageColumn,
    wideColumn('Selector', 'Which pods the service sends to, by their labels.'),
  ],
  cells(object, nowMs) {
    const { spec = {} } = object as Service;
    return [
      object.metadata.name,
      spec.type ?? '',
      spec.clusterIPs?.[0] ?? (spec.clusterIP || NONE),
      externalIp(object, spec),
      (spec.ports ?? []).map(formatPort).join(',') || NONE,
      ageOf(object.metadata.creationTimestamp, nowMs),
      formatLabels(spec.selector),
    ];
  },
};

function externalIp({ status }: Service, spec: ServiceSpec): string {
  const external = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || NONE;
    case 'LoadBalancer': {
      const balancers = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '');
      return [...new Set(balancers.filter(Boolean).sort()), ...external].join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    case undefined:
    default:
      return '<unknown>';
  }
}

function formatPort({ port, nodePort, protocol = 'TCP' }: ServicePort): string {
  return nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

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
