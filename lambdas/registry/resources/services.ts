import type { Service as ApiService, ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isDns1035Label } from '../../objects/nameFormats.ts';
import { chooseNodePorts, keepNodePorts } from '../admission/allocateNodePorts.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, formatLabels, nameColumn, wideColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { selectFields, STANDARD_VERBS } from './standardRules.ts';
import { validateService, validateServiceUpdate } from '../validation/network/validateService.ts';

type Service = Stored<ApiService>;

function applyServiceDefaults(draft: KubernetesObject): void {
  const spec = ((draft as Service).spec ??= {});
  spec.type ??= 'ClusterIP';
  spec.sessionAffinity ??= 'None';
  for (const port of spec.ports ?? []) applyPortDefaults(port);
  if (spec.type === 'ExternalName') return;
  spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'ClusterIP') spec.externalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
  if (spec.sessionAffinity === 'ClientIP') spec.sessionAffinityConfig ??= { clientIP: { timeoutSeconds: 10_800 } };
}

function applyPortDefaults(port: ServicePort): void {
  port.protocol ??= 'TCP';
  // Zero and the empty string mean the service's own port. Clients that send protobuf always send one of them when they set no target port.
  if (!port.targetPort) port.targetPort = port.port;
}

/** Chooses the address families of a Service that names none. They are no defaults: nobody owns them. */
function chooseFamilies({ spec }: Service): void {
  if (!spec || spec.type === 'ExternalName') return;
  spec.ipFamilyPolicy ??= 'SingleStack';
  spec.ipFamilies ??= ['IPv4'];
}

/** An update without a cluster IP keeps the stored one. */
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
    chooseFamilies(draft);
    draft['status'] = { loadBalancer: {} };
  },
  validate: validateService,
  prepareForUpdate(draft, old) {
    keepClusterIp(draft, old);
    chooseFamilies(draft);
    if (!draft['spec']) return;
    keepNodePorts(draft, old);
    // An update may not read other Services, so another one may have the same port.
    chooseNodePorts(draft, new Set());
  },
  validateUpdate: validateServiceUpdate,
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
