import { expect, test } from 'vitest';
import { rememberServer } from '../../../infra/dashboard/server/rememberServer.ts';

const VERSION = { gitVersion: 'v1.34.1' };
const KNOWN = { version: 'v1.34.1', isDriftless: false, isVirtual: false };

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
