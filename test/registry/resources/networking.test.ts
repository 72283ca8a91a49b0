import { describe, expect, test } from 'vitest';
import { ingressClasses } from '../../../lambdas/registry/resources/ingressClasses.ts';
import { ingresses } from '../../../lambdas/registry/resources/ingresses.ts';
import { networkPolicies } from '../../../lambdas/registry/resources/networkPolicies.ts';
import { createErrors, objectOf, rowOf, statusErrors, updateErrors } from '../../support/kindBench.ts';

const backend = { service: { name: 'web', port: { number: 80 } } };
const ruleOf = (path: Record<string, unknown>) => ({
  spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...path }] } }] },
});
const at = 'spec.rules[0].http.paths[0]';
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// The rows follow pkg/apis/networking/validation.
describe('an Ingress', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['with one rule (valid)', ruleOf({}), []],
    ['with a default backend only (valid)', { spec: { defaultBackend: backend } }, []],
    ['with nothing', {}, ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified']],
    [
      'whose host is an address',
      { spec: { rules: [{ host: '10.0.0.1' }] } },
      ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
    ],
    [
      'whose wildcard is in the middle',
      { spec: { rules: [{ host: 'a.*.com' }] } },
      [
        `spec.rules[0].host: Invalid value: "a.*.com": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    ['without paths', { spec: { rules: [{ http: {} }] } }, ['spec.rules[0].http.paths: Required value']],
    [
      'without a path type',
      ruleOf({ pathType: undefined }),
      [`${at}.pathType: Required value: pathType must be specified`],
    ],
    [
      'with an unknown path type',
      ruleOf({ pathType: 'Regex' }),
      [`${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`],
    ],
    [
      'with a relative path',
      ruleOf({ path: 'a//b/..' }),
      [
        `${at}.path: Invalid value: "a//b/..": must be an absolute path`,
        `${at}.path: Invalid value: "a//b/..": must not contain '//'`,
        `${at}.path: Invalid value: "a//b/..": cannot end with '/..'`,
      ],
    ],
    ['with an empty specific path (valid)', ruleOf({ pathType: 'ImplementationSpecific', path: '' }), []],
    [
      'with a backend that is nothing',
      ruleOf({ backend: {} }),
      [`${at}.backend: Invalid value: "": resource or service backend is required`],
    ],
    [
      'with a backend that is both',
      ruleOf({ backend: { ...backend, resource: { kind: 'A', name: 'a' } } }),
      [`${at}.backend: Invalid value: "": cannot set both resource and service backends`],
    ],
    [
      'with a resource without names',
      ruleOf({ backend: { resource: { apiGroup: 'x' } } }),
      [`${at}.backend.resource.kind: Required value`, `${at}.backend.resource.name: Required value`],
    ],
    [
      'with a service without a port',
      ruleOf({ backend: { service: { name: '' } } }),
      [`${at}.backend.service.name: Required value`, `${at}.backend: Required value: port name or number is required`],
    ],
    [
      'with a port by name and number',
      ruleOf({ backend: { service: { name: 'web', port: { name: 'http', number: 80 } } } }),
      [`${at}.backend: Invalid value: "": cannot set both port name & port number`],
    ],
    [
      'with a port out of range',
      ruleOf({ backend: { service: { name: 'web', port: { number: 70_000 } } } }),
      [`${at}.backend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive`],
    ],
    [
      'with bad TLS',
      { spec: { defaultBackend: backend, tls: [{ hosts: ['A'], secretName: 'B' }] } },
      [
        `spec.tls[0].hosts[0]: Invalid value: "A": ${SUBDOMAIN}`,
        `spec.tls[0].secretName: Invalid value: "B": ${SUBDOMAIN}`,
      ],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(ingresses, members)).toEqual(messages);
  });

  test('a new one may not name two classes, a changed one may', () => {
    const members = { spec: { ...ruleOf({}).spec, ingressClassName: 'nginx' } };
    const metadata = { annotations: { 'kubernetes.io/ingress.class': 'traefik' } };
    expect(createErrors(ingresses, members, metadata)).toEqual([
      'annotations.kubernetes.io/ingress.class: Invalid value: "traefik": must match `ingressClassName` when both are specified',
    ]);
    expect(updateErrors(ingresses, members, members)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    [
      'the name of a secret that was let in',
      { defaultBackend: backend, tls: [{ secretName: 'C' }] },
      { defaultBackend: backend, tls: [{ secretName: 'B' }] },
      [],
    ],
    [
      'no new one',
      { defaultBackend: backend, tls: [{ secretName: 'C' }] },
      { defaultBackend: backend },
      [`spec.tls[0].secretName: Invalid value: "C": ${SUBDOMAIN}`],
    ],
    [
      'a rule with a wildcard that was let in',
      { rules: [{ host: '*.a.com', http: {} }] },
      { rules: [{ host: '*.b.com', http: {} }] },
      [],
    ],
    [
      'no other rule',
      { rules: [{ host: 'a.com', http: {} }] },
      { rules: [{ host: '*.b.com', http: {} }] },
      ['spec.rules[0].http.paths: Required value'],
    ],
  ])('may keep %s when it changes', (_, spec, old, messages) => {
    expect(updateErrors(ingresses, { spec }, { spec: old })).toEqual(messages);
  });

  test('the addresses in its status are checked', () => {
    expect(statusErrors(ingresses, { loadBalancer: { ingress: [{ ip: '1.2.3', hostname: '10.0.0.1' }] } })).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'status.loadBalancer.ingress[0].hostname: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ]);
  });

  test.each([
    [{ spec: { defaultBackend: backend } }, { Class: '<none>', Hosts: '*', Address: '', Ports: '80', Age: '60s' }],
    [
      {
        spec: { ingressClassName: 'nginx', tls: [{}], rules: ['a', 'b', 'c', 'd'].map((host) => ({ host })) },
        status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }, { hostname: 'lb.example.com' }] } },
      },
      { Class: 'nginx', Hosts: 'a,b,c + 1 more...', Address: '10.0.0.1,lb.example.com', Ports: '80, 443' },
    ],
  ])('is printed', (members, row) => {
    expect(rowOf(ingresses, members)).toMatchObject(row);
  });
});

describe('an IngressClass', () => {
  const withParameters = (parameters: Record<string, unknown>) => ({
    spec: { controller: 'acme.io/foo', parameters: { kind: 'Config', name: 'c', ...parameters } },
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['with a controller (valid)', { spec: { controller: 'acme.io/foo' } }, []],
    ['without a controller', {}, ['spec.controller: Required value']],
    [
      'whose controller has no domain',
      { spec: { controller: 'foo' } },
      ['spec.controller: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      'whose path has a space',
      { spec: { controller: 'acme.io/a b' } },
      [
        `spec.controller: Invalid value: "a b": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
      ],
    ],
    ['with parameters of the cluster (valid)', withParameters({}), []],
    [
      'with a namespace for parameters of the cluster',
      withParameters({ namespace: 'a' }),
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [
      'without a namespace for parameters in one',
      withParameters({ scope: 'Namespace' }),
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      'with a namespace that cannot be',
      withParameters({ scope: 'Namespace', namespace: 'a.b' }),
      ['spec.parameters.namespace: Invalid value: "a.b": must not contain dots'],
    ],
    [
      'with an unknown scope',
      withParameters({ scope: 'Galaxy' }),
      ['spec.parameters.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespace"'],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(ingressClasses, members)).toEqual(messages);
  });

  test('keeps its controller', () => {
    expect(
      updateErrors(ingressClasses, { spec: { controller: 'acme.io/b' } }, { spec: { controller: 'acme.io/a' } }),
    ).toEqual(['spec.controller: Invalid value: "acme.io/b": field is immutable']);
  });

  test('is printed', () => {
    expect(rowOf(ingressClasses, withParameters({ apiGroup: 'acme.io' }))).toMatchObject({
      Name: 'x',
      Controller: 'acme.io/foo',
      Parameters: 'Config.acme.io/c',
    });
  });
});

