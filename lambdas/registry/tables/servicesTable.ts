import type { Service, ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, wideColumn } from './column.ts';
import { formatLabels } from './formatSelector.ts';
import { ageOf } from './humanDuration.ts';

const NONE = '<none>';

export const servicesTable: TableRules = {
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
      externalIp(object as Service, spec),
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
