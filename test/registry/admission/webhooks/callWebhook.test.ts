import { expect, test } from 'vitest';
import { RequestBudget } from '../../../../lambdas/objects/RequestBudget.ts';
import { callWebhook } from '../../../../lambdas/registry/admission/webhooks/callWebhook.ts';

const DEPTH = 100_000;

/** Bodies that a hostile webhook answers. The next finding is one line. */
const BODIES: readonly (readonly [name: string, body: string])[] = [
  ['lists in lists', `{"response":{"status":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}}`],
  ['objects in objects', `{"response":${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`],
  ['nothing but brackets', '['.repeat(DEPTH)],
];

test.each(BODIES)('a webhook whose answer is %s has failed', async (_, body) => {
  const caller = { post: async () => ({ status: 'answered' as const, code: 200, body }) };
  const services = {} as Parameters<typeof callWebhook>[0]['services'];
  const config = { url: 'https://127.0.0.1/' };
  const answer = await callWebhook({ caller, services }, config, {}, { timeoutMs: 1_000, tellsTimeout: false });
  const why = "couldn't get version/kind; json parse error: exceeded max depth";
  expect(answer).toEqual({ status: 'failed', why });
});

test('what a webhook answers beyond what it was sent draws on the budget of the request', async () => {
  const answers = (body: string) =>
    callWebhook(
      { caller: { post: async () => ({ status: 'answered' as const, code: 200, body }) }, services: {} },
      { url: 'https://127.0.0.1/' },
      { object: 'a'.repeat(1_000) },
      { timeoutMs: 1_000, tellsTimeout: false, budget: new RequestBudget({ maxBytes: 1_000 }) },
    );
  expect(await answers(JSON.stringify({ object: 'a'.repeat(1_900) }))).toMatchObject({ status: 'answered' });
  await expect(answers(JSON.stringify({ object: 'a'.repeat(2_100) }))).rejects.toThrow('limit is 1000 bytes kept');
});
