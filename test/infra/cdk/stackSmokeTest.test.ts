import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it, test } from 'vitest';
import { addDriftlessStack } from '../../../infra/cdk/addDriftlessStack.ts';
import { SMOKE_TEST_USER } from '../../../lambdas/rest/rbac/smokeTestRole.ts';
import { createTestApp } from './createTestApp.ts';
import { CONTEXT, resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const template = synthesizeStack();

type Template = typeof template;
type Waiting = { readonly Type: string; readonly DependsOn?: readonly string[] };

function resources(of: Template): Readonly<Record<string, Waiting>> {
  return of.toJSON()['Resources'] as Record<string, Waiting>;
}

function smokeTest(of: Template) {
  const [[id, { Properties }] = ['', { Properties: {} }]] = Object.entries(resourcesOf(of, 'Custom::SmokeTest'));
  return { id, properties: resolve(Properties) as Readonly<Record<string, string>> };
}

describe('the smoke test of a stack', () => {
  const { id, properties } = smokeTest(template);

  it('goes through API Gateway, as a user of its own', () => {
    expect(properties).toMatchObject({
      ApiUrl: 'https://<Api>.execute-api.eu-central-1.amazonaws.com/k8s',
      ClusterId: 'driftless-eu-central-1-111122223333',
    });
    const variables = (name: string) =>
      (resolve(resource(template, name).Properties['Environment']) as { Variables: Record<string, string> }).Variables;
    expect(JSON.parse(variables('AuthorizeFunction')['DRIFTLESS_IDENTITIES'] ?? '')).toEqual([
      { arn: expect.stringMatching(/^<SmokeTestRole\w+\.Arn>$/) as string, username: SMOKE_TEST_USER, groups: [] },
    ]);
    expect(variables('ResyncFunction')['DRIFTLESS_SMOKE_TEST']).toBe('true');
  });

  it('waits for everything but the protection of the tables, which waits for it', () => {
    const waitsFor = new Set(resources(template)[id]?.DependsOn);
    const own = [id, properties['ServiceToken']?.replace(/^<(\w+)\.Arn>$/, '$1')];
    const others = Object.entries(resources(template)).filter(
      ([other, { Type }]) => !own.includes(other) && !other.startsWith('SmokeTestLog') && Type !== 'AWS::CDK::Metadata',
    );
    const later = others.map(([other]) => other).filter((other) => !waitsFor.has(other));
    expect(later.length).toBeGreaterThan(0);
    // The CDK's function of the calls at the end is created with the first of them, before the test.
    for (const other of later) expect(other).toMatch(/^Protect\w+Table/);
    const first = later.find((other) => other.startsWith('ProtectObjectsTable')) ?? '';
    expect(resources(template)[first]?.DependsOn).toContain(id);
  });

  it('ends before CloudFormation gives it up, and before Lambda ends its function', () => {
    const { Timeout } = resource(template, String(properties['ServiceToken']).slice(1, -5)).Properties as {
      Timeout: number;
    };
    expect(Timeout).toBeLessThanOrEqual(900);
    expect(Number(properties['ServiceTimeout'])).toBeGreaterThan(Timeout);
  });

  it('is run again by a deployment that changes anything, and by no other', () => {
    const releaseOf = (knobs: object) => smokeTest(synthesizeStack({ ...knobs })).properties['Release'];
    expect(properties['Release']).toMatch(/^[0-9a-f]{16}$/);
    expect(releaseOf({})).toBe(properties['Release']);
    for (const knobs of [{ logRetentionDays: 7 }, { alarmEmail: 'ops@example.com' }, { nodes: 4 }]) {
      expect(releaseOf(knobs)).not.toBe(properties['Release']);
    }
  });

  it('that is switched on later has `resync` create its role first', () => {
    const releaseIn = (of: Template) =>
      Object.values(resourcesOf(of, 'Custom::AWS'))
        .map(({ Properties }) => /release-[0-9a-f]{16}/.exec(JSON.stringify(Properties))?.[0])
        .find((release) => release !== undefined);
    expect(releaseIn(template)).toBeDefined();
    expect(releaseIn(synthesizeStack({ smokeTest: false }))).not.toBe(releaseIn(template));
    const call = Object.keys(resourcesOf(template, 'Custom::AWS')).find((name) => name.startsWith('QueueAllAtStart'));
    expect(resources(template)[id]?.DependsOn).toContain(call);
  });

  test.each([
    ['all of it', {}, 'rollout', 0],
    ['requests, without nodes', { nodes: 0 }, 'requests', 1],
    ['requests, without a scheduler', { config: { controllers: { scheduler: { enabled: false } } } }, 'requests', 1],
    [
      'all of it, also if namespaces stay',
      { config: { controllers: { namespace: { enabled: false } } } },
      'rollout',
      0,
    ],
    [
      'nothing, if roles are not served',
      { config: { apiVersions: { 'rbac.authorization.k8s.io/v1': false } } },
      undefined,
      1,
    ],
    ['nothing, if it is switched off', { smokeTest: false }, undefined, 0],
  ])('checks %s, and warns of what it leaves out', (_, driftless, checks, warnings) => {
    const app = createTestApp({ ...CONTEXT, driftless });
    const stack = addDriftlessStack(app);
    expect(Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('^smokeTest: '))).toHaveLength(
      warnings,
    );
    const synthesized = synthesizeStack(driftless);
    const plan = smokeTest(synthesized).properties['Plan'];
    expect(plan === undefined ? undefined : (JSON.parse(plan) as { checks: string }).checks).toBe(checks);
    const tester = Object.keys(synthesized.findResources('AWS::IAM::Role')).filter((id) => id.startsWith('SmokeTest'));
    expect(tester).toHaveLength(checks === undefined ? 0 : 1);
  });
});
