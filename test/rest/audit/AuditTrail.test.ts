import { expect, test } from 'vitest';
import { AuditTrail } from '../../../lambdas/rest/audit/AuditTrail.ts';
import { MemoryAuditLog } from '../../support/MemoryAuditLog.ts';

test('what is recorded under a key first cannot be replaced: a webhook does not speak for the authorizer', () => {
  const log = new MemoryAuditLog();
  const trail = trailWith(log);
  trail.noteAuthorization({ isAllowed: false, reason: '' });
  trail.annotate('authorization.k8s.io/decision', 'allow');
  trail.write('ResponseComplete');
  expect(log.events[0].annotations).toMatchObject({ 'authorization.k8s.io/decision': 'forbid' });
});

function trailWith(log: MemoryAuditLog): AuditTrail {
  return new AuditTrail(
    {
      auditId: 'a-1',
      requestUri: '/api/v1/configmaps',
      verb: 'list',
      user: { username: 'ann', groups: [] },
      sourceAddresses: [],
      userAgent: '',
      isAuthenticated: true,
      isLongRunning: false,
      reference: undefined,
      receivedMs: 0,
      decision: { level: 'Metadata', omitStages: [], omitManagedFields: false },
      maxObjectCharacters: 500_000,
    },
    log,
    { now: () => 0 },
  );
}
