import { describe, expect, test } from 'vitest';
import { type AuditPolicy, type AuditRule, decideAudit } from '../../../lambdas/rest/audit/AuditPolicy.ts';
import { resolveRequestInfo } from '../../../lambdas/rest/request/RequestInfo.ts';

const ann = { username: 'ann', groups: ['dev', 'system:authenticated'] };
const infoOf = (request: string) => {
  const [method = '', path = ''] = request.split(' ');
  return resolveRequestInfo(method, new URL(`http://localhost${path}`));
};
const levelOf = (rules: readonly AuditRule[], request: string, user: typeof ann | undefined = ann) =>
  decideAudit({ rules }, infoOf(request), user).level;

const PODS = 'GET /api/v1/namespaces/default/pods';
const core = (more: object = {}) => ({ resources: [{ group: '', ...more }] });

describe('a rule of an audit policy', () => {
  test.each<[matches: boolean, rule: Omit<AuditRule, 'level'>, request: string]>([
    [true, {}, PODS],
    [true, {}, 'GET /version'],
    [true, { users: ['bob', 'ann'] }, PODS],
    [false, { users: ['bob'] }, PODS],
    [true, { userGroups: ['ops', 'dev'] }, PODS],
    [false, { userGroups: ['ops'] }, PODS],
    [true, { verbs: ['list'] }, PODS],
    [false, { verbs: ['get'] }, PODS],
    [true, { verbs: ['watch'] }, `${PODS}?watch=1`],
    [true, { verbs: ['get'] }, 'GET /version'],
    [true, { namespaces: ['default'] }, PODS],
    [false, { namespaces: ['other'] }, PODS],
    [false, { namespaces: ['default'] }, 'GET /version'],
    [true, { namespaces: [''] }, 'GET /api/v1/nodes'],
    [false, { namespaces: [''] }, PODS],
    [true, core(), PODS],
    [true, core(), `${PODS}/web/log`],
    [false, core(), 'GET /apis/apps/v1/deployments'],
    [true, { resources: [{ group: 'apps', resources: ['deployments'] }] }, 'GET /apis/apps/v1/deployments'],
    [true, core({ resources: ['pods'] }), PODS],
    [false, core({ resources: ['pods'] }), `${PODS}/web/log`],
    [true, core({ resources: ['pods/log'] }), `${PODS}/web/log`],
    [false, core({ resources: ['pods/log'] }), PODS],
    [true, core({ resources: ['pods/*'] }), `${PODS}/web/log`],
    // Kubernetes' documentation says otherwise, and its code does this.
    [true, core({ resources: ['pods/*'] }), PODS],
    [true, core({ resources: ['*'] }), `${PODS}/web/log`],
    [true, core({ resources: ['*/log'] }), `${PODS}/web/log`],
    [false, core({ resources: ['*/scale'] }), `${PODS}/web/log`],
    [true, core({ resources: ['pods'], resourceNames: ['web'] }), `${PODS}/web`],
    [false, core({ resources: ['pods'], resourceNames: ['db'] }), `${PODS}/web`],
    [false, core({ resources: ['pods'], resourceNames: ['web'] }), PODS],
    [true, { nonResourceURLs: ['/version'] }, 'GET /version'],
    [true, { nonResourceURLs: ['/healthz*'] }, 'GET /healthz/ping'],
    [false, { nonResourceURLs: ['/healthz'] }, 'GET /healthz/ping'],
    [true, { nonResourceURLs: ['*'] }, 'GET /metrics'],
    [false, { nonResourceURLs: ['*'] }, PODS],
    [false, { users: ['ann'], verbs: ['delete'] }, PODS],
  ])('matches: %s, of %o and %s', (matches, rule, request) => {
    expect(levelOf([{ level: 'Request', ...rule }], request)).toBe(matches ? 'Request' : 'None');
  });

  test('for users or groups does not match a request of nobody', () => {
    expect(decideAudit({ rules: [{ level: 'Metadata', users: ['ann'] }] }, infoOf(PODS), undefined).level).toBe('None');
    expect(decideAudit({ rules: [{ level: 'Metadata', userGroups: ['dev'] }] }, infoOf(PODS), undefined).level).toBe(
      'None',
    );
    expect(decideAudit({ rules: [{ level: 'Metadata' }] }, infoOf(PODS), undefined).level).toBe('Metadata');
  });
});

describe('an audit policy', () => {
  test('goes by its first rule that matches', () => {
    const rules: readonly AuditRule[] = [
      { level: 'None', verbs: ['list'] },
      { level: 'RequestResponse', ...core({ resources: ['pods'] }) },
      { level: 'Metadata' },
    ];
    expect(levelOf(rules, PODS)).toBe('None');
    expect(levelOf(rules, `${PODS}/web`)).toBe('RequestResponse');
    expect(levelOf(rules, 'GET /version')).toBe('Metadata');
  });

  test('omits the stages of both, and lets a rule decide about managed fields', () => {
    const policy: AuditPolicy = {
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        { level: 'Metadata', verbs: ['list'], omitStages: ['ResponseStarted'], omitManagedFields: false },
        { level: 'Metadata', verbs: ['get'] },
      ],
    };
    expect(decideAudit(policy, infoOf(PODS), ann)).toEqual({
      level: 'Metadata',
      omitStages: ['RequestReceived', 'ResponseStarted'],
      omitManagedFields: false,
    });
    expect(decideAudit(policy, infoOf(`${PODS}/web`), ann)).toEqual({
      level: 'Metadata',
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
    });
  });
});
