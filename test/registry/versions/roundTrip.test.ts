import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ServedVersion } from '../../../lambdas/registry/ResourceEntry.ts';
import {
  applyDeploymentRollback,
  validateDeploymentRollback,
} from '../../../lambdas/registry/versions/deploymentRollback.ts';
import { DEPLOYMENT_VERSIONS } from '../../../lambdas/registry/versions/deploymentVersions.ts';
import { REPLICA_SET_VERSIONS } from '../../../lambdas/registry/versions/replicaSetVersions.ts';
import { deployments, replicaSets } from '../../support/arbitraries.ts';

const apiVersionOf = ({ group = 'apps', version }: ServedVersion) => `${group}/${version}`;

function served(versions: readonly ServedVersion[], apiVersion: string): ServedVersion {
  const version = versions.find((each) => apiVersionOf(each) === apiVersion);
  if (version === undefined) throw new Error(`${apiVersion} is not served`);
  return version;
}

function defaulted(version: ServedVersion, object: KubernetesObject): KubernetesObject {
  const draft = structuredClone(object);
  version.applyDefaults?.(draft);
  return draft;
}

function throughStorage(version: ServedVersion, object: KubernetesObject): KubernetesObject {
  const draft = structuredClone(object);
  version.toStorage?.(draft);
  version.fromStorage?.(draft);
  return draft;
}

describe('converting a defaulted object to the storage version and back loses nothing', () => {
  it.each(DEPLOYMENT_VERSIONS.map((version) => [apiVersionOf(version), version] as const))(
    'Deployment %s',
    (apiVersion, version) => {
      fc.assert(
        fc.property(deployments(apiVersion), (object) => {
          const full = defaulted(version, object);
          expect(throughStorage(version, full)).toEqual(full);
        }),
      );
    },
  );

  it.each(REPLICA_SET_VERSIONS.map((version) => [apiVersionOf(version), version] as const))(
    'ReplicaSet %s',
    (apiVersion, version) => {
      fc.assert(
        fc.property(replicaSets(apiVersion), (object) => {
          const full = defaulted(version, object);
          expect(throughStorage(version, full)).toEqual(full);
        }),
      );
    },
  );

  it('a stored object is the same after a conversion to each version and back', () => {
    const stored = served(DEPLOYMENT_VERSIONS, 'apps/v1');
    fc.assert(
      fc.property(deployments('apps/v1'), fc.constantFrom(...DEPLOYMENT_VERSIONS), (object, version) => {
        const full = defaulted(stored, object);
        const draft = structuredClone(full);
        version.fromStorage?.(draft);
        version.toStorage?.(draft);
        expect(draft).toEqual(full);
      }),
    );
  });

  it('defaulting twice changes nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DEPLOYMENT_VERSIONS), deployments('apps/v1'), (version, object) => {
        const once = defaulted(version, object);
        expect(defaulted(version, once)).toEqual(once);
      }),
    );
  });
});

const bare = {
  apiVersion: '',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } } },
} as unknown as KubernetesObject;

interface Expected {
  readonly rolling: object;
  readonly revisionHistoryLimit: number;
  readonly progressDeadlineSeconds: number;
  readonly selector?: object;
  readonly labels?: object;
  readonly propagation: string | undefined;
}
const quarter = { maxSurge: '25%', maxUnavailable: '25%' };
const fromTemplate = { selector: { matchLabels: { app: 'web' } }, labels: { app: 'web' } };

