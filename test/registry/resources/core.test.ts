import { describe, expect, test } from 'vitest';
import { secrets } from '../../../lambdas/registry/resources/secrets.ts';
import { limitRanges } from '../../../lambdas/registry/resources/limitRanges.ts';
import { resourceQuotas } from '../../../lambdas/registry/resources/resourceQuotas.ts';
import { clusterRoles } from '../../../lambdas/registry/resources/rbac.ts';
import { createErrors } from '../../support/kindBench.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secrets', () => {
  test.each([
    [
      'a login without name and password',
      'basic-auth',
      {},
      ['data[%s][username]: Required value', 'data[%s][password]: Required value'],
    ],
    ['a login with an empty password', 'basic-auth', { password: '' }, []],
    ['a key without its key', 'ssh-auth', { 'ssh-privatekey': '' }, ['data[%s][ssh-privatekey]: Required value']],
    ['a certificate without a key', 'tls', { 'tls.crt': 'eA==' }, ['data[tls.key]: Required value']],
    [
      'a registry login that is no JSON',
      'dockerconfigjson',
      { '.dockerconfigjson': base64('x') },
      [
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character \'x\' looking for beginning of value',
      ],
    ],
    ['a registry login', 'dockercfg', { '.dockercfg': base64('{}') }, []],
    ['a registry login without contents', 'dockercfg', {}, ['data[.dockercfg]: Required value']],
  ])('%s: %s', (_, type, data, errors) => {
    expect(createErrors(secrets, { type: `kubernetes.io/${type}`, data })).toEqual(errors);
  });
});

describe('limit ranges', () => {
  const limits = (...items: readonly object[]) => createErrors(limitRanges, { spec: { limits: items } });

  test.each([
    [
      'a minimum above the maximum',
      { min: { cpu: '2' }, max: { cpu: '1' } },
      'min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ],
    [
      'a default request below the minimum',
      { min: { cpu: '2' }, defaultRequest: { cpu: '1' } },
      'defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
    ],
    [
      'a default above the maximum',
      { max: { cpu: '1' }, default: { cpu: '3' } },
      'default[cpu]: Invalid value: "1": default value 3 is greater than max value 1',
    ],
    [
      'a ratio below one',
      { maxLimitRequestRatio: { cpu: '500m' } },
      'maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
    ],
    [
      'a ratio above that of the bounds',
      { min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } },
      'maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
    ],
    [
      'an unknown resource',
      { max: { chairs: '1' } },
      'max[chairs]: Invalid value: "chairs": must be a standard resource type or fully qualified',
    ],
  ])('%s is refused', (_, item, error) => {
    expect(limits({ type: 'Container', ...item })).toContain(`spec.limits[0].${error}`);
  });

  test('claims need a bound for storage, and pods have no defaults', () => {
    expect(limits({ type: 'PersistentVolumeClaim' }, { type: 'Pod', default: { cpu: '1' } })).toEqual([
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
      "spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod'",
    ]);
  });
});

describe('resource quotas', () => {
  const spec = (members: object) => createErrors(resourceQuotas, { spec: members });
  const matching = (...matchExpressions: readonly object[]) => ({
    hard: { pods: '1' },
    scopeSelector: { matchExpressions },
  });

  test.each([
    [
      'an unknown resource',
      { hard: { nope: '1' } },
      [
        'spec.hard[nope]: Invalid value: "nope": must be a standard resource type or fully qualified',
        'spec.hard[nope]: Invalid value: "nope": must be a standard resource for quota',
      ],
    ],
    ['counts of any kind, and huge pages', { hard: { 'count/jobs.batch': '1', 'hugepages-2Mi': '1Gi' } }, []],
    [
      'scopes that exclude each other, and one that is unknown',
      { hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating', 'Nope'] },
      [
        'spec.scopes: Invalid value: ["Terminating","NotTerminating","Nope"]: unsupported scope',
        'spec.scopes: Invalid value: ["Terminating","NotTerminating","Nope"]: conflicting scopes',
      ],
    ],
    [
      'a scope of pods for Services',
      { hard: { services: '1' }, scopes: ['BestEffort'] },
      ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ],
    [
      'a selector of classes without names',
      matching({ scopeName: 'PriorityClass', operator: 'In' }),
      [
        "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      ],
    ],
    [
      'an operator that compares, for a scope that has nothing to compare',
      matching({ scopeName: 'BestEffort', operator: 'In', values: ['x'] }),
      [
        'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exist\' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort',
      ],
    ],
  ])('%s', (_, members, errors) => {
    expect(spec(members)).toEqual(errors);
  });
});

test('a cluster role that aggregates says from which others', () => {
  expect(createErrors(clusterRoles, { aggregationRule: {} })).toEqual([
    'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
  ]);
});
