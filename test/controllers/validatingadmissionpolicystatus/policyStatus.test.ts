import { beforeEach, describe, expect, test } from 'vitest';
import { createPolicyStatusController } from '../../../lambdas/controllers/validatingadmissionpolicystatus/createPolicyStatusController.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { DefinedResources } from '../../../lambdas/registry/customresources/DefinedResources.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { resolveSchema } from '../../../lambdas/rest/schema/openapi/resolveSchema.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { stored } from '../../support/openTestRegistry.ts';
import { widgetDefinition } from '../../support/widgetDefinition.ts';

const POLICIES = 'validatingadmissionpolicies.admissionregistration.k8s.io';
const DEPLOYMENTS = ['apps', 'v1', 'deployments'] as const;
const PODS = ['', 'v1', 'pods'] as const;

type Place = readonly [group: string, version: string, resource: string];

let bench: ControllerBench;
beforeEach(() => {
  bench = new ControllerBench();
  const catalog = createResourceCatalog(resourceEntries, new DefinedResources(bench));
  bench.add(createPolicyStatusController({ catalog, resolveSchema: (kind) => resolveSchema(catalog, kind) }));
});

function ruleFor([group, version, resource]: Place): object {
  return { apiGroups: [group], apiVersions: [version], resources: [resource], operations: ['CREATE'] };
}

async function createPolicy(places: readonly Place[], spec: object): Promise<void> {
  await bench.create(POLICIES, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'rules' },
    spec: { matchConstraints: { resourceRules: places.map(ruleFor) }, ...spec },
  });
  await bench.settle();
}

async function change(edit: (policy: KubernetesObject) => KubernetesObject): Promise<void> {
  const policy = (await bench.get(POLICIES, '', 'rules')) as KubernetesObject;
  stored(await bench.registry.update(POLICIES, edit(policy)));
  await bench.settle();
}

async function status(): Promise<unknown> {
  return (await bench.get(POLICIES, '', 'rules'))?.['status'];
}

/** What the status says of one expression. */
async function warningsOf(expression: string, places: readonly Place[], spec: object = {}): Promise<string[]> {
  await createPolicy(places, { validations: [{ expression }], ...spec });
  const { typeChecking } = (await status()) as { typeChecking: { expressionWarnings?: { warning: string }[] } };
  return (typeChecking.expressionWarnings ?? []).map(({ warning }) => warning);
}

function issue(kind: string, expression: string, column: number, message: string): string {
  return `${kind}: ERROR: <input>:1:${column}: ${message}\n | ${expression}\n | ${'.'.repeat(column - 1)}^\n`;
}

describe('the status of a policy', () => {
  test('says that its expressions fit the types of what they will see', async () => {
    await createPolicy([DEPLOYMENTS], { validations: [{ expression: 'object.spec.replicas <= 5' }] });
    expect(await status()).toEqual({ observedGeneration: 1, typeChecking: {} });
  });

  test('names each expression that does not, with what is wrong for each kind', async () => {
    const [wrong, message] = ['object.replicas > 1', "'has ' + object.spec.replicas"];
    const validations = [{ expression: 'true' }, { expression: wrong, messageExpression: message }];
    await createPolicy([DEPLOYMENTS, PODS], { validations });
    const overload = `found no matching overload for '_+_' applied to '(string, int)'`;
    expect(await status()).toEqual({
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[1].expression',
            warning: [
              issue('/v1, Kind=Pod', wrong, 7, "undefined field 'replicas'"),
              issue('apps/v1, Kind=Deployment', wrong, 7, "undefined field 'replicas'"),
            ].join('\n'),
          },
          {
            fieldRef: 'spec.validations[1].messageExpression',
            warning: [
              issue('/v1, Kind=Pod', message, 21, "undefined field 'replicas'"),
              issue('apps/v1, Kind=Deployment', message, 8, overload),
            ].join('\n'),
          },
        ],
      },
    });
  });

  test('follows a change of the spec, and nothing else', async () => {
    await createPolicy([DEPLOYMENTS], { validations: [{ expression: 'object.spec.x == 1' }] });
    const before = await status();
    await change(({ metadata, ...policy }) => ({ ...policy, metadata: { ...metadata, labels: { a: 'b' } } }));
    expect(await status()).toEqual(before);
    const spec = { validations: [{ expression: 'object.spec.paused == true' }] };
    await change((policy) => ({ ...policy, spec: { ...(policy['spec'] as object), ...spec } }));
    expect(await status()).toEqual({ observedGeneration: 2, typeChecking: {} });
  });
});

