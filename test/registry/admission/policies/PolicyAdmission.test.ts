import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { createDynamicAdmission } from '../../../../lambdas/registry/admission/dynamic/DynamicAdmission.ts';
import type { RequestAttributes } from '../../../../lambdas/registry/admission/dynamic/RequestAttributes.ts';
import { createPolicyAdmission } from '../../../../lambdas/registry/admission/policies/PolicyAdmission.ts';
import { createRegistry } from '../../../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../../lambdas/registry/resourceEntries.ts';

type Members = Record<string, unknown>;

const POLICIES = 'validatingadmissionpolicies.admissionregistration.k8s.io';
const BINDINGS = 'validatingadmissionpolicybindings.admissionregistration.k8s.io';
const RULE = { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };

let registry: Registry;
let lists: string[];
let warnings: string[];

beforeEach(async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const { objectStore } = openEmbeddedStore({ journal: new MemoryJournal(), clock });
  lists = [];
  warnings = [];
  const counted = {
    get: objectStore.get.bind(objectStore),
    list: ((resource, options) => {
      lists.push(resource);
      return objectStore.list(resource, options);
    }) as typeof objectStore.list,
  };
  const catalog = createResourceCatalog(resourceEntries);
  const policies = createPolicyAdmission({
    objectStore: counted,
    catalog,
    clock,
    rememberMs: Number.POSITIVE_INFINITY,
    namespace: (name) => objectStore.get({ resource: 'namespaces', namespace: '', name }),
  });
  const dynamicAdmission = createDynamicAdmission([policies]);
  registry = createRegistry({ objectStore, clock, ids: new SeededIds(1), catalog, dynamicAdmission });
  await create('namespaces', { metadata: { name: 'default', labels: { tier: 'gold' } } });
});

async function create(resource: string, object: Members, more: Partial<RequestAttributes> = {}): Promise<string> {
  const request: RequestAttributes = {
    user: { username: 'ann', groups: ['dev'] },
    group: '',
    version: 'v1',
    subresource: '',
    name: '',
    options: {},
    warn: (warning) => warnings.push(warning),
    ...more,
  };
  const outcome = await registry.create(resource, { apiVersion: 'v1', kind: 'Any', ...object } as never, { request });
  return outcome.status === 'refused' ? outcome.error.message : 'created';
}

async function bindPolicy(policy: Members, binding: Members = {}): Promise<void> {
  const spec = { matchConstraints: { resourceRules: [RULE] }, ...policy };
  expect(await create(POLICIES, { metadata: { name: 'limit' }, spec })).toBe('created');
  const bound = { policyName: 'limit', validationActions: ['Deny'], ...binding };
  expect(await create(BINDINGS, { metadata: { name: 'everywhere' }, spec: bound })).toBe('created');
}

const createMap = (data: Members = {}, metadata: Members = {}, more: Partial<RequestAttributes> = {}) =>
  create('configmaps', { metadata: { name: 'one', namespace: 'default', ...metadata }, data }, more);

const denied = (why: string, where = " with binding 'everywhere'") =>
  `configmaps "one" is forbidden: ValidatingAdmissionPolicy 'limit'${where} denied request: ${why}`;

