import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { decodeObject } from '../../../lambdas/rest/codec/decodeObject.ts';
import { decodeProtobuf } from '../../../lambdas/rest/codec/decodeProtobuf.ts';
import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import { encodeEnvelope } from './encodeMessage.ts';
import { structOf } from '../schema/schemaArbitrary.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

function decode(bytes: Uint8Array, apiVersion: string, kind: string) {
  return decodeObject({
    bytes,
    contentType: PROTOBUF,
    apiVersion,
    kind,
    fieldValidation: 'Strict',
    budget: new RequestBudget(),
  });
}

const DEPLOYMENT_BY_KUBECTL = `
  azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErgBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEoYBCAASDAoKCgNhcHASA3dlYhpsChwK
  ABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkwSLgoFbmdpbngSBW5naW54KgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIA
  WABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=`;

test('decodes the body of kubectl 1.32 for `create deployment web --image=nginx --replicas=0 --port=80` and keeps its zero', async () => {
  expect((await decode(Buffer.from(DEPLOYMENT_BY_KUBECTL, 'base64'), 'apps/v1', 'Deployment')).object).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }], resources: {} }] },
      },
      strategy: {},
    },
    status: {},
  });
});

test('decodes the body of kubectl 1.32 for `create secret generic s --from-literal=a=b`', async () => {
  const bytes = Buffer.from('azhzAAoMCgJ2MRIGU2VjcmV0Eh0KEQoBcxIAGgAiACoAMgA4AEIAEgYKAWESAWIaABoAIgA=', 'base64');
  expect((await decode(bytes, 'v1', 'Secret')).object).toMatchObject({ metadata: { name: 's' }, data: { a: 'Yg==' } });
});

describe('an object in protobuf decodes to the same object as its JSON', () => {
  test.each([
    ['apps/v1', 'Deployment'],
    ['apps/v1', 'ReplicaSet'],
    ['v1', 'ReplicationController'],
    ['v1', 'Pod'],
    ['v1', 'Namespace'],
    ['v1', 'Node'],
    ['v1', 'Service'],
    ['v1', 'ConfigMap'],
    ['v1', 'Secret'],
    ['v1', 'ServiceAccount'],
    ['v1', 'ResourceQuota'],
    ['v1', 'LimitRange'],
    ['v1', 'Endpoints'],
    ['v1', 'Event'],
    ['v1', 'DeleteOptions'],
    ['events.k8s.io/v1', 'Event'],
    ['coordination.k8s.io/v1', 'Lease'],
    ['authorization.k8s.io/v1', 'SelfSubjectAccessReview'],
    ['authorization.k8s.io/v1', 'SubjectAccessReview'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
    ['autoscaling/v1', 'Scale'],
    ['policy/v1', 'Eviction'],
  ])('%s %s', async (apiVersion, kind) => {
    const schema = kindSchema(apiVersion, kind);
    if (schema === undefined) throw new Error('no such kind');
    await fc.assert(
      fc.asyncProperty(structOf(schema), async (object) => {
        const bytes = encodeEnvelope(apiVersion, kind, object, schema);
        const json = Buffer.from(JSON.stringify({ apiVersion, kind, ...object }));
        const fromJson = await decodeObject({
          bytes: json,
          contentType: undefined,
          apiVersion,
          kind,
          fieldValidation: 'Strict',
          budget: new RequestBudget(),
        });
        expect(fromJson.object).toEqual({ apiVersion, kind, ...object });
        expect((await decode(bytes, apiVersion, kind)).object).toEqual({ apiVersion, kind, ...object });
      }),
      { numRuns: 40 },
    );
  });
});

describe('a port or percentage of zero that was set stays zero, because absent would mean another value', () => {
  test.each([
    ['apps/v1', 'Deployment', { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } }],
    ['v1', 'Service', { spec: { ports: [{ targetPort: 0 }, { targetPort: '' }] } }],
    ['v1', 'Pod', { spec: { containers: [{ livenessProbe: { httpGet: { port: 0 } } }] } }],
    ['v1', 'Pod', { spec: { containers: [{ readinessProbe: { tcpSocket: { port: '' } } }] } }],
  ])('%s %s %j', async (apiVersion, kind, object) => {
    const schema = kindSchema(apiVersion, kind);
    if (schema === undefined) throw new Error('no such kind');
    const bytes = encodeEnvelope(apiVersion, kind, object, schema);
    expect((await decode(bytes, apiVersion, kind)).object).toEqual({ apiVersion, kind, ...object });
  });
});

test('random bytes, and envelopes that are cut or have changed bytes, give an ApiError or an object', async () => {
  const whole = Buffer.from(DEPLOYMENT_BY_KUBECTL, 'base64');
  const flipped = fc
    .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
    .map((changes) => {
      const bytes = Buffer.from(whole);
      for (const [index, byte] of changes) bytes[index] = byte;
      return bytes;
    });
  const cut = fc.nat(whole.length).map((length) => whole.subarray(0, length));
  const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from('k8s\0'), bytes]));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), cut, noise, flipped), async (bytes) => {
      try {
        expect((await decode(bytes, 'apps/v1', 'Deployment')).object['kind']).toBe('Deployment');
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).reason).toBe('BadRequest');
      }
    }),
    { numRuns: 2000 },
  );
});

test('the error for JSON sent as protobuf names the missing prefix', () => {
  const decoded = decodeProtobuf(Buffer.from('{}'), { apiVersion: 'v1', kind: 'Pod', budget: new RequestBudget() });
  expect(decoded.error).toBe('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
});
