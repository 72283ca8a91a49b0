import { createServer as createPlainServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpsWebhookCaller } from '../../../lambdas/adapters/https/HttpsWebhookCaller.ts';
import type { WebhookTarget } from '../../../lambdas/ports/WebhookCaller.ts';
import { WebhookServer } from '../../support/WebhookServer.ts';

let server: WebhookServer;
let caller: HttpsWebhookCaller;

beforeEach(async () => {
  server = await WebhookServer.start();
  server.on('/allow', () => ({ allowed: true }));
  server.on('/hang', () => 'hang');
  caller = new HttpsWebhookCaller({ hasLocalClients: true });
});
afterEach(() => server.stop());

const REVIEW = JSON.stringify({ apiVersion: 'v1', kind: 'Review', request: { uid: '1' } });

function target(path: string, more: Partial<WebhookTarget> = {}): WebhookTarget {
  return { url: `https://${server.address}${path}`, caBundle: server.certificate, ...more };
}

describe('calls of webhooks', () => {
  it('post JSON to the path with its query, and return code and body', async () => {
    const answer = await caller.post(target('/allow?timeout=10s'), REVIEW, 5_000);
    expect(answer).toEqual({
      status: 'answered',
      code: 200,
      body: '{"apiVersion":"v1","kind":"Review","response":{"uid":"1","allowed":true}}',
    });
    expect(server.received).toEqual([{ path: '/allow?timeout=10s', review: JSON.parse(REVIEW) as object }]);
  });

  it('return the code of an error', async () => {
    expect(await caller.post(target('/nowhere'), REVIEW, 5_000)).toMatchObject({ status: 'answered', code: 404 });
  });

  it('end when their time is over, and others do not wait for them', async () => {
    const hanging = Array.from({ length: 20 }, () => caller.post(target('/hang'), REVIEW, 300));
    expect(await caller.post(target('/allow'), REVIEW, 5_000)).toMatchObject({ code: 200 });
    const overdue = { status: 'failed', why: 'context deadline exceeded' };
    expect(await Promise.all(hanging)).toEqual(hanging.map(() => overdue));
  });

  it('reach a service by its address, with a certificate for either', async () => {
    const service = target('/allow', { address: server.address, url: 'https://hook.default.svc:443/allow' });
    expect(await caller.post(service, REVIEW, 5_000)).toMatchObject({ status: 'answered', code: 200 });
  });

  it('trust nobody but the authorities of the bundle', async () => {
    const { caBundle: _, ...untrusted } = target('/allow');
    expect(await caller.post(untrusted, REVIEW, 5_000)).toEqual({
      status: 'failed',
      why: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    });
  });

  it('refuse a certificate for another host', async () => {
    const elsewhere = await caller.post(
      target('/allow', { url: 'https://hook.default.svc/allow', address: `[::ffff:127.0.0.1]:${server.port}` }),
      REVIEW,
      5_000,
    );
    expect(elsewhere).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/^tls: failed to verify certificate: x509: /),
    });
  });

  it.each(['127.0.0.1', 'localhost', '2130706433', '[::ffff:7f00:1]'])(
    'do not go to %s, this machine, for clients on other machines',
    async (host) => {
      const distant = new HttpsWebhookCaller({ hasLocalClients: false });
      const url = `https://${host}:${server.port}/allow`;
      expect(await distant.post(target('', { url }), REVIEW, 5_000)).toEqual({
        status: 'failed',
        why: `dial tcp ${new URL(url).host}: address not allowed`,
      });
      expect(server.received).toEqual([]);
    },
  );

  it('go to this machine for clients on other machines where the operator’s option says so', async () => {
    const distant = new HttpsWebhookCaller({ hasLocalClients: false });
    const service = target('/allow', { address: server.address, url: 'https://hook.default.svc:443/allow' });
    expect(await distant.post(service, REVIEW, 5_000)).toMatchObject({ status: 'answered', code: 200 });
  });

  it('never go to the metadata of a cloud’s machine', async () => {
    expect(await caller.post(target('', { url: 'https://169.254.169.254/' }), REVIEW, 5_000)).toEqual({
      status: 'failed',
      why: 'dial tcp 169.254.169.254:443: address not allowed',
    });
  });

  it('do not follow a redirect', async () => {
    server.redirect('/away', `https://${server.address}/allow`);
    expect(await caller.post(target('/away'), REVIEW, 5_000)).toMatchObject({ status: 'answered', code: 302 });
    expect(server.received.map(({ path }) => path)).toEqual(['/away']);
  });

  it('say that nobody listens', async () => {
    const stopped = await WebhookServer.start();
    const { address } = stopped;
    await stopped.stop();
    expect(await caller.post({ url: `https://${address}/allow` }, REVIEW, 5_000)).toEqual({
      status: 'failed',
      why: `dial tcp ${address}: connect: connection refused`,
    });
  });

  it('say that a host has no address', async () => {
    expect(await caller.post(target('', { url: 'https://hook.invalid/' }), REVIEW, 5_000)).toEqual({
      status: 'failed',
      why: 'dial tcp: lookup hook.invalid: no such host',
    });
  });

  it('say that the server speaks no TLS, or hangs up', async () => {
    const plain = createPlainServer((_request, response) => response.end());
    const rude = createServer((socket) => socket.destroy());
    const portOf = async (listening: typeof plain | typeof rude) => {
      await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve));
      return (listening.address() as AddressInfo).port;
    };
    const urls = [`https://127.0.0.1:${await portOf(plain)}/`, `https://127.0.0.1:${await portOf(rude)}/`];
    const answers = await Promise.all(urls.map((url) => caller.post({ url }, REVIEW, 5_000)));
    expect(answers).toEqual([
      { status: 'failed', why: 'http: server gave HTTP response to HTTPS client' },
      { status: 'failed', why: 'EOF' },
    ]);
    plain.close();
    rude.close();
  });
});
