import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from 'kubernetes-types/networking/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isValidPortNumber } from '../../objects/nameFormats.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { formatSelector } from '../tables/columns.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, type Check, fields, ifPresent, items, oneInOrder } from '../validation/checks.ts';
import { forbidden, invalid, invalidEach, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textOf, textsOf } from '../validation/fieldsOf.ts';
import { cidr, isStrictlyInside } from '../validation/network/networkChecks.ts';
import { validatePortNumberOrName } from '../validation/pods/validateContainerPorts.ts';
import { labelSelectorAfter } from '../validation/validateLabels.ts';

/** A policy without types applies to ingress, and to egress if it has rules for it. */
function applyPolicyTypes(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  const hasEgress = Array.isArray(spec['egress']) && spec['egress'].length > 0;
  if (textsOf(spec['policyTypes']).length === 0) spec['policyTypes'] = ['Ingress', ...(hasEgress ? ['Egress'] : [])];
}

/** A range ends with a number, so it starts with one. As in Kubernetes, the error of a range that ends too early shows where it starts. */
const portRange: Check = (value, path) => {
  const { port, endPort: last } = fieldsOf<NetworkPolicyPort>(value);
  const at = `${path}.endPort`;
  const named = 'may not be specified when `port` is non-numeric';
  const errors = ifPresent(validatePortNumberOrName)(port, `${path}.port`);
  if (!isPresent(last)) return errors;
  if (!isPresent(port)) return [invalid(at, last, 'may not be specified when `port` is not specified')];
  if (typeof port === 'string') return [invalid(at, last, named), ...errors];
  const isBefore = numberOf(last) < numberOf(port);
  return [
    ...errors,
    ...(isBefore ? [invalid(at, port, 'must be greater than or equal to `port`')] : []),
    ...invalidEach(at, last, isValidPortNumber(numberOf(last))),
  ];
};

const port: Check = all(fields({ protocol: ifPresent(oneInOrder('TCP', 'UDP', 'SCTP')) }), portRange);

const ipBlock: Check = (value, path) => {
  const block = fieldsOf<IPBlock>(value);
  const outer = textOf(block.cidr);
  if (outer === '') return [required(`${path}.cidr`)];
  const errors = cidr(outer, `${path}.cidr`);
  return errors.length > 0 ? errors : items(exceptionOf(outer))(block.except, `${path}.except`);
};

function exceptionOf(outer: string): Check {
  return (value, path) => {
    const errors = cidr(value, path);
    if (errors.length > 0 || isStrictlyInside(textOf(value), outer)) return errors;
    return [invalid(path, textOf(value), 'must be a strict subset of `cidr`')];
  };
}

function peerCountErrors(value: unknown, path: string): FieldError[] {
  const peer = fieldsOf<NetworkPolicyPeer>(value);
  const count = [peer.podSelector, peer.namespaceSelector, peer.ipBlock].filter(isPresent).length;
  if (count === 0) return [required(path, 'must specify a peer')];
  const isMixed = count > 1 && isPresent(peer.ipBlock);
  return isMixed ? [forbidden(path, 'may not specify both ipBlock and another peer')] : [];
}

function peerWith(selector: Check): Check {
  return all(
    fields({
      podSelector: ifPresent(selector),
      namespaceSelector: ifPresent(selector),
      ipBlock: ifPresent(ipBlock),
    }),
    peerCountErrors,
  );
}

const policyTypes: Check = (value, path) =>
  textsOf(value).length > 2
    ? [invalid(path, value, 'may not specify more than two policyTypes')]
    : items(oneInOrder('Ingress', 'Egress'))(value, path);

export const networkPolicies = defineResource({
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  hasGeneration: true,
  applyDefaults: applyPolicyTypes,
  defaults: { 'spec.ingress[].ports[].protocol': 'TCP', 'spec.egress[].ports[].protocol': 'TCP' },
  checkAfter(old) {
    const selector = labelSelectorAfter(fieldsOf<NetworkPolicySpec>(old?.['spec']).podSelector);
    const peer = peerWith(selector);
    return fields({
      spec: fields({
        podSelector: selector,
        ingress: items(fields({ ports: items(port), from: items(peer) })),
        egress: items(fields({ ports: items(port), to: items(peer) })),
        policyTypes,
      }),
    });
  },
  table: tableOf<NetworkPolicy>(
    nameCell,
    cell('Pod-Selector', 'Which pods it applies to, by their labels.', ({ spec }) => formatSelector(spec?.podSelector)),
    ageCell,
  ),
});
