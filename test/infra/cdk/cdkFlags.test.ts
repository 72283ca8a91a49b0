import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { CONTEXT, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

/** The flags that are not as the CDK recommends, each with why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  '@aws-cdk/aws-iam:minimizePolicies': 'statements that are merged no longer show what each is for',
  '@aws-cdk/core:target-partitions': 'the stack can be deployed in GovCloud, too',
};

const { resolve } = createRequire(import.meta.url);
const recommended = JSON.parse(readFileSync(resolve('aws-cdk-lib/recommended-feature-flags.json'), 'utf8')) as Readonly<
  Record<string, unknown>
>;

test('cdk.json sets each flag of the installed CDK, as it is recommended unless there is a reason', () => {
  const flags = Object.fromEntries(Object.entries(CONTEXT).filter(([name]) => name.startsWith('@aws-cdk')));
  expect(Object.keys(flags).sort()).toEqual(Object.keys(recommended).sort());
  const different = Object.keys(recommended).filter(
    (name) => JSON.stringify(flags[name]) !== JSON.stringify(recommended[name]),
  );
  expect(different.sort()).toEqual(Object.keys(OTHERWISE).sort());
});

/** The logical ids of the deployments of the API, which say by a hash what they deploy. */
function deploymentsOf(knobs: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(resourcesOf(synthesizeStack(knobs), 'AWS::ApiGateway::Deployment'));
}

test('a change of the authorizer deploys the API anew, and the same knobs do not', () => {
  const [before, same, changed] = [{}, {}, { authorizerCacheSeconds: 7 }].map(deploymentsOf);
  expect(before).toHaveLength(1);
  expect(same).toEqual(before);
  expect(changed).toHaveLength(1);
  expect(changed).not.toEqual(before);
  expect(resource(synthesizeStack(), 'Authorizer').Type).toBe('AWS::ApiGateway::Authorizer');
});
