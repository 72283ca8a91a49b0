import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseBearerToken } from '../../../lambdas/functions/authorize/parseBearerToken.ts';
import { createToken } from '../../../infra/emulation/identity/createToken.ts';
import { selfSignedCertificate } from '../../../infra/host/selfSignedCertificate.ts';
import { EmulatedSts } from '../../../infra/emulation/identity/EmulatedSts.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const KNOWN = {
  accessKeyId: 'AKIAKNOWN',
  secretAccessKey: 'secret',
  arn: 'arn:aws:iam::000000000000:user/known',
  account: '000000000000',
  userId: 'AIDAKNOWN',
};

describe('the emulated STS', () => {
  let sts: EmulatedSts;
  beforeAll(async () => {
    sts = await EmulatedSts.open([KNOWN], () => NOW_MS);
  });
  afterAll(() => sts.close());

  const ask = (token: string, stackId: string, change: (url: URL) => void = () => {}) => {
    const url = new URL(Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString());
    change(url);
    const headers = { host: url.hostname, 'x-k8s-aws-id': stackId };
    return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sent = request({ port: sts.port, path: url.pathname + url.search, headers }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        response.once('end', () => resolve({ status: response.statusCode, body }));
      });
      sent.once('error', reject);
      sent.end();
    });
  };

  it('returns the identity that signed a token', async () => {
    const { status, body } = await ask(createToken(KNOWN, 'mine', NOW_MS), 'mine');
    expect(status).toBe(200);
    expect(JSON.parse(body).GetCallerIdentityResponse.GetCallerIdentityResult).toEqual({
      Account: KNOWN.account,
      Arn: KNOWN.arn,
      UserId: KNOWN.userId,
    });
  });

  it.each([
    ['a token for another stack', createToken(KNOWN, 'another', NOW_MS), undefined, 'SignatureDoesNotMatch'],
    [
      'a changed parameter',
      createToken(KNOWN, 'mine', NOW_MS),
      (url: URL) => url.searchParams.set('X-Amz-Expires', '61'),
      'SignatureDoesNotMatch',
    ],
    [
      'a wrong secret',
      createToken({ ...KNOWN, secretAccessKey: 'guess' }, 'mine', NOW_MS),
      undefined,
      'SignatureDoesNotMatch',
    ],
    [
      'an unknown access key',
      createToken({ ...KNOWN, accessKeyId: 'AKIAOTHER' }, 'mine', NOW_MS),
      undefined,
      'InvalidClientTokenId',
    ],
    ['an old token', createToken(KNOWN, 'mine', NOW_MS - 900_000), undefined, 'ExpiredToken'],
  ])('refuses %s', async (_, token, change, code) => {
    const { status, body } = await ask(token, 'mine', change);
    expect([status, JSON.parse(body).Error.Code]).toEqual([403, code]);
  });
});

describe('a token', () => {
  it('is accepted by the authorizer`s parser', () => {
    const token = createToken(KNOWN, 'mine', NOW_MS);
    expect(parseBearerToken(token, { partition: 'aws', nowMs: NOW_MS })).toMatchObject({ status: 'ask' });
  });

  it('is refused a quarter of an hour later', () => {
    const token = createToken(KNOWN, 'mine', NOW_MS);
    expect(parseBearerToken(token, { partition: 'aws', nowMs: NOW_MS + 900_000 })).toMatchObject({ status: 'refused' });
  });
});

describe('the certificate', () => {
  it('is self-signed and valid for this machine only', () => {
    const { certificate } = selfSignedCertificate(NOW_MS);
    const read = new X509Certificate(certificate);
    expect(read.verify(read.publicKey)).toBe(true);
    expect([read.checkIP('127.0.0.1'), read.checkHost('localhost'), read.checkHost('example.com')]).toEqual([
      '127.0.0.1',
      'localhost',
      undefined,
    ]);
    expect(Date.parse(read.validFrom)).toBeLessThan(NOW_MS);
  });
});
