import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { allowedTo } from './allowedTo.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-policy-'));
afterAll(() => rmSync(directory, { recursive: true }));

function policyFile(rules: object): string {
  const path = join(directory, 'policy.yaml');
  writeFileSync(path, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...rules }));
  return path;
}

type Template = ReturnType<typeof synthesizeStack>;

function variablesOf(template: Template): Record<string, string> {
  const { Environment } = resource(template, 'ApiFunction').Properties as { Environment: { Variables: object } };
  return resolve(Environment.Variables) as Record<string, string>;
}

/** The logical id of the log group of the audit log. */
function auditLogOf(template: Template): string | undefined {
  return Object.keys(resourcesOf(template, 'AWS::Logs::LogGroup')).find((id) => id.startsWith('AuditLog'));
}

describe('the audit log', () => {
  it('is not there unless it is asked for', () => {
    const template = synthesizeStack();
    expect(auditLogOf(template)).toBeUndefined();
    expect(variablesOf(template)).toMatchObject({
      DRIFTLESS_AUDIT_LOG_GROUP: 'none',
      DRIFTLESS_AUDIT_POLICY: 'none',
    });
  });

  it('is a log group of its own, which is kept for a year, and which the function may write', () => {
    const template = synthesizeStack({ audit: 'metadata' });
    const id = auditLogOf(template) ?? '';
    expect(resource(template, id)).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { RetentionInDays: 365 },
    });
    expect(variablesOf(template)['DRIFTLESS_AUDIT_LOG_GROUP']).toBe(`<${id}>`);
    const allowed = ['CreateLogStream', 'PutLogEvents'].map((action) => `<AuditLog.Arn> logs:${action}`);
    expect(allowedTo('api', template)).toEqual(expect.arrayContaining(allowed));
    expect(allowedTo('sync', template)).not.toEqual(expect.arrayContaining(allowed));
  });

  it('is kept as long as a knob says, and goes with the stack if its tables do', () => {
    const template = synthesizeStack({ audit: 'metadata', auditLogRetentionDays: 3653, removalPolicy: 'destroy' });
    expect(resource(template, auditLogOf(template) ?? '')).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { RetentionInDays: 3653 },
    });
  });

  it('is written by the container, too', () => {
    const template = synthesizeStack({ audit: 'metadata', api: 'container' });
    const id = auditLogOf(template) ?? '';
    const roles = JSON.stringify(resourcesOf(template, 'AWS::IAM::Role'));
    expect(roles).toContain(`"logs:PutLogEvents"],"Effect":"Allow","Resource":{"Fn::GetAtt":["${id}","Arn"]}`);
  });

  it('has the policy of a file, which the function reads', () => {
    const rules = [{ level: 'RequestResponse', resources: [{ group: 'apps' }] }];
    const template = synthesizeStack({ audit: policyFile({ rules, omitStages: ['RequestReceived'] }) });
    const policy = inflateRawSync(Buffer.from(variablesOf(template)['DRIFTLESS_AUDIT_POLICY'] ?? '', 'base64'));
    expect(JSON.parse(policy.toString('utf8'))).toEqual({ rules, omitStages: ['RequestReceived'] });
  });

  it.each([
    [true, 'stack property audit: must be false, "metadata" or the path of a policy file, not true'],
    ['/nowhere.yaml', 'stack property audit: Error: ENOENT'],
  ])('is refused if it is %j', (audit, message) => {
    expect(() => synthesizeStack({ audit })).toThrow(message);
  });

  it('is refused with a policy that Kubernetes refuses, or that has no room', () => {
    const wrong = policyFile({ rules: [{ level: 'All' }] });
    expect(() => synthesizeStack({ audit: wrong })).toThrow('rules[0].level: Unsupported value: "All"');
    const users = Array.from({ length: 500 }, (_, at) => `user-${(at * 7919) % 100_003}`);
    const large = policyFile({ rules: [{ level: 'Metadata', users }] });
    expect(() => synthesizeStack({ audit: large })).toThrow(/takes \d+ bytes when compressed; a function has room for/);
  });

  it('is refused where a function does not reach CloudWatch Logs', () => {
    expect(() => synthesizeStack({ audit: 'metadata', workerGroup: {} })).toThrow('needs api to be "container"');
  });
});
