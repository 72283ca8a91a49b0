import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, startApi } from './startApi.ts';

const GROUP = '/apis/authorization.k8s.io/v1';
const LOCAL = `${GROUP}/namespaces/default/localsubjectaccessreviews`;
const attributes = { namespace: 'default', verb: 'get', resource: 'pods' };

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

function review(kind: string, spec: object, metadata?: object) {
  return { apiVersion: 'authorization.k8s.io/v1', kind, spec, ...(metadata && { metadata }) };
}

describe('a review', () => {
  const asked = { user: 'a', resourceAttributes: attributes };
  test.each([
    [LOCAL, 'LocalSubjectAccessReview', asked, { name: 'x' }, 'must be empty except for namespace'],
    [`${GROUP}/subjectaccessreviews`, 'SubjectAccessReview', asked, { name: 'x' }, 'must be empty'],
    [
      `${GROUP}/selfsubjectaccessreviews`,
      'SelfSubjectAccessReview',
      { resourceAttributes: attributes },
      { labels: { a: 'b' } },
      'must be empty',
    ],
  ])('at %s has no metadata', async (path, kind, spec, metadata, detail) => {
    const { code, body } = await api.call('POST', path, review(kind, spec, metadata));
    expect([code, body.reason]).toEqual([422, 'Invalid']);
    expect(body.details.causes).toMatchObject([
      { field: 'metadata', message: expect.stringContaining(detail) as string },
    ]);
    expect((await api.call('POST', path, review(kind, spec))).code).toBe(201);
  });

  test('of the rules in no namespace is refused', async () => {
    const path = `${GROUP}/selfsubjectrulesreviews`;
    const { code, body } = await api.call('POST', path, review('SelfSubjectRulesReview', {}));
    expect([code, body.message]).toEqual([400, 'no namespace on request']);
    expect((await api.call('POST', path, review('SelfSubjectRulesReview', { namespace: 'default' }))).code).toBe(201);
  });
});
