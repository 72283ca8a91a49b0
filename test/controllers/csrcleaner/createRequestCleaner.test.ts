import { beforeEach, describe, expect, it } from 'vitest';
import { createRequestCleaner } from '../../../lambdas/controllers/csrcleaner/createRequestCleaner.ts';
import { decideCleaning } from '../../../lambdas/controllers/csrcleaner/decideCleaning.ts';
import type { SigningRequest } from '../../../lambdas/controllers/csrapproving/SigningRequest.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { createCertificate, createSigningRequest } from '../../support/signingRequests.ts';

const HOUR_MS = 3_600_000;
const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';
const MADE = '2026-01-01T00:00:00Z';
const MADE_MS = Date.parse(MADE);
const LATER = '2026-01-01T05:00:00Z';
const LATER_MS = Date.parse(LATER);

const requestWith = (status: object) =>
  ({ metadata: { creationTimestamp: MADE }, status }) as unknown as SigningRequest;
const settled = (type: string, lastUpdateTime?: string) => ({
  conditions: [{ type, status: 'True', ...(lastUpdateTime && { lastUpdateTime }) }],
});

describe('a request for a certificate is deleted', () => {
  it.each<[string, object, number | undefined]>([
    ['a day after it was made, if nobody decides', {}, MADE_MS + 24 * HOUR_MS],
    ['an hour after it was denied', settled('Denied', LATER), LATER_MS + HOUR_MS],
    ['an hour after it failed', settled('Failed', LATER), LATER_MS + HOUR_MS],
    ['never while it is approved and has no certificate', settled('Approved', LATER), undefined],
    ['never if nobody knows when it was denied', settled('Denied'), undefined],
    [
      'an hour after it was approved, if it has its certificate',
      { ...settled('Approved', LATER), certificate: 'bm9uZQ==' },
      LATER_MS + HOUR_MS,
    ],
  ])('%s', (_, status, endMs) => {
    const nowMs = MADE_MS + 1234;
    const expected = endMs === undefined ? undefined : endMs + 1 - nowMs;
    expect(decideCleaning(requestWith(status), nowMs)).toBe(expected);
  });

  it('when its certificate ends', async () => {
    // It ends at 1,000 s.
    const certificate = await createCertificate();
    expect(decideCleaning(requestWith({ ...settled('Approved', MADE), certificate }), 0)).toBe(1_000_001);
  });
});

describe('the cleaner', () => {
  let bench: ControllerBench;
  beforeEach(async () => {
    bench = new ControllerBench();
    bench.add(createRequestCleaner());
    const spec = {
      username: 'ann',
      request: await createSigningRequest(),
      signerName: 'example.com/signer',
      usages: ['client auth'],
    };
    const metadata = { name: 'worker' };
    const kind = 'CertificateSigningRequest';
    await bench.create(REQUESTS, { apiVersion: 'certificates.k8s.io/v1', kind, metadata, spec });
  });
  const names = async () => {
    await bench.settle();
    return await bench.names(REQUESTS);
  };

  it('deletes what nobody has decided about for a day', async () => {
    bench.clock.advanceBy(24 * HOUR_MS);
    expect(await names()).toEqual(['worker']);
    bench.clock.advanceBy(1);
    expect(await names()).toEqual([]);
  });

  it('deletes what was denied an hour ago', async () => {
    await names();
    const request = await bench.get(REQUESTS, '', 'worker');
    if (!request) throw new Error('the request is missing');
    const status = settled('Denied', '2026-01-01T00:00:00Z');
    await bench.registry.update(REQUESTS, { ...request, status }, { subresource: 'approval' });
    bench.clock.advanceBy(HOUR_MS + 1_000);
    expect(await names()).toEqual([]);
  });
});
