import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeptAuthority } from '../../../lambdas/adapters/certificates/KeptAuthority.ts';
import { loadX509 } from '../../../lambdas/adapters/certificates/loadX509.ts';
import { MemorySigningKeys } from '../../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { createSigningRequest } from '../../support/signingRequests.ts';

const NOW = Date.UTC(2026, 0, 1);
const clock = { now: () => NOW };
const DAY_MS = 86_400_000;

async function decodedBy(authority: KeptAuthority) {
  const request = await authority.decodeRequest(await createSigningRequest());
  if (!request) throw new Error('the request was not decoded');
  return request;
}

describe('the authority of a cluster of several processes', () => {
  it('is made by the first process that needs it, and is the same in all', async () => {
    const keys = new MemorySigningKeys();
    const [one, two] = [new KeptAuthority({ clock, keys }), new KeptAuthority({ clock, keys })];
    expect(await keys.read()).toBeUndefined();
    const [first, second] = await Promise.all([one.certificate(), two.certificate()]);
    expect(second).toBe(first);
    expect(await new KeptAuthority({ clock, keys }).certificate()).toBe(first);
  });

  it('signs certificates that its own certificate verifies', async () => {
    const authority = new KeptAuthority({ clock, keys: new MemorySigningKeys() });
    const request = await decodedBy(authority);
    expect(request).toMatchObject({ commonName: 'alice' });
    const terms = { usages: ['client auth'], notBeforeMs: NOW, notAfterMs: NOW + DAY_MS } as const;
    const signed = new X509Certificate(await authority.sign(request, terms));
    const own = new X509Certificate(await authority.certificate());
    expect(signed.verify(own.publicKey)).toBe(true);
    expect(own.ca).toBe(true);
  });

  it.each([
    [['client auth'], false, true],
    [['digital signature', 'client auth'], true, true],
    [['digital signature', 'key encipherment'], true, false],
  ] as const)(
    'writes no list of usages that is empty, which OpenSSL takes for one that allows nothing: %j',
    async (usages, hasKeyUsages, hasExtended) => {
      const authority = new KeptAuthority({ clock, keys: new MemorySigningKeys() });
      const terms = { usages, notBeforeMs: NOW, notAfterMs: NOW + DAY_MS };
      const x509 = await loadX509();
      const { extensions } = new x509.X509Certificate(await authority.sign(await decodedBy(authority), terms));
      const types = extensions.map(({ type }) => type);
      expect([types.includes('2.5.29.15'), types.includes('2.5.29.37')]).toEqual([hasKeyUsages, hasExtended]);
    },
  );

  it('says who the API server is for kubelets, by a certificate of a year', async () => {
    const authority = new KeptAuthority({ clock, keys: new MemorySigningKeys() });
    const { authority: known, certificate } = await authority.kubeletCredentials();
    expect(known).toBe(await authority.certificate());
    const client = new X509Certificate(certificate);
    expect(client.subject.split('\n').toSorted()).toEqual(['CN=kube-apiserver-kubelet-client', 'O=system:masters']);
    expect(Date.parse(client.validTo)).toBe(NOW + 365 * DAY_MS);
    expect(client.verify(new X509Certificate(known).publicKey)).toBe(true);
  });

  it('is asked for again after its key could not be read', async () => {
    const keys = new MemorySigningKeys();
    let isDown = true;
    const authority = new KeptAuthority({
      clock,
      keys: {
        keep: (made) => keys.keep(made),
        read: () => (isDown ? Promise.reject(new Error('throttled')) : keys.read()),
      },
    });
    await expect(authority.certificate()).rejects.toThrow('throttled');
    isDown = false;
    expect(await authority.certificate()).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });
});
