import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../../infra/local/startControlPlane.ts';
import { MemoryAuditLog } from '../../support/MemoryAuditLog.ts';
import * as fc from '../../support/seededFastCheck.ts';

const log = new MemoryAuditLog();
let controlPlane: ControlPlane;
beforeAll(async () => {
  const policy = { omitStages: ['RequestReceived'] as const, rules: [{ level: 'Metadata' as const }] };
  controlPlane = await startControlPlane({
    audit: { policy, log, maxObjectCharacters: Number.POSITIVE_INFINITY, remoteAddressOf: () => undefined },
  });
});
afterAll(async () => await controlPlane.stop());

const DEPLOYMENT = 'deployment/default/web';

/** Each path that a server answers, some that it does not know, and some of resources. One that is not encoded correctly names nothing, and is refused before it is a request, as by Go's server. */
const PATHS = [
  '/',
  '/.well-known/openid-configuration',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/apps/v1',
  '/apis/none.example.com/v1',
  '/api/v1/nothings',
  '/api/v1/namespaces/default',
  '/api/v1/namespaces/none',
  '/api/v1/namespaces/default/pods?limit=nonsense',
  '/apis/apps/v1/namespaces/default/deployments',
  '/healthz',
  '/livez',
  '/readyz',
  '/readyz/none',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openid/v1/jwks',
  '/version',
  '/debug/pprof',
  '/dashboards',
  '/debug/explain/namespace/default',
  `/debug/explain/${DEPLOYMENT}`,
  '/debug/explain/nobody/default/web',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

test('the audit log tells of each path what the client was told', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...PATHS),
    fc.constantFrom(...METHODS),
    fc.constantFrom('application/json', 'text/plain', '*/*'),
    async (path, method, accept) => {
      const before = log.events.length;
      const response = await controlPlane.fetch(
        new Request(`http://127.0.0.1${path}`, { method, headers: { accept } }),
      );
      await response.body?.cancel();
      const events = log.events.slice(before);
      expect(events).toMatchObject([{ requestURI: path, responseStatus: { code: response.status } }]);
      expect(response.headers.get('audit-id')).toBe(events[0].auditID);
    },
  );
  await fc.assert(property, {
    numRuns: 400,
    examples: PATHS.map((path) => [path, 'GET', 'application/json'] as [string, string, string]),
  });
});

test('an explanation that is found is told as such', async () => {
  const response = await controlPlane.fetch(new Request('http://127.0.0.1/debug/explain/namespace/default'));
  expect(response.status).toBe(200);
  expect(log.events.at(-1)).toMatchObject({ verb: 'get', responseStatus: { code: 200 } });
});
