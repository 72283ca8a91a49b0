import { isIP } from 'node:net';
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  ServiceBackendPort,
} from 'kubernetes-types/networking/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isDns1035Label, isValidPortName, isValidPortNumber } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  dnsSubdomain,
  enumOf,
  fields,
  format,
  ifPresent,
  ifSet,
  items,
  nonEmptyList,
  nonEmptyText,
} from '../checks.ts';
import { invalid, invalidEach, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { hostOrWildcard, typedLocalReference } from './networkChecks.ts';

const UNSAFE_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const UNSAFE_ENDS = ['/..', '/.'];

const hasRuleOrBackend: Check = (value, path) => {
  const { rules, defaultBackend } = fieldsOf<IngressSpec>(value);
  if (isPresent(defaultBackend) || (Array.isArray(rules) && rules.length > 0)) return [];
  return [invalid(path, rules ?? null, 'either `defaultBackend` or `rules` must be specified')];
};

const notAnAddress: Check = (value, path) =>
  isIP(textOf(value)) === 0 ? [] : [invalid(path, textOf(value), 'must be a DNS name, not an IP address')];

const service: Check = fields({ name: nonEmptyText('', format(isDns1035Label)) });

/** The port of a service, by name or by number. Errors about both are at the backend. */
const servicePort: Check = (value, path) => {
  const port = fieldsOf<ServiceBackendPort>(
    fieldsOf<IngressServiceBackend>(fieldsOf<IngressBackend>(value).service).port,
  );
  const [name, number] = [textOf(port.name), numberOf(port.number)];
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return invalidEach(`${path}.service.port.name`, name, isValidPortName(name));
  if (number !== 0) return invalidEach(`${path}.service.port.number`, number, isValidPortNumber(number));
  return [required(path, 'port name or number is required')];
};

const backend: Check = (value, path) => {
  const { resource, service: given } = fieldsOf<IngressBackend>(value);
  if (isPresent(resource)) {
    if (isPresent(given)) return [invalid(path, '', 'cannot set both resource and service backends')];
    return typedLocalReference(resource, `${path}.resource`);
  }
  if (!isPresent(given)) return [invalid(path, '', 'resource or service backend is required')];
  return [...service(given, `${path}.service`), ...servicePort(value, path)];
};

const absolute: Check = (value, path) =>
  textOf(value).startsWith('/') ? [] : [invalid(path, textOf(value), 'must be an absolute path')];

const safe: Check = (value, path) => {
  const text = textOf(value);
  return [
    ...UNSAFE_PARTS.filter((part) => text.includes(part)).map((part) =>
      invalid(path, text, `must not contain '${part}'`),
    ),
    ...UNSAFE_ENDS.filter((end) => text.endsWith(end)).map((end) => invalid(path, text, `cannot end with '${end}'`)),
  ];
};

const PATHS_BY_TYPE: Readonly<Record<string, Check>> = {
  Exact: all(absolute, safe),
  Prefix: all(absolute, safe),
  ImplementationSpecific: ifSet(absolute),
};

const httpPath: Check = (value, path) => {
  const given = fieldsOf<HTTPIngressPath>(value);
  if (!isPresent(given.pathType)) return [required(`${path}.pathType`, 'pathType must be specified')];
  return [
    ...(PATHS_BY_TYPE[textOf(given.pathType)]?.(given.path, `${path}.path`) ??
      enumOf(...Object.keys(PATHS_BY_TYPE))(given.pathType, `${path}.pathType`)),
    ...backend(given.backend, `${path}.backend`),
  ];
};

const ruleValue: Check = fields({ http: ifPresent(fields({ paths: nonEmptyList('', items(httpPath)) })) });

/** What an Ingress may keep that was stored before it was checked. */
interface Tolerated {
  readonly secretNames: boolean;
  /** The values of rules whose host has a wildcard. */
  readonly wildcardRules: boolean;
}

const isWildcard = (rule: unknown) => textOf(fieldsOf<IngressRule>(rule).host).includes('*');

function ingressSpec({ secretNames, wildcardRules }: Tolerated): Check {
  const rule = all(
    fields({ host: ifSet(all(notAnAddress, hostOrWildcard)) } satisfies Partial<Record<keyof IngressRule, Check>>),
    (value, path) => (wildcardRules && isWildcard(value) ? [] : ruleValue(value, path)),
  );
  const secretName = secretNames ? () => [] : ifSet(dnsSubdomain);
  return all(
    hasRuleOrBackend,
    fields({
      defaultBackend: ifPresent(backend),
      rules: items(rule),
      tls: items(fields({ hosts: items(hostOrWildcard), secretName })),
      ingressClassName: ifPresent(dnsSubdomain),
    }),
  );
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** Returns the errors of a new Ingress, as `ValidateIngressCreate`. It may name its class in the old annotation too, but not another one. Pure. */
export function validateIngress({ metadata, ...object }: KubernetesObject): FieldError[] {
  const annotated = metadata.annotations?.[CLASS_ANNOTATION];
  const { ingressClassName } = fieldsOf<IngressSpec>(object['spec']);
  const isOther = annotated !== undefined && isPresent(ingressClassName) && annotated !== ingressClassName;
  const path = `annotations.${CLASS_ANNOTATION}`;
  return [
    ...ingressSpec({ secretNames: false, wildcardRules: false })(object['spec'], 'spec'),
    ...(isOther ? [invalid(path, annotated, 'must match `ingressClassName` when both are specified')] : []),
  ];
}

/** Returns the errors of a changed Ingress, as `ValidateIngressUpdate`. Pure. */
export function validateIngressUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const { tls, rules } = fieldsOf<IngressSpec>(old['spec']);
  const wildcardRules = itemsOf<IngressRule>(rules).some((rule) => isWildcard(rule) && ruleValue(rule, '').length > 0);
  const secretNames = items(fields({ secretName: ifSet(dnsSubdomain) }))(tls, '').length > 0;
  return ingressSpec({ secretNames, wildcardRules })(object['spec'], 'spec');
}

/** Checks the addresses that a controller reports for an Ingress or a Service. */
export const loadBalancerStatus: Check = fields({
  ingress: items(
    fields({
      ip: ifSet((value, path) =>
        isIP(textOf(value)) === 0
          ? [invalid(path, textOf(value), 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
          : [],
      ),
      hostname: ifSet(all(dnsSubdomain, notAnAddress)),
    }),
  ),
});
