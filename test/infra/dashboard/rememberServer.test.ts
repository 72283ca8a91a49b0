import { expect, test } from 'vitest';
import { rememberServer } from '../../../infra/dashboard/server/rememberServer.ts';

const VERSION = { gitVersion: 'v1.34.1' };
const KNOWN = { version: 'v1.34.1', isDriftless: false, isCloud: false, hasTestControls: false, isVirtual: false };

test.each<[string, () => Promise<Response> | Response, unknown]>([
  ['does not answer', () => Promise.reject(new Error('away')), 'away'],
  ['is being started', () => Response.json({ message: 'not ready' }, { status: 503 }), 'not ready'],
  ['does not tell this user', () => Response.json({}, { status: 403 }), { ...KNOWN, version: '' }],
])('asks again after the server %s, and not once it has said what it is', async (_, first, expected) => {
  const answers = [first, () => Response.json(VERSION)];
  const known = rememberServer(async () => {
    const answer = answers.shift();
    if (!answer) throw new Error('asked too often');
    return await answer();
  });
  expect(await known().catch(({ message }: Error) => message)).toEqual(expected);
  expect(await known()).toEqual(KNOWN);
  expect(await known()).toEqual(KNOWN);
});

test.each([
  ['Virtual', { isVirtual: true, hasTestControls: true }],
  ['Real', { isVirtual: false, hasTestControls: true }],
  [undefined, { isVirtual: false, hasTestControls: false }],
])('knows what a clock of type %s can do', async (type, expected) => {
  const known = rememberServer(async (path) => {
    if (path === '/version') return Response.json({ gitVersion: 'v1.35.4+driftless' });
    return type === undefined ? Response.json({}, { status: 404 }) : Response.json({ status: { type } });
  });
  expect(await known()).toMatchObject({ isDriftless: true, isCloud: false, ...expected });
});

test('knows that a server behind API Gateway is in the cloud', async () => {
  const known = rememberServer(async () => Response.json(VERSION, { headers: { 'x-amz-apigw-id': 'AbC=' } }));
  expect(await known()).toMatchObject({ isCloud: true });
});