describe('a request', () => {
  it('lists the bindings once while there are none', async () => {
    expect(await createMap()).toBe('created');
    expect(await createMap({}, { name: 'two' })).toBe('created');
    expect(lists.filter((resource) => resource.includes('admission'))).toEqual([BINDINGS]);
  });

  it('passes a policy that nothing binds', async () => {
    const spec = { matchConstraints: { resourceRules: [RULE] }, validations: [{ expression: 'false' }] };
    await create(POLICIES, { metadata: { name: 'limit' }, spec });
    expect(await createMap()).toBe('created');
  });

  it('is refused with the reason, the code and the cause of the first denial', async () => {
    await bindPolicy({ validations: [{ expression: 'false', message: 'never', reason: 'Forbidden' }] });
    const outcome = await registry.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'one', namespace: 'default' },
    });
    expect(outcome).toMatchObject({
      status: 'refused',
      error: {
        reason: 'Forbidden',
        message: denied('never'),
        details: {
          name: 'one',
          kind: 'configmaps',
          causes: [{ message: "ValidatingAdmissionPolicy 'limit' with binding 'everywhere' denied request: never" }],
        },
      },
    });
  });

  it.each<[string, Members, Members, string]>([
    ['that is as wanted', { validations: [{ expression: 'object.data.size == "3"' }] }, {}, 'created'],
    [
      'that is not',
      { validations: [{ expression: 'object.data.size == "4"' }] },
      {},
      denied('failed expression: object.data.size == "4"'),
    ],
    [
      'whose expression fails',
      { validations: [{ expression: 'object.data.other == "4"' }] },
      {},
      denied(`expression 'object.data.other == "4"' resulted in error: no such key: other`),
    ],
    [
      'whose expression fails, if failures are ignored',
      { failurePolicy: 'Ignore', validations: [{ expression: 'object.data.other == "4"' }] },
      {},
      'created',
    ],
    [
      'that a match condition leaves out',
      {
        matchConditions: [{ name: 'updates', expression: 'request.operation == "UPDATE"' }],
        validations: [{ expression: 'false' }],
      },
      {},
      'created',
    ],
    [
      'that the binding leaves out',
      { validations: [{ expression: 'false' }] },
      { matchResources: { namespaceSelector: { matchLabels: { tier: 'silver' } } } },
      'created',
    ],
    [
      'that the binding selects by its namespace',
      { validations: [{ expression: 'false', message: 'no' }] },
      { matchResources: { namespaceSelector: { matchLabels: { tier: 'gold' } } } },
      denied('no'),
    ],
    [
      'that the binding excludes',
      { validations: [{ expression: 'false' }] },
      { matchResources: { excludeResourceRules: [RULE] } },
      'created',
    ],
    [
      'that says who asks, and where',
      {
        validations: [
          {
            expression:
              'request.userInfo.username == "ann" && request.name == "one" && namespaceObject.metadata.labels.tier == "gold"',
          },
        ],
      },
      {},
      'created',
    ],
    [
      'with an annotation for the audit log',
      { auditAnnotations: [{ key: 'size', valueExpression: '"size " + object.data.size' }] },
      {},
      'created',
    ],
    [
      'with an annotation that fails',
      { auditAnnotations: [{ key: 'size', valueExpression: 'object.data.other + ""' }] },
      { validationActions: ['Audit'] },
      denied(`expression 'object.data.other + ""' resulted in error: no such key: other`),
    ],
    ['that is only recorded', { validations: [{ expression: 'false' }] }, { validationActions: ['Audit'] }, 'created'],
  ])('%s', async (_, policy, binding, expected) => {
    await bindPolicy(policy, binding);
    expect(await createMap({ size: '3' })).toBe(expected);
  });

  it('is warned about', async () => {
    await bindPolicy(
      { validations: [{ expression: 'false', message: 'rather not' }] },
      { validationActions: ['Warn', 'Audit'] },
    );
    expect(await createMap()).toBe('created');
    expect(warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'limit' with binding 'everywhere': rather not",
    ]);
  });

  it('is recorded for the audit log, with what the policy says of it, by each parameter once', async () => {
    for (const limit of ['1', '2']) await createMap({ limit }, { name: `limit-${limit}` });
    await bindPolicy(
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [{ expression: 'true' }, { expression: 'int(object.data.size) < 3', message: 'at most <3>' }],
        auditAnnotations: [
          { key: 'limit', valueExpression: 'string(params.data.limit)' },
          { key: 'size', valueExpression: 'string(object.data.size)' },
          { key: 'none', valueExpression: 'null' },
          { key: 'long', valueExpression: `"${'x'.repeat(1000)}".replace("x", "yyyyyyyyyyyyy")` },
        ],
      },
      { validationActions: ['Warn', 'Audit'], paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } },
    );
    const annotations: Record<string, string> = {};
    const annotate = (key: string, value: string) => void (annotations[key] = value);
    expect(await createMap({ size: '3' }, {}, { annotate })).toBe('created');
    const failure = { message: 'at most <3>', policy: 'limit', binding: 'everywhere', expressionIndex: 1 };
    const { 'limit/long': long, ...others } = annotations;
    expect(others).toEqual({
      'validation.policy.admission.k8s.io/validation_failure': JSON.stringify([
        { ...failure, validationActions: ['Warn', 'Audit'] },
      ])
        .replace('<', '\\u003c')
        .replace('>', '\\u003e'),
      'limit/limit': '1, 2',
      'limit/size': '3',
    });
    expect(long).toHaveLength(10 * 1024);
  });

  it('of a controller is asked about, too, and a policy or binding itself is not', async () => {
    await bindPolicy({
      matchConstraints: { resourceRules: [{ ...RULE, apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] },
      validations: [{ expression: 'false', message: 'nothing' }],
    });
    const outcome = await registry.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'one', namespace: 'default' },
    });
    expect(outcome.status).toBe('refused');
    const gone = await registry.delete({ resource: BINDINGS, namespace: '', name: 'everywhere' });
    expect(gone.status).toBe('removed');
    expect(await createMap()).toBe('created');
  });

  it('sees the old object on updates, and none of its own on deletions', async () => {
    await createMap({ size: '3' });
    await bindPolicy({
      matchConstraints: { resourceRules: [{ ...RULE, operations: ['*'] }] },
      validations: [
        {
          expression: 'request.operation == "DELETE" ? object == null : oldObject.data.size == object.data.size',
          message: 'size stays',
        },
      ],
    });
    const one = await registry.get({ resource: 'configmaps', namespace: 'default', name: 'one' });
    const changed = await registry.update('configmaps', { ...one, data: { size: '4' } } as never);
    expect(changed).toMatchObject({ status: 'refused', error: { reason: 'Invalid', message: denied('size stays') } });
    const removed = await registry.delete({ resource: 'configmaps', namespace: 'default', name: 'one' });
    expect(removed.status).toBe('removed');
  });
});

