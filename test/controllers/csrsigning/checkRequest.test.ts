import { describe, expect, it } from 'vitest';
import { recognizeRequest } from '../../../lambdas/controllers/csrapproving/recognizeRequest.ts';
import { SIGNERS, type SigningRequest } from '../../../lambdas/controllers/csrapproving/SigningRequest.ts';
import { checkRequest } from '../../../lambdas/controllers/csrsigning/checkRequest.ts';
import { decideTerms } from '../../../lambdas/controllers/csrsigning/decideTerms.ts';
import type { CertificateRequest } from '../../../lambdas/ports/CertificateAuthority.ts';

const kubelet: CertificateRequest = {
  commonName: 'system:node:worker',
  organizations: ['system:nodes'],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
  subject: [],
  publicKey: Buffer.alloc(0),
};
const client = ['digital signature', 'client auth'];
const serving = ['digital signature', 'key encipherment', 'server auth'];

describe('a signer', () => {
  it.each([
    ['signs a kubelet’s client certificate', SIGNERS.kubeletClient, {}, client, undefined],
    ['needs no key encipherment', SIGNERS.kubeletClient, {}, [...client, 'key encipherment'], undefined],
    [
      'wants the group of nodes alone',
      SIGNERS.kubeletClient,
      { organizations: ['system:nodes', 'system:masters'] },
      client,
      'subject organization is not system:nodes',
    ],
    [
      'wants the name of a node',
      SIGNERS.kubeletClient,
      { commonName: 'worker' },
      client,
      'subject common name does not begin with system:node:',
    ],
    [
      'wants no names in a client certificate',
      SIGNERS.kubeletClient,
      { dnsNames: ['a'] },
      client,
      'DNS subjectAltNames are not allowed',
    ],
    [
      'wants no addresses in it',
      SIGNERS.kubeletClient,
      { ipAddresses: ['10.0.0.1'] },
      client,
      'IP subjectAltNames are not allowed',
    ],
    ['wants no other usages in it', SIGNERS.kubeletClient, {}, [...client, 'server auth'], 'usages did not match'],
    [
      'signs a kubelet’s serving certificate',
      SIGNERS.kubeletServing,
      { ipAddresses: ['10.0.0.1'] },
      serving,
      undefined,
    ],
    ['wants a name or an address in that', SIGNERS.kubeletServing, {}, serving, 'DNS or IP subjectAltName is required'],
    [
      'wants no URI in it',
      SIGNERS.kubeletServing,
      { dnsNames: ['a'], uris: ['b'] },
      serving,
      'URI subjectAltNames are not allowed',
    ],
    ['wants no client usage in it', SIGNERS.kubeletServing, { dnsNames: ['a'] }, client, 'usages did not match'],
    [
      'signs any other user',
      SIGNERS.apiServerClient,
      { commonName: 'ann', organizations: ['devs'] },
      ['client auth'],
      undefined,
    ],
    [
      'makes no masters',
      SIGNERS.apiServerClient,
      { organizations: ['system:masters'] },
      ['client auth'],
      'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    ],
    ['wants a client usage for a user', SIGNERS.apiServerClient, {}, ['digital signature'], 'usages did not match'],
  ])('%s', (_, signer, change, usages, problem) => {
    expect(checkRequest(signer, { ...kubelet, ...change }, usages)).toBe(problem);
  });
});

describe('a request is recognized', () => {
  const of = (username: string, signerName: string = SIGNERS.kubeletClient) =>
    recognizeRequest({ spec: { username, signerName, usages: client } } as SigningRequest, kubelet).map(
      ({ subresource }) => subresource,
    );
  it.each([
    ['as a machine’s first', of('system:bootstrap:abcdef'), ['nodeclient']],
    ['as a kubelet’s own', of('system:node:worker'), ['selfnodeclient', 'nodeclient']],
    ['as nothing, if another signer is asked', of('system:node:worker', SIGNERS.kubeletServing), []],
  ])('%s', (_, found, wanted) => expect(found).toEqual(wanted));
});

it.each([
  [undefined, 365 * 86_400],
  [3_600, 3_600],
  [10, 600],
  [10 * 365 * 86_400, 365 * 86_400],
])('a certificate that is asked for %s seconds is valid for %d', (asked, seconds) => {
  const { notBeforeMs, notAfterMs } = decideTerms(client, asked, 1_000_000);
  expect([notAfterMs - 1_000_000, notBeforeMs]).toEqual([seconds * 1000, 700_000]);
});
