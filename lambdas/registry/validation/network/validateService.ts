import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import {
  all,
  type Check,
  dnsSubdomain,
  fields,
  given,
  items,
  missing,
  nonEmptyList,
  nonEmptyText,
  oneInOrder,
  optionalEnum,
  range,
  refused,
  requiredEnum,
  when,
} from '../checks.ts';
import { invalid } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf, textsOf } from '../fieldsOf.ts';
import { validateLabels } from '../validateLabels.ts';
import { addressOrKept, rangeOrKept } from './addressChecks.ts';
import { reachable } from './endpointChecks.ts';
import { distinctPorts, noNodePorts, servicePort } from './servicePorts.ts';
import { addressErrors, changedAddressErrors, isHeadless } from './serviceAddresses.ts';
import { changedTrafficErrors, loadBalancerClass, trafficErrors } from './serviceTraffic.ts';

type Spec = Fields<ServiceSpec>;

const LONGEST_AFFINITY_SECONDS = 86_400;
const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const TOPOLOGY_HINTS = 'service.kubernetes.io/topology-aware-hints';
const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode';

/** The two names of one annotation must not contradict each other. */
const topologyMode: Check = (annotations, path) => {
  const { [TOPOLOGY_HINTS]: hints, [TOPOLOGY_MODE]: mode } = fieldsOf<Record<string, string>>(annotations);
  if (!isPresent(hints) || !isPresent(mode) || hints === mode) return [];
  return [
    invalid(`${path}[${TOPOLOGY_MODE}]`, mode, `must match annotations[${TOPOLOGY_HINTS}] when both are specified`),
  ];
};

const noAddressOf = (kind: string): Check => {
  const detail = `may not be set to 'None' for ${kind} services`;
  return given<ServiceSpec>(
    (spec) => (_, path) => (isHeadless(spec) ? [invalid(`${path}.clusterIPs[0]`, 'None', detail)] : []),
  );
};

const unsetForExternalName = refused('may not be set for ExternalName services');
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;

/** The name may end in a dot, which says that it is whole. */
const externalName: Check = (value, path) => nonEmptyText('', dnsSubdomain)(textOf(value).replace(/\.$/, ''), path);

const ofExternalName = given<ServiceSpec>((spec) =>
  fields<ServiceSpec>({
    clusterIPs: when(isFilled(spec.clusterIPs), unsetForExternalName),
    ipFamilies: when(isFilled(spec.ipFamilies), unsetForExternalName),
    ipFamilyPolicy: when(isPresent(spec.ipFamilyPolicy), unsetForExternalName),
    externalName,
  }),
);

/** What only services of one type must or must not have. */
const OF_TYPE: Readonly<Record<string, Check>> = {
  LoadBalancer: noAddressOf('LoadBalancer'),
  NodePort: noAddressOf('NodePort'),
  ExternalName: ofExternalName,
};

const affinityConfig: Check = (config, path) => {
  const needed = 'when session affinity type is ClientIP';
  const { clientIP } = fieldsOf<{ clientIP: unknown }>(config);
  const { timeoutSeconds } = fieldsOf<{ timeoutSeconds: unknown }>(clientIP);
  if (!isPresent(config)) return missing(needed)(config, path);
  if (!isPresent(clientIP)) return missing(needed)(clientIP, `${path}.clientIP`);
  const place = `${path}.clientIP.timeoutSeconds`;
  if (!isPresent(timeoutSeconds)) return missing(needed)(timeoutSeconds, place);
  const detail = `must be greater than 0 and less than ${LONGEST_AFFINITY_SECONDS}`;
  return range(1, LONGEST_AFFINITY_SECONDS, detail)(timeoutSeconds, place);
};

const sessionAffinity = given<ServiceSpec>((spec) =>
  fields<ServiceSpec>({
    sessionAffinity: requiredEnum('ClientIP', 'None'),
    sessionAffinityConfig: all(
      when(spec.sessionAffinity === 'ClientIP', affinityConfig),
      when(
        spec.sessionAffinity === 'None' && isPresent(spec.sessionAffinityConfig),
        refused('must not be set when session affinity is None'),
      ),
    ),
  }),
);

/** An address outside of the cluster for which nodes accept traffic. */
function externalIp(kept: readonly string[]): Check {
  return (value, path) => {
    const errors = addressOrKept(kept)(value, path);
    return errors.length > 0 || kept.includes(textOf(value)) ? errors : reachable(value, path);
  };
}

const ofLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

/** The ranges of the field, or those of the annotation that was there before the field. Both may be padded with spaces. */
function sourceRangeErrors(spec: Spec, metadata: Meta, old: Spec, oldMetadata: Meta): FieldError[] {
  const wrongType = when(spec.type !== 'LoadBalancer', refused(ofLoadBalancers));
  const ranges = textsOf(spec.loadBalancerSourceRanges);
  if (ranges.length > 0) {
    const kept = textsOf(old.loadBalancerSourceRanges).map((text) => text.trim());
    const trimmed = ranges.map((text) => text.trim());
    // Kubernetes writes the name of the Go field.
    return all(wrongType, items(rangeOrKept(kept)))(trimmed, 'spec.LoadBalancerSourceRanges');
  }
  const annotation = annotationsOf(metadata)[SOURCE_RANGES];
  if (!isPresent(annotation)) return [];
  const each = textOf(annotation).trim() === '' ? [] : splitRanges(annotation);
  const kept = splitRanges(annotationsOf(oldMetadata)[SOURCE_RANGES]);
  const path = `metadata.annotations[${SOURCE_RANGES}]`;
  return [...wrongType(annotation, path), ...each.flatMap((text) => rangeOrKept(kept)(text, path))];
}