describe('the parameters of a policy', () => {
  const byParams = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [
      {
        expression: 'params == null || object.data.size <= params.data.max',
        messageExpression: '"at most " + params.data.max',
      },
    ],
  };
  const createParams = (name: string, max: string, namespace = 'default') =>
    create('configmaps', { metadata: { name, namespace, labels: { limits: 'yes' } }, data: { size: '0', max } });

  it.each<[string, Members, string]>([
    ['are found by name in the namespace of the request', { name: 'small' }, denied('at most 2')],
    ['are found in a namespace of their own', { name: 'large', namespace: 'limits' }, 'created'],
    ['are all those that a selector selects', { selector: { matchLabels: { limits: 'yes' } } }, denied('at most 2')],
    ['may be missing', { name: 'none', parameterNotFoundAction: 'Allow' }, 'created'],
    [
      'must exist otherwise',
      { name: 'none' },
      denied('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'),
    ],
  ])('%s', async (_, paramRef, expected) => {
    await create('namespaces', { metadata: { name: 'limits' } });
    await createParams('small', '2');
    await createParams('large', '9', 'limits');
    await bindPolicy(byParams, { paramRef });
    expect(await createMap({ size: '3' })).toBe(expected);
  });

  it('are null if the binding refers to none', async () => {
    await bindPolicy(byParams);
    expect(await createMap({ size: '3' })).toBe('created');
  });

  it('must be of a kind that is served', async () => {
    await bindPolicy({ ...byParams, paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } });
    const why =
      "failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'";
    expect(await createMap({ size: '3' })).toBe(denied(why, ''));
  });

  it('cannot be in a namespace if their kind is not', async () => {
    const policy = { ...byParams, paramKind: { apiVersion: 'v1', kind: 'Node' } };
    await bindPolicy(policy, { paramRef: { name: 'x', namespace: 'default' } });
    const why = 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
    expect(await createMap({ size: '3' })).toBe(denied(`failed to configure binding: ${why}`));
  });
});

describe('the authorizer in expressions', () => {
  const mayDo = (verb: string) =>
    `authorizer.group("apps").resource("deployments").namespace("prod").name("web").check("${verb}").allowed()`;

  it('is asked once for each question, with what the expression says', async () => {
    const asked: unknown[] = [];
    const allows: RequestAttributes['allows'] = async (user, access) => {
      asked.push([user.username, access]);
      return access.verb === 'get';
    };
    const validations = [{ expression: mayDo('get') }, { expression: `${mayDo('get')} && !${mayDo('delete')}` }];
    await bindPolicy({ validations });
    expect(await createMap({}, {}, { allows })).toBe('created');
    const access = { group: 'apps', resource: 'deployments', subresource: '', namespace: 'prod', name: 'web' };
    expect(asked).toEqual([
      ['ann', { verb: 'get', ...access }],
      ['ann', { verb: 'delete', ...access }],
    ]);
  });

  it.each([
    [
      'the resource of the request',
      'authorizer.requestResource.check("approve").allowed()',
      'ann approve configmaps one',
    ],
    [
      'a service account',
      'authorizer.serviceAccount("ci", "robot").group("").resource("pods").check("list").allowed()',
      'system:serviceaccount:ci:robot list pods ',
    ],
    ['a path', 'authorizer.path("/metrics").check("get").allowed()', 'ann get /metrics'],
  ])('can be asked about %s', async (_, expression, question) => {
    const asked: string[] = [];
    const allows: RequestAttributes['allows'] = async ({ username }, access) => {
      const what = access.path === undefined ? `${access.resource} ${access.name}` : access.path;
      asked.push(`${username} ${access.verb} ${what}`);
      return false;
    };
    await bindPolicy({ validations: [{ expression }] });
    expect(await createMap({}, {}, { allows })).toBe(denied(`failed expression: ${expression}`));
    expect(asked).toEqual([question]);
  });

  it('allows everything without authorization', async () => {
    await bindPolicy({ validations: [{ expression: mayDo('delete') }] });
    expect(await createMap()).toBe('created');
  });

  it('may be asked twice by one expression, and not three times: that costs too much', async () => {
    const expression = ['get', 'list', 'watch'].map(mayDo).join(' && ');
    await bindPolicy({ validations: [{ expression }] });
    expect(await createMap()).toContain('operation cancelled: actual cost limit exceeded');
  });
});
