// Slow: the client's own tests wait for seconds where Kubernetes might be slow.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputOf } from '../../support/runProgram.ts';
import { ServerProcess } from '../../support/ServerProcess.ts';

/** The sources of Kubernetes' Python client as `.ci/python-client` has unpacked them. Nobody has changed them. */
const SOURCES = fileURLToPath(new URL('../../../node_modules/.cache/driftless/python-client', import.meta.url));
/** Debian's own Python, which has the packages that the client needs. */
const PYTHON = '/usr/bin/python3';

/** The tests that do not pass, and why. */
const FAILING: Readonly<Record<string, string>> = {
  'test_client.TestClient.test_exit_code': 'runs programs in containers, and simulated pods have none',
  'test_client.TestClient.test_pod_apis': 'runs programs in containers, and simulated pods have none',
  'test_client.TestClient.test_portforward_http': 'connects to a container, and simulated pods have none',
  'test_client.TestClient.test_portforward_raw': 'connects to a container, and simulated pods have none',
  'test_utils.TestUtils.test_create_apiservice_from_yaml_with_conflict': 'no other API servers are aggregated',
};

/** Runs the suite with a report of one line for each test: `ok test_batch.TestClientBatch.test_job_apis`. */
const RUNNER = `
import unittest
class Result(unittest.TestResult):
    def stopTest(self, test):
        failed = any(one is test for one, _ in self.failures + self.errors)
        print('failed' if failed else 'ok', test.id().removeprefix('kubernetes.e2e_test.'))
suite = unittest.defaultTestLoader.discover('kubernetes/e2e_test', pattern='test_*.py', top_level_dir='.')
result = Result()
suite.run(result)
for test, why in result.failures + result.errors: print(test.id(), why)
`;

describe.skipIf(!existsSync(SOURCES))(
  'the tests of Kubernetes’ Python client, which .ci/python-client fetches,',
  () => {
    let server: ServerProcess;
    beforeAll(async () => {
      server = await ServerProcess.start(['--tls']);
    });
    afterAll(() => server?.dispose());

    test('pass unmodified, but for those that need containers or other API servers', async () => {
      const env = { KUBECONFIG: server.kubeconfig, PYTHONDONTWRITEBYTECODE: '1' };
      const output = await outputOf(PYTHON, ['-c', RUNNER], { env, directory: SOURCES });
      const tests = [...output.matchAll(/^(ok|failed) (\S+)$/gm)];
      expect(tests.length, output).toBeGreaterThanOrEqual(32);
      const failed = tests.filter(([, outcome]) => outcome === 'failed').map(([, , name = '']) => name);
      expect(failed.toSorted(), output).toEqual(Object.keys(FAILING).toSorted());
    }, 300_000);
  },
);
