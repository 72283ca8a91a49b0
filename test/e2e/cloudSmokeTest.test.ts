// Slow: an emulated cloud is deployed first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { SMOKE_TEST_NAMESPACE, SMOKE_TEST_USER } from '../../lambdas/rest/rbac/smokeTestRole.ts';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import { isCloud } from './serverArguments.ts';

const POLICIES = '/apis/admissionregistration.k8s.io/v1';

/** Refuses the smoke test's changes of a Deployment. */
const POLICY = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'frozen' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments'] }],
    },
    matchConditions: [{ name: 'by-the-smoke-test', expression: `request.userInfo.username == '${SMOKE_TEST_USER}'` }],
    validations: [{ expression: 'false', message: 'Deployments are frozen' }],
  },
};
const BINDING = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'frozen' },
  spec: { policyName: 'frozen', validationActions: ['Deny'] },
};

describe.skipIf(!isCloud || missingJava() !== undefined)(
  'a deployment that ends with the smoke test (npm run test:cloud)',
  () => {
    let emulation: Emulation;
    beforeAll(async () => {
      // Each function is invoked by its alias. The deployment fails with the smoke test.
      emulation = await startEmulation({
        smokeTest: true,
        traffic: 'canary10Percent15Minutes',
        accountConcurrency: 1000,
      });
    }, 300_000);
    afterAll(() => emulation?.stop());

    async function send(method: string, path: string, body?: object): Promise<Response> {
      return await fetch(`${emulation.url}/k8s${path}`, {
        method,
        headers: { authorization: `Bearer ${emulation.token()}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    }

    async function smokeTestObjects(): Promise<readonly string[]> {
      const lists = ['/apis/apps/v1', '/apis/apps/v1', '/api/v1'].map(async (version, at) => {
        const resource = ['deployments', 'replicasets', 'pods'][at];
        const answer = await send('GET', `${version}/namespaces/${SMOKE_TEST_NAMESPACE}/${resource}`);
        return ((await answer.json()) as { items: { metadata: { name: string } }[] }).items;
      });
      return (await Promise.all(lists)).flat().map(({ metadata }) => metadata.name);
    }

    test('leaves nothing of it, and passes again at an update', async () => {
      expect(await smokeTestObjects()).toEqual([]);
      expect(await emulation.updateSmokeTest('UPDATE_IN_PROGRESS')).toMatchObject({
        Status: 'SUCCESS',
        PhysicalResourceId: 'smoke-test',
        Data: { Outcome: expect.stringMatching(/^passed in \d+\.\d s$/) as string },
      });
      expect(await smokeTestObjects()).toEqual([]);
    }, 120_000);

    test('fails with what the API says, but lets a rollback pass', async () => {
      expect((await send('POST', `${POLICIES}/validatingadmissionpolicies`, POLICY)).status).toBe(201);
      expect((await send('POST', `${POLICIES}/validatingadmissionpolicybindings`, BINDING)).status).toBe(201);
      const failed = await emulation.updateSmokeTest('UPDATE_IN_PROGRESS');
      expect(failed).toMatchObject({
        Status: 'FAILED',
        Reason: expect.stringMatching(
          /^The smoke test failed\. roll the Deployment: 422: .*Deployments are frozen/,
        ) as string,
      });
      expect(await smokeTestObjects()).toEqual([]);
      expect(await emulation.updateSmokeTest('UPDATE_ROLLBACK_IN_PROGRESS')).toMatchObject({
        Status: 'SUCCESS',
        Data: { Outcome: 'not run: the deployment is being rolled back' },
      });
    }, 240_000);
  },
);