describe('the types that expressions see', () => {
  test.each<[string, string]>([
    ['a field of what every kind has', "object.metadata.labels['app'] == 'web' && object.kind == 'Deployment'"],
    ['a list', "object.spec.template.spec.containers.all(c, c.image.startsWith('registry/'))"],
    ['a time', "object.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z')"],
    ['a number or a text', 'type(object.spec.strategy.rollingUpdate.maxSurge) == string'],
    ['what is known of the request and its namespace', 'request.namespace == namespaceObject.metadata.name'],
    ['the old object', 'oldObject == null || oldObject.spec.replicas >= 0'],
    ['what a variable stands for', 'variables.many > 3'],
  ])('%s', async (_, expression) => {
    const variables = [{ name: 'many', expression: 'object.spec.replicas * 2' }];
    expect(await warningsOf(expression, [DEPLOYMENTS], { variables })).toEqual([]);
  });

  const deployment = 'apps/v1, Kind=Deployment';
  test.each<[string, string, string, number]>([
    [
      'a text as a number',
      'object.metadata.name > 3',
      "found no matching overload for '_>_' applied to '(string, int)'",
      22,
    ],
    // Upstream's schema says that a quantity is a text or a number, and such a value cannot be seen.
    ['a quantity', 'has(object.spec.template.spec.resources.limits)', "undefined field 'limits'", 4],
    [
      'a check of the request',
      "authorizer.requestResource.check('get').allowed()",
      "undefined field 'requestResource'",
      11,
    ],
    ['a field of a variable', 'variables.spec.size > 3', "undefined field 'size'", 15],
  ])('not %s', async (_, expression, message, column) => {
    const variables = [{ name: 'spec', expression: 'object.spec' }];
    expect(await warningsOf(expression, [DEPLOYMENTS], { variables })).toEqual([
      issue(deployment, expression, column, message),
    ]);
  });

  test('parameters, if their kind is known', async () => {
    const expression = 'params.data.x == params.count';
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(await warningsOf(expression, [DEPLOYMENTS], { paramKind })).toEqual([
      issue(deployment, expression, 24, "undefined field 'count'"),
    ]);
    await bench.registry.delete({ resource: POLICIES, namespace: '', name: 'rules' });
    const unknown = { apiVersion: 'nobody.example.com/v1', kind: 'Limit' };
    expect(await warningsOf(expression, [DEPLOYMENTS], { paramKind: unknown })).toEqual([]);
  });

  test('custom resources, once they are established', async () => {
    const definition = await bench.create('customresourcedefinitions.apiextensions.k8s.io', widgetDefinition());
    const conditions = [{ type: 'Established', status: 'True' }];
    await bench.registry.update(
      'customresourcedefinitions.apiextensions.k8s.io',
      { ...definition, status: { ...(definition['status'] as object), conditions } },
      { subresource: 'status', from: definition },
    );
    const expression = "object.spec.color == 'red' && object.metadata.labels.a == '' && object.spec.size > 1";
    expect(await warningsOf(expression, [['example.com', 'v1', 'widgets']])).toEqual([
      issue('example.com/v1, Kind=Widget', expression, 76, "undefined field 'size'"),
    ]);
  });

  test.each<[string, Place]>([
    ['a group', ['*', 'v1', 'deployments']],
    ['a version', ['apps', '*', 'deployments']],
    ['a resource', ['apps', 'v1', '*']],
    ['a subresource', ['apps', 'v1', 'deployments/scale']],
    ['nothing that is served', ['apps', 'v1', 'gadgets']],
  ])('nothing of rules with a star or without a kind: %s', async (_, place) => {
    expect(await warningsOf('object.nonsense == 1', [place])).toEqual([]);
  });

  test('of a core resource, those of its namesakes in other groups, too', async () => {
    const warnings = await warningsOf('object.nonsense == 1', [['', 'v1', 'events']]);
    expect(warnings.join().match(/\S+, Kind=Event/g)).toEqual(['/v1, Kind=Event', 'events.k8s.io/v1, Kind=Event']);
  });
});
