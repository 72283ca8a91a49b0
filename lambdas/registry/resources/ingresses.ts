import type { Ingress as ApiIngress } from 'kubernetes-types/networking/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields } from '../validation/checks.ts';
import { loadBalancerStatus, validateIngress, validateIngressUpdate } from '../validation/network/validateIngress.ts';

type Ingress = Stored<ApiIngress>;

/** The number of rules whose hosts are shown. */
const SHOWN = 3;

function hostsCell({ spec }: Ingress): string {
  const hosts = (spec?.rules ?? []).flatMap(({ host }) => (host ? [host] : []));
  if (hosts.length === 0) return '*';
  const more = hosts.length > SHOWN ? ` + ${hosts.length - SHOWN} more...` : '';
  return `${hosts.slice(0, SHOWN).join(',')}${more}`;
}

function addressCell({ status }: Ingress): string {
  return (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').join(',');
}

export const ingresses = defineResource({
  group: 'networking.k8s.io',
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  namespaced: true,
  status: true,
  hasGeneration: true,
  checkStatus: fields({ loadBalancer: loadBalancerStatus }),
  strategy: { validate: validateIngress, validateUpdate: validateIngressUpdate },
  table: tableOf<Ingress>(
    nameCell,
    cell('Class', 'The class of controllers that serves it.', ({ spec }) => spec?.ingressClassName ?? '<none>'),
    cell('Hosts', 'The hosts that its rules match.', hostsCell),
    cell('Address', 'Where the load balancer can be reached.', addressCell),
    cell('Ports', 'The ports that it opens.', ({ spec }) => (spec?.tls?.length ? '80, 443' : '80')),
    ageCell,
  ),
});
