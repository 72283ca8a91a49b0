import { describe, expect, test } from 'vitest';
import { kubectlServer } from '../../support/kubectlServer.ts';
import { layerPrograms } from '../../support/layerPrograms.ts';
import { CERTIFICATE_DEFINITION } from './certificateDefinition.ts';
import { untilEstablished } from '../../support/untilEstablished.ts';

const programs = layerPrograms();

const certificate = (name: string, spec: object) =>
  JSON.stringify({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name },
    spec: { secretName: 'tls', issuerRef: { name: 'ca' }, dnsNames: ['example.com'], ...spec },
  });

describe.skipIf(!programs)('cert-manager’s Certificates and kubectl 1.35, which needs Linux on x64:', () => {
  const { kubectl, run } = kubectlServer({
    program: programs?.kubectl,
    prepare: async (says) => {
      await says('apply --server-side -f -', { input: JSON.stringify(CERTIFICATE_DEFINITION) });
      await untilEstablished(says, 'certificates.cert-manager.io', 'Certificate');
    },
  });
  const refusal = async (spec: object) => {
    const { code, stderr } = await run(['apply', '-f', '-'], { input: certificate('web', spec) });
    expect(code).toBe(1);
    return stderr;
  };

  test('it explains their fields', async () => {
    expect(await kubectl('explain certificate.spec.privateKey')).toMatch(
      /GROUP: +cert-manager\.io\nKIND: +Certificate\nVERSION: +v1\n\nFIELD: privateKey <Object>\n[^]*How the private key is made\.[^]*algorithm\t<string>\n +enum: RSA, ECDSA, Ed25519/,
    );
    expect(await kubectl('explain certs --recursive')).toContain('passwordSecretRef\t<Object> -required-');
  }, 60_000);

  test('it applies one, which gets its defaults, a status and columns', async () => {
    await kubectl('apply -f -', { input: certificate('web', { privateKey: { size: 4096 } }) });
    expect(JSON.parse(await kubectl('get cert web -o jsonpath={.spec}'))).toEqual({
      secretName: 'tls',
      dnsNames: ['example.com'],
      duration: '2160h',
      issuerRef: { name: 'ca', kind: 'Issuer' },
      privateKey: { algorithm: 'RSA', rotationPolicy: 'Always', size: 4096 },
    });
    const condition = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const status = JSON.stringify({ status: { conditions: [condition] } });
    await kubectl(`patch cert web --subresource=status --type=merge -p ${status}`);
    await kubectl('wait cert/web --for=condition=Ready --timeout=30s');
    expect(await kubectl('get cert-manager -o wide --no-headers')).toMatch(/^\S*web +True +tls +ca +\S+\n$/);
    expect(await kubectl('get certs --field-selector=spec.issuerRef.name=other')).toBe('');
    expect(await run(['apply', '-f', '-'], { input: certificate('web', { secretName: 'other' }) })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('spec: Forbidden: the Secret stays the same'),
    });
  }, 60_000);

  test.each<[string, object, string]>([
    [
      'an unknown algorithm',
      { privateKey: { algorithm: 'DSA' } },
      'spec.privateKey.algorithm: Unsupported value: "DSA": supported values: "RSA", "ECDSA", "Ed25519"',
    ],
    ['an Ed25519 key with a size', { privateKey: { algorithm: 'Ed25519', size: 256 } }, 'an Ed25519 key has no size'],
    ['a size that the algorithm does not have', { privateKey: { size: 512 } }, 'RSA keys have 2048, 4096 or 8192 bits'],
    [
      'two times of renewal',
      { renewBefore: '1h', renewBeforePercentage: 5 },
      'renewBefore and renewBeforePercentage exclude each other',
    ],
    ['a renewal after the end', { renewBefore: '3000h' }, 'a certificate is renewed before it ends'],
    ['a field that does not exist', { secretname: 'tls' }, 'unknown field "spec.secretname"'],
    ['no issuer', { issuerRef: { kind: 'ClusterIssuer' } }, 'spec.issuerRef.name: Required value'],
  ])(
    'it is told of %s',
    async (_, spec, message) => {
      expect(await refusal(spec)).toContain(message);
    },
    60_000,
  );
});