describe('each version of a Deployment has its own defaults', () => {
  it.each<[string, Expected]>([
    ['apps/v1', { rolling: quarter, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, propagation: undefined }],
    [
      'apps/v1beta2',
      { rolling: quarter, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, propagation: undefined },
    ],
    [
      'apps/v1beta1',
      {
        rolling: quarter,
        revisionHistoryLimit: 2,
        progressDeadlineSeconds: 600,
        ...fromTemplate,
        propagation: 'Orphan',
      },
    ],
    [
      'extensions/v1beta1',
      {
        rolling: { maxSurge: 1, maxUnavailable: 1 },
        revisionHistoryLimit: 2_147_483_647,
        progressDeadlineSeconds: 2_147_483_647,
        ...fromTemplate,
        propagation: 'Orphan',
      },
    ],
  ])('%s', (apiVersion, expected) => {
    const version = served(DEPLOYMENT_VERSIONS, apiVersion);
    const { metadata, spec } = defaulted(version, bare) as unknown as {
      metadata: { labels?: object };
      spec: Record<string, unknown>;
    };
    expect({
      rolling: (spec['strategy'] as { rollingUpdate: object }).rollingUpdate,
      revisionHistoryLimit: spec['revisionHistoryLimit'],
      progressDeadlineSeconds: spec['progressDeadlineSeconds'],
      ...(spec['selector'] !== undefined && { selector: spec['selector'] }),
      ...(metadata.labels !== undefined && { labels: metadata.labels }),
      propagation: version.defaultPropagation,
    }).toEqual(expected);
  });

  it('ReplicaSets get selector and labels from their template in extensions/v1beta1, and not in apps/v1', () => {
    expect(defaulted(served(REPLICA_SET_VERSIONS, 'extensions/v1beta1'), bare)).toMatchObject({
      metadata: { labels: { app: 'web' } },
      spec: { selector: { matchLabels: { app: 'web' } }, replicas: 1 },
    });
    expect(defaulted(served(REPLICA_SET_VERSIONS, 'apps/v1'), bare)['spec']).not.toHaveProperty('selector');
  });
});

describe('a rollback is a field in the old versions and an annotation in storage', () => {
  const version = served(DEPLOYMENT_VERSIONS, 'extensions/v1beta1');
  it.each([0, 3, -1])('revision %d', (revision) => {
    const draft = structuredClone({ ...bare, spec: { rollbackTo: { revision } } });
    version.toStorage?.(draft);
    expect(draft.metadata.annotations).toEqual({ 'deprecated.deployment.rollback.to': String(revision) });
    expect(draft.spec).toEqual({});
    version.fromStorage?.(draft);
    expect(draft).toEqual({ ...bare, spec: { rollbackTo: { revision } } });
  });

  it.each(['', 'three', '1.5', '99999999999999999999'])('an annotation %j stays an annotation', (text) => {
    const annotations = { 'deprecated.deployment.rollback.to': text };
    const draft = structuredClone({ ...bare, metadata: { ...bare.metadata, annotations } });
    version.fromStorage?.(draft);
    expect(draft.metadata.annotations).toEqual(annotations);
    expect(draft).not.toHaveProperty('spec.rollbackTo');
  });
});

describe('deployments/rollback', () => {
  it.each([
    [{ name: 'web' }, []],
    [{ name: 'web', rollbackTo: { revision: 2 } }, []],
    [{}, ['name FieldValueRequired']],
    [{ name: 'web', rollbackTo: { revision: -1 } }, ['rollback.version FieldValueInvalid']],
    [{ name: 'web', updatedAnnotations: { 'no spaces': 'x' } }, ['updatedAnnotations FieldValueInvalid']],
    [null, ['name FieldValueRequired']],
  ])('gives the errors of Kubernetes for %j', (rollback, expected) => {
    expect(validateDeploymentRollback(rollback).map(({ field, type }) => `${field} ${type}`)).toEqual(expected);
  });

  it('puts its annotations and the revision on the Deployment', () => {
    const draft = structuredClone({ ...bare, metadata: { ...bare.metadata, annotations: { a: '1', b: '1' } } });
    applyDeploymentRollback(draft, { name: 'web', updatedAnnotations: { b: '2' }, rollbackTo: { revision: 4 } });
    expect(draft.metadata.annotations).toEqual({ a: '1', b: '2', 'deprecated.deployment.rollback.to': '4' });
  });
});