type Meta = Fields<KubernetesObject['metadata']>;
const annotationsOf = ({ annotations }: Meta) => fieldsOf<Record<string, string>>(annotations);

function splitRanges(text: unknown): string[] {
  return textOf(text)
    .split(',')
    .map((part) => part.trim());
}

/** The checks of the spec up to the addresses, and after them, in Kubernetes' order. */
const beginning = given<ServiceSpec>((spec) => {
  const ports = itemsOf(spec.ports);
  const needsPorts = !isHeadless(spec) && spec.type !== 'ExternalName';
  return all(
    fields<ServiceSpec>({ ports: when(needsPorts, nonEmptyList()) }),
    OF_TYPE[textOf(spec.type)] ?? (() => []),
    fields<ServiceSpec>({ ports: servicePort(ports.length > 1), selector: validateLabels }),
    sessionAffinity,
  );
});

const typeAndPorts = given<ServiceSpec>((spec) =>
  fields<ServiceSpec>({
    type: requiredEnum('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
    ports: all(when(spec.type === 'ClusterIP', noNodePorts), distinctPorts),
  }),
);

const isSetForOthers = (spec: Spec) => isPresent(spec.allocateLoadBalancerNodePorts) && spec.type !== 'LoadBalancer';
const isMissing = (spec: Spec) => !isPresent(spec.allocateLoadBalancerNodePorts) && spec.type === 'LoadBalancer';

const balancing = given<ServiceSpec>((spec) =>
  all(
    fields<ServiceSpec>({ allocateLoadBalancerNodePorts: when(isSetForOthers(spec), refused(ofLoadBalancers)) }),
    // Kubernetes leaves out `spec` here.
    (value) => when(isMissing(spec), missing())(value, 'allocateLoadBalancerNodePorts'),
    loadBalancerClass,
    trafficErrors,
    fields<ServiceSpec>({
      internalTrafficPolicy: all(
        when(
          spec.type !== 'ExternalName' && spec.type !== undefined && !isPresent(spec.internalTrafficPolicy),
          missing(),
        ),
        optionalEnum('Cluster', 'Local'),
      ),
      trafficDistribution: optionalEnum('PreferClose', 'PreferSameNode', 'PreferSameZone'),
    }),
  ),
);

/** Returns the errors of a service, except those of its metadata. What an old object has and only newer rules refuse may stay. Pure. */
export function validateService(object: KubernetesObject, old?: KubernetesObject): FieldError[] {
  const [spec, before] = [fieldsOf<ServiceSpec>(object['spec']), fieldsOf<ServiceSpec>(old?.['spec'])];
  return [
    ...topologyMode(object.metadata.annotations, 'metadata.annotations'),
    ...beginning(spec, 'spec'),
    ...addressErrors(spec, textsOf(before.clusterIPs)),
    ...items(externalIp(textsOf(before.externalIPs)))(spec.externalIPs, 'spec.externalIPs'),
    ...typeAndPorts(spec, 'spec'),
    ...sourceRangeErrors(spec, object.metadata, before, fieldsOf(old?.metadata)),
    ...balancing(spec, 'spec'),
  ];
}

/**
 * Returns the errors of a changed service. What Kubernetes would never have stored may be stored here, by a release that checked less: errors that the old object has in the same place stay its own, so that its other fields can be
 * changed. Pure.
 */
export function validateServiceUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [spec, before] = [object, old].map((one) => fieldsOf<ServiceSpec>(one['spec'])) as [Spec, Spec];
  const errors = validateService(object, old);
  const known = errors.length === 0 ? [] : validateService(old, old);
  return [
    ...changedAddressErrors(spec, before),
    ...changedTrafficErrors(spec, before),
    ...errors.filter((error) => !known.some((other) => jsonEqual(error, other))),
  ];
}

const ingress = (kept: readonly string[]): Check =>
  given<{ ip: string; hostname: string; ipMode: string }>(({ ip, hostname, ipMode }) =>
    fields({
      ip: when(textOf(ip) !== '', addressOrKept(kept)),
      ipMode: ipModeCheck(textOf(ip) !== '', isPresent(ipMode)),
      hostname: when(textOf(hostname) !== '', all(dnsSubdomain, notAnAddress)),
    }),
  );

function ipModeCheck(hasIp: boolean, hasMode: boolean): Check {
  if (!hasMode) return when(hasIp, missing('must be specified when `ip` is set'));
  return hasIp ? oneInOrder('Proxy', 'VIP') : refused('may not be specified when `ip` is not set');
}

const notAnAddress: Check = (value, path) =>
  addressOrKept([])(value, path).length === 0 ? [invalid(path, value, 'must be a DNS name, not an IP address')] : [];

/** Returns the errors of a changed status. Pure. */
export function validateServiceStatusUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const path = 'status.loadBalancer.ingress';
  const [now, before] = [object, old].map(ingressOf);
  const { type } = fieldsOf<ServiceSpec>(object['spec']);
  if (type !== 'LoadBalancer' && itemsOf(now).length > 0)
    return refused("may only be used when `spec.type` is 'LoadBalancer'")(now, path);
  return items(ingress(itemsOf<{ ip: string }>(before).map(({ ip }) => textOf(ip))))(now, path);
}

function ingressOf({ status }: KubernetesObject): unknown {
  const { loadBalancer } = fieldsOf<{ loadBalancer: unknown }>(status);
  return fieldsOf<{ ingress: unknown }>(loadBalancer).ingress;
}
