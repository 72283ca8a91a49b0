import { describe, expect, it } from 'vitest';
import {
  type MatchedRequest,
  type MatchRule,
  matchRules,
  namespaceLabels,
  selectsEveryNamespace,
  selectsObjects,
} from '../../../../lambdas/registry/admission/policies/matchRequest.ts';
import { deployments } from '../../../../lambdas/registry/resources/deployments.ts';
import { horizontalPodAutoscalers } from '../../../../lambdas/registry/resources/horizontalPodAutoscalers.ts';
import { namespaces } from '../../../../lambdas/registry/resources/namespaces.ts';
import { nodes } from '../../../../lambdas/registry/resources/nodes.ts';
import { objectOf } from '../../../support/kindBench.ts';

const CREATE_WEB: MatchedRequest = {
  operation: 'CREATE',
  entry: deployments,
  group: 'apps',
  version: 'v1',
  subresource: '',
  kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  namespace: 'default',
  name: 'web',
};
const SCALE: MatchedRequest = {
  ...CREATE_WEB,
  operation: 'UPDATE',
  subresource: 'scale',
  kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
};
const NAMESPACE: MatchedRequest = {
  ...CREATE_WEB,
  entry: namespaces,
  group: '',
  kind: { group: '', version: 'v1', kind: 'Namespace' },
  namespace: 'prod',
  name: 'prod',
};
const NODE: MatchedRequest = {
  ...NAMESPACE,
  entry: nodes,
  kind: { group: '', version: 'v1', kind: 'Node' },
  namespace: '',
};

const RULE = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const ANYTHING = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'] };

describe('matchRules', () => {
  it.each<[string, MatchRule, MatchedRequest, boolean]>([
    ['the resource by name', RULE, CREATE_WEB, true],
    ['another operation', { ...RULE, operations: ['UPDATE', 'DELETE'] }, CREATE_WEB, false],
    ['another group', { ...RULE, apiGroups: [''] }, CREATE_WEB, false],
    ['stars', { ...ANYTHING, resources: ['*'] }, CREATE_WEB, true],
    ['a star for resources does not mean subresources', { ...ANYTHING, resources: ['*'] }, SCALE, false],
    ['all subresources of one resource', { ...ANYTHING, resources: ['deployments/*'] }, SCALE, true],
    ['one subresource of all resources', { ...ANYTHING, resources: ['*/scale'] }, SCALE, true],
    ['resources and subresources', { ...ANYTHING, resources: ['*/*'] }, SCALE, true],
    ['resources and subresources, of the object itself', { ...ANYTHING, resources: ['*/*'] }, CREATE_WEB, true],
    ['a name', { ...RULE, resourceNames: ['api', 'web'] }, CREATE_WEB, true],
    ['other names', { ...RULE, resourceNames: ['api'] }, CREATE_WEB, false],
    ['namespaced', { ...RULE, scope: 'Namespaced' }, CREATE_WEB, true],
    ['cluster', { ...RULE, scope: 'Cluster' }, CREATE_WEB, false],
    ['a Namespace is of the cluster', { ...ANYTHING, resources: ['*'], scope: 'Cluster' }, NAMESPACE, true],
    ['a Namespace is not namespaced', { ...ANYTHING, resources: ['*'], scope: 'Namespaced' }, NAMESPACE, false],
    ['a Node is of the cluster', { ...ANYTHING, resources: ['*'], scope: 'Cluster' }, NODE, true],
  ])('%s', (_, rule, request, matches) => {
    expect(matchRules([rule], request, 'Exact') !== undefined).toBe(matches);
  });

  it('finds a rule about another version of the resource unless it must be exact, and says which', () => {
    const request = { ...CREATE_WEB, group: 'extensions', version: 'v1beta1' };
    const own = { ...request, kind: { group: 'extensions', version: 'v1beta1', kind: 'Deployment' } };
    expect(matchRules([RULE], own, 'Exact')).toBeUndefined();
    expect(matchRules([RULE], own, 'Equivalent')).toEqual({
      group: 'apps',
      version: 'v1',
      kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    });
  });

  it('prefers the requested version, even if an earlier rule is about another one', () => {
    const beta = { ...RULE, apiVersions: ['v1beta1'] };
    expect(matchRules([beta, RULE], CREATE_WEB, 'Equivalent')).toMatchObject({ version: 'v1' });
  });

  it("keeps the kind of a subresource's own object", () => {
    const scale = { ...SCALE, entry: horizontalPodAutoscalers, group: 'autoscaling', version: 'v2' };
    const rule = { ...ANYTHING, apiVersions: ['v1'], resources: ['horizontalpodautoscalers/scale'] };
    expect(matchRules([rule], scale, 'Equivalent')).toMatchObject({ version: 'v1', kind: SCALE.kind });
  });
});

describe('selectors', () => {
  const labelled = objectOf(deployments, {}, { labels: { app: 'web' } });
  const plain = objectOf(deployments);
  const selector = { matchLabels: { app: 'web' } };

  it.each([
    ['everything', {}, {}, true],
    ['the object', selector, { object: labelled }, true],
    ['the old object', selector, { object: plain, oldObject: labelled }, true],
    ['neither', selector, { object: plain, oldObject: plain }, false],
    ['no object', { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] }, {}, false],
    [
      'an object without labels',
      { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] },
      { object: plain },
      true,
    ],
  ])('selects %s', (_, one, objects, selected) => {
    expect(selectsObjects(one, { ...CREATE_WEB, ...objects })).toBe(selected);
  });

  it('takes the labels of a Namespace that is written from the request, and reads those of one that is deleted', () => {
    const object = objectOf(namespaces, {}, { labels: { tier: 'gold' } });
    expect(namespaceLabels({ ...NAMESPACE, object })).toMatchObject({ tier: 'gold' });
    expect(namespaceLabels({ ...NAMESPACE, operation: 'DELETE', oldObject: object })).toBeUndefined();
    expect(namespaceLabels({ ...CREATE_WEB, object: labelled })).toBeUndefined();
  });

  it('leaves out nothing that is in no namespace', () => {
    expect(selectsEveryNamespace(selector, NODE)).toBe(true);
    expect(selectsEveryNamespace(selector, NAMESPACE)).toBe(false);
    expect(selectsEveryNamespace(selector, CREATE_WEB)).toBe(false);
    expect(selectsEveryNamespace({}, CREATE_WEB)).toBe(true);
  });
});