describe('a NetworkPolicy', () => {
  const ingress = (rule: Record<string, unknown>) => ({ spec: { podSelector: {}, ingress: [rule] } });

  test('applies to ingress, and to egress if it has rules for it', () => {
    expect(objectOf(networkPolicies, { spec: { podSelector: {} } })['spec']).toMatchObject({
      policyTypes: ['Ingress'],
    });
    expect(
      objectOf(networkPolicies, { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } })['spec'],
    ).toEqual({
      podSelector: {},
      egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }],
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'with every sort of peer (valid)',
      ingress({
        from: [
          { podSelector: {}, namespaceSelector: {} },
          { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
        ],
      }),
      [],
    ],
    ['with an empty peer', ingress({ from: [{}] }), ['spec.ingress[0].from[0]: Required value: must specify a peer']],
    [
      'with a mixed peer',
      ingress({ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }),
      ['spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer'],
    ],
    [
      'without a subnet',
      ingress({ from: [{ ipBlock: {} }] }),
      ['spec.ingress[0].from[0].ipBlock.cidr: Required value'],
    ],
    [
      'with a bad subnet',
      ingress({ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }),
      [
        'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      'with an exception that is not inside',
      ingress({ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.0.0.0/8'] } }] }),
      ['11.0.0.0/16', '10.0.0.0/8'].map(
        (subnet, index) =>
          `spec.ingress[0].from[0].ipBlock.except[${index}]: Invalid value: "${subnet}": must be a strict subset of \`cidr\``,
      ),
    ],
    [
      'with ports out of order',
      ingress({ ports: [{ port: 80, endPort: 70 }] }),
      ['spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`'],
    ],
    [
      'with an end of named ports',
      ingress({ ports: [{ port: 'http', endPort: 70 }] }),
      ['spec.ingress[0].ports[0].endPort: Invalid value: 70: may not be specified when `port` is non-numeric'],
    ],
    [
      'with an end of ports whose name cannot be',
      ingress({ ports: [{ port: '-', endPort: 70 }] }),
      [
        'spec.ingress[0].ports[0].endPort: Invalid value: 70: may not be specified when `port` is non-numeric',
        'spec.ingress[0].ports[0].port: Invalid value: "-": must contain at least one letter (a-z)',
        'spec.ingress[0].ports[0].port: Invalid value: "-": must not begin or end with a hyphen',
      ],
    ],
    [
      'with ports that cannot be',
      ingress({ ports: [{ port: 0, endPort: 70_000 }] }),
      [
        'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ingress[0].ports[0].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'with an end of no ports',
      ingress({ ports: [{ endPort: 70 }] }),
      ['spec.ingress[0].ports[0].endPort: Invalid value: 70: may not be specified when `port` is not specified'],
    ],
    [
      'with an unknown protocol',
      ingress({ ports: [{ protocol: 'ICMP' }] }),
      ['spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"'],
    ],
    [
      'with an unknown type',
      { spec: { podSelector: {}, policyTypes: ['Sideways'] } },
      ['spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(networkPolicies, members)).toEqual(messages);
  });

  test('is printed', () => {
    expect(rowOf(networkPolicies, { spec: { podSelector: { matchLabels: { app: 'web' } } } })).toMatchObject({
      'Pod-Selector': 'app=web',
    });
    expect(rowOf(networkPolicies, { spec: { podSelector: {} } })).toMatchObject({ 'Pod-Selector': '<none>' });
  });
});
