import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isQualifiedName, isValidPortNumber } from '../../../objects/nameFormats.ts';
import { type Check, fields, format, given, ifPresent, missing, refused, requiredEnum } from '../checks.ts';
import { forbidden, invalid, invalidEach } from '../fieldErrors.ts';
import { type Fields, numberOf, textOf, textsOf } from '../fieldsOf.ts';

type Spec = Fields<ServiceSpec>;

/** True for a Service that traffic from outside of the cluster reaches. */
export function isReachedFromOutside({ type, externalIPs }: Spec): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && textsOf(externalIPs).length > 0);
}

/** True for a Service whose load balancer asks the nodes whether they have one of its pods. */
export function needsHealthCheck({ type, externalTrafficPolicy }: Spec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

const policyOfInner: Check = (value, path) =>
  textOf(value) === '' ? [] : [invalid(path, value, 'may only be set for externally-accessible services')];

const healthPort: Check = (value, path) => {
  const port = numberOf(value);
  return port === 0 ? missing()(value, path) : invalidEach(path, port, isValidPortNumber(port));
};

const noHealthPort: Check = (value, path) =>
  numberOf(value) === 0
    ? []
    : [invalid(path, value, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")];

/** How traffic from outside is spread, and at which port nodes tell whether they take some. */
export const trafficErrors = given<ServiceSpec>((spec) =>
  fields<ServiceSpec>({
    externalTrafficPolicy: isReachedFromOutside(spec) ? requiredEnum('Cluster', 'Local') : policyOfInner,
    healthCheckNodePort: needsHealthCheck(spec) ? healthPort : noHealthPort,
  }),
);

export const loadBalancerClass = given<ServiceSpec>((spec) =>
  fields<ServiceSpec>({
    loadBalancerClass: ifPresent(
      spec.type === 'LoadBalancer'
        ? format(isQualifiedName)
        : refused("may only be used when `type` is 'LoadBalancer'"),
    ),
  }),
);

/** What a Service that stays a load balancer cannot change. */
export function changedTrafficErrors(spec: Spec, old: Spec): FieldError[] {
  const stays = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer';
  const [now, before] = [spec.loadBalancerClass ?? null, old.loadBalancerClass ?? null];
  const checked = needsHealthCheck(spec) && needsHealthCheck(old) && numberOf(old.healthCheckNodePort) !== 0;
  const path = 'spec.loadBalancerClass';
  return [
    ...(stays && now !== before ? [invalid(path, now, 'may not change once set')] : []),
    ...loadBalancerClass(spec, 'spec'),
    ...(checked && numberOf(spec.healthCheckNodePort) !== numberOf(old.healthCheckNodePort)
      ? [forbidden('spec.healthCheckNodePort', 'field is immutable')]
      : []),
  ];
}
