import { beforeEach, describe, expect, test } from 'vitest';
import { CloudWatchAuditLog } from '../../../../lambdas/adapters/aws/audit/CloudWatchAuditLog.ts';
import { LogsError } from '../../../../lambdas/adapters/aws/audit/LogsClient.ts';
import { signRequest } from '../../../../lambdas/adapters/aws/signRequest.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { auditEvent } from '../../../contracts/auditLogContract.ts';
import { LogsModel } from '../../../model/LogsModel.ts';
import { advance } from '../../../support/advance.ts';

let model: LogsModel;
let clock: VirtualClock;
let reports: Record<string, unknown>[];
let log: CloudWatchAuditLog;
beforeEach(() => {
  model = new LogsModel('audit');
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  reports = [];
  const report = (line: Readonly<Record<string, unknown>>) => void reports.push(line);
  log = new CloudWatchAuditLog({ client: model, logGroup: 'audit', clock, ids: new SeededIds(1), report });
});

const object = (bytes: number) => JSON.stringify({ data: 'x'.repeat(bytes) });

describe('events for CloudWatch', () => {
  test('go together after a moment, into a stream of the process', async () => {
    for (const id of ['a', 'b']) log.write(auditEvent(id));
    expect(model.calls).toBe(0);
    await advance(clock, 100);
    await log.flush();
    expect([...model.streams.keys()]).toEqual([expect.stringMatching(/^2026\/01\/01\/[0-9a-f-]{36}$/)]);
    expect(model.batches).toEqual([2]);
    log.write(auditEvent('c'));
    await log.flush();
    expect([model.streams.size, model.batches]).toEqual([1, [2, 1]]);
  });

  test('are as many to a request as it may hold', async () => {
    for (let count = 0; count < 10_001; count++) log.write(auditEvent('a'));
    for (let count = 0; count < 3; count++) log.write(auditEvent('b', { requestObject: object(500_000) }));
    await log.flush();
    expect(model.messages).toHaveLength(10_004);
    expect(Math.max(...model.batches)).toBeLessThanOrEqual(10_000);
    expect(reports).toEqual([]);
  });

  test('that are too large lose their objects, and say so', async () => {
    log.write(auditEvent('a', { responseObject: object(1_048_576), annotations: { 'a/b': 'c' } }));
    await log.flush();
    const [event] = model.messages.map((message) => JSON.parse(message) as object);
    expect(event).toMatchObject({ auditID: 'a', annotations: { 'a/b': 'c', 'audit.k8s.io/truncated': 'true' } });
    expect(event).not.toHaveProperty('responseObject');
  });

  test('are sent again if they are throttled, or not answered', async () => {
    model.failures.push(new LogsError('ThrottlingException', 400, ''), new TypeError('fetch failed'));
    log.write(auditEvent('a'));
    const flushed = log.flush();
    for (let attempt = 1; attempt < 3; attempt++) {
      await new Promise((resolve) => setImmediate(resolve));
      await advance(clock, 200);
    }
    await flushed;
    expect([model.messages.length, reports]).toEqual([1, []]);
  });

  test('are lost if they are refused, which is said once, and once when it is over', async () => {
    const denied = () => new LogsError('AccessDeniedException', 400, 'not allowed');
    model.failures.push(denied(), denied());
    for (const id of ['a', 'b', 'c']) {
      log.write(auditEvent(id));
      await log.flush();
    }
    expect(model.messages).toHaveLength(1);
    expect(reports).toEqual([
      { level: 'error', msg: 'audit events are lost', error: 'AccessDeniedException: not allowed' },
      { level: 'warn', msg: 'audit events are kept again', lost: 2 },
    ]);
  });

  test('that are not taken are counted as lost', async () => {
    model.rejected = { tooNewLogEventStartIndex: 1 };
    for (const id of ['a', 'b', 'c']) log.write(auditEvent(id));
    await log.flush();
    model.rejected = undefined;
    log.write(auditEvent('d'));
    await log.flush();
    expect(reports).toMatchObject([{ msg: 'audit events are lost' }, { msg: 'audit events are kept again', lost: 2 }]);
  });

  test('are lost if too many wait, so that no memory is', () => {
    for (let count = 0; count < 20; count++) log.write(auditEvent('a', { requestObject: object(1_000_000) }));
    expect(reports).toMatchObject([{ error: 'CloudWatch does not keep up with the audit log' }]);
  });
});

// The values of `post-vanilla` in AWS' test suite of Signature Version 4.
test('a request is signed as AWS says', async () => {
  const headers = await signRequest({
    url: new URL('https://example.amazonaws.com/'),
    headers: {},
    body: '',
    service: 'service',
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    nowMs: Date.UTC(2015, 7, 30, 12, 36),
  });
  expect(headers).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
      'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  });
});
