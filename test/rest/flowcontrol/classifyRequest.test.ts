import { describe, expect, test } from 'vitest';
import { classifyRequest, type FlowSchema } from '../../../lambdas/rest/flowcontrol/classifyRequest.ts';
import { completeFlowControl } from '../../../lambdas/rest/flowcontrol/FlowControlConfiguration.ts';
import { resolveRequestInfo } from '../../../lambdas/rest/request/RequestInfo.ts';

const ANN = { username: 'ann', groups: ['system:authenticated'] };
const INFO = resolveRequestInfo('GET', new URL('http://localhost/api/v1/namespaces/dev/pods'));
const LEVEL = { metadata: { name: 'mine' }, spec: { type: 'Limited' } };

function schema(name: string, matchingPrecedence: number, more: object = {}): FlowSchema {
  const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
  return {
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name: 'mine' },
      matchingPrecedence,
      rules: [{ subjects: [{ kind: 'User', user: { name: 'ann' } }], resourceRules: [rule] }],
      ...more,
    },
  };
}

const flowOf = (...schemas: FlowSchema[]) => classifyRequest(completeFlowControl(schemas, [LEVEL]), INFO, ANN);
const nameOf = (...schemas: FlowSchema[]) => flowOf(...schemas)?.schema.metadata.name;

describe('of several schemas that match', () => {
  test.each<[string, FlowSchema[], string]>([
    ['the one with the lowest precedence counts', [schema('a', 20), schema('b', 10)], 'b'],
    ['the first by name counts where that is the same', [schema('b', 10), schema('a', 10)], 'a'],
    [
      'one whose level is missing counts for nothing',
      [schema('a', 10, { priorityLevelConfiguration: { name: 'gone' } }), schema('b', 20)],
      'b',
    ],
    ['one of the mandatory ones counts where no other does', [schema('a', 10, { rules: [] })], 'catch-all'],
  ])('%s', (_, schemas, expected) => {
    expect(nameOf(...schemas)).toBe(expected);
  });
});

describe('flows of a schema are distinguished', () => {
  test.each([
    ['by the user', { distinguisherMethod: { type: 'ByUser' } }, 'ann'],
    ['by the namespace', { distinguisherMethod: { type: 'ByNamespace' } }, 'dev'],
    ['by nothing', {}, ''],
  ])('%s', (_, more, distinguisher) => {
    expect(flowOf(schema('a', 10, more))?.distinguisher).toBe(distinguisher);
  });
});

test('the mandatory ones count even where others are all that is stored, so administrators are never limited', () => {
  const root = { username: 'root', groups: ['system:masters', 'system:authenticated'] };
  const everybody = schema('a', 2, {
    rules: [{ ...schema('a', 2).spec?.rules?.[0], subjects: [{ kind: 'Group', group: { name: '*' } }] }],
  });
  expect(classifyRequest(completeFlowControl([everybody], [LEVEL]), INFO, root)?.level.spec?.type).toBe('Exempt');
});
