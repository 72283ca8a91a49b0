import { beforeEach, describe, expect, it } from 'vitest';
import type { KubernetesObject, NewObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import type { Registry } from '../../../../lambdas/registry/Registry.ts';
import type { Access } from '../../../../lambdas/registry/cel/evaluate/AuthorizationValue.ts';
import type { RequestAttributes } from '../../../../lambdas/registry/admission/dynamic/RequestAttributes.ts';
import { change, openTestRegistry, refusal, stored } from '../../../support/openTestRegistry.ts';

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = `validatingadmissionpolicies.${GROUP}`;
const BINDINGS = `validatingadmissionpolicybindings.${GROUP}`;
const RULE = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const ANN = '&{ann u7 [devs system:authenticated] map[team:[a b]]}';

let registry: Registry;
let asked: Access[];
beforeEach(async () => {
  ({ registry } = await openTestRegistry());
  asked = [];
});

/** A request of ann, who may or may not read parameters. */
function byAnn(mayRead: boolean, groups = ['devs', 'system:authenticated']): { readonly request: RequestAttributes } {
  const allows = async (_user: unknown, access: Access) => {
    asked.push(access);
    return mayRead;
  };
  const user = { username: 'ann', uid: 'u7', groups, extra: { team: ['a', 'b'] } };
  const place = { group: GROUP, version: 'v1', subresource: '', name: '' };
  return { request: { ...place, user, allows, options: {}, warn: () => {} } };
}

function policy(paramKind?: object): NewObject {
  const matchConstraints = { resourceRules: [RULE] };
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'limits' },
    spec: { matchConstraints, validations: [{ expression: 'true' }], ...(paramKind && { paramKind }) },
  };
}

function binding(paramRef?: object, policyName = 'limits'): NewObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'here' },
    spec: { policyName, validationActions: ['Deny'], ...(paramRef && { paramRef }) },
  };
}

describe('the author of a policy with parameters', () => {
  it.each<[string, object, object]>([
    ['a built-in kind', CONFIG_MAP, { group: '', resource: 'configmaps' }],
    ['a kind that is not served', { apiVersion: 'a.io/v1', kind: 'Limit' }, { group: 'a.io', resource: '*' }],
  ])('must be allowed to read all objects of their kind: %s', async (_, paramKind, resource) => {
    const outcome = await registry.create(POLICIES, policy(paramKind), byAnn(false));
    const { apiVersion, kind } = paramKind as { apiVersion: string; kind: string };
    expect(refusal(outcome)).toBe(
      `Invalid: ValidatingAdmissionPolicy.${GROUP} "limits" is invalid: spec.paramKind: Forbidden: user ${ANN} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`,
    );
    expect(asked).toEqual([{ verb: 'get', subresource: '', namespace: '*', name: '*', ...resource }]);
  });

  it('may write it with that permission, and superusers always may', async () => {
    stored(await registry.create(POLICIES, policy(CONFIG_MAP), { ...byAnn(true), dryRun: true }));
    expect(asked).toHaveLength(1);
    stored(await registry.create(POLICIES, policy(CONFIG_MAP), byAnn(false, ['system:masters'])));
    expect(asked).toHaveLength(1);
  });

  it('is not asked about a policy that is not valid', async () => {
    const invalid = policy({ apiVersion: 'v1', kind: '' });
    expect(refusal(await registry.create(POLICIES, invalid, byAnn(false)))).toMatch(/spec.paramKind.kind: Required/);
    expect(asked).toEqual([]);
  });

  it('may keep the kind, and must be allowed to read another one', async () => {
    const old = stored(await registry.create<KubernetesObject>(POLICIES, policy(CONFIG_MAP), byAnn(true)));
    const failing = { ...(old['spec'] as object), failurePolicy: 'Ignore' };
    const kept = stored(await registry.update(POLICIES, change(old, { spec: failing }), byAnn(false)));
    const spec = { ...failing, paramKind: { apiVersion: 'v1', kind: 'Secret' } };
    expect(refusal(await registry.update(POLICIES, change(kept, { spec }), byAnn(false)))).toMatch(/kind=Secret/);
    stored(await registry.update(POLICIES, change(kept, { spec: { ...spec, paramKind: undefined } }), byAnn(false)));
  });

  it('may write a status, and a policy without parameters', async () => {
    const old = stored(await registry.create<KubernetesObject>(POLICIES, policy(), byAnn(false)));
    const status = { observedGeneration: 1 };
    stored(await registry.update(POLICIES, change(old, { status }), { ...byAnn(false), subresource: 'status' }));
    expect(asked).toEqual([]);
  });
});

describe('the author of a binding with parameters', () => {
  const refused = `Invalid: ValidatingAdmissionPolicyBinding.${GROUP} "here" is invalid: spec.paramRef: Forbidden: user ${ANN} does not have "get" permission on the object referenced by paramRef`;
  const one = { name: 'strict', namespace: 'ns', parameterNotFoundAction: 'Deny' };

  it.each<[string, object, string, object]>([
    ['one object', one, 'limits', { group: '', resource: 'configmaps', namespace: 'ns', name: 'strict' }],
    [
      'all that a selector selects',
      { selector: {}, parameterNotFoundAction: 'Deny' },
      'limits',
      { group: '', resource: 'configmaps', namespace: '', name: '' },
    ],
    ['anything, without a policy', one, 'gone', { group: '*', resource: '*', namespace: 'ns', name: 'strict' }],
  ])('must be allowed to read %s', async (_, paramRef, policyName, access) => {
    stored(await registry.create(POLICIES, policy(CONFIG_MAP)));
    expect(refusal(await registry.create(BINDINGS, binding(paramRef, policyName), byAnn(false)))).toBe(refused);
    expect(asked).toEqual([{ verb: 'get', subresource: '', ...access }]);
    stored(await registry.create(BINDINGS, binding(paramRef, policyName), byAnn(true)));
  });

  it('is asked at each update', async () => {
    const old = stored(await registry.create<KubernetesObject>(BINDINGS, binding(one)));
    const spec = { ...(old['spec'] as object), validationActions: ['Warn'] };
    expect(refusal(await registry.update(BINDINGS, change(old, { spec }), byAnn(false)))).toBe(refused);
  });

  it('needs nothing for a binding without parameters', async () => {
    stored(await registry.create(BINDINGS, binding(), byAnn(false)));
    expect(asked).toEqual([]);
  });
});
