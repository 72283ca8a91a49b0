import { describe, expect, test } from 'vitest';
import { certificateRequestProblem } from '../../../lambdas/objects/certificates/certificateRequestProblem.ts';
import { readDer } from '../../../lambdas/objects/certificates/readDer.ts';
import { createRequestDer } from '../../support/signingRequests.ts';

const RSA = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
const ec = await createRequestDer();
const rsa = await createRequestDer({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384', ...RSA });
const pss = await createRequestDer({ name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32, ...RSA });
const p521 = await createRequestDer({ name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' });
const ed25519 = await createRequestDer({ name: 'Ed25519' });

/** The request with another last byte: the end of the signature. */
function resigned(der: Buffer): Buffer {
  return Buffer.concat([der.subarray(0, -1), Buffer.from([(der.at(-1) ?? 0) ^ 1])]);
}

/** What one request asks for, with the signature of another. */
function signedLike(der: Buffer, other: Buffer): Buffer {
  const [parts, others] = [der, other].map((one) => readDer(readDer(one, 1)?.[0]?.content ?? one, 3) ?? []);
  const content = Buffer.concat([...(parts ?? []).slice(0, 1), ...(others ?? []).slice(1)].map(({ whole }) => whole));
  return Buffer.concat([Buffer.from([0x30, 0x82, content.length >> 8, content.length & 0xff]), content]);
}

/** The request with other bytes in place of the last ones like these, both in hexadecimal. */
function replaced(der: Buffer, hex: string, by: string): Buffer {
  const text = der.toString('hex');
  const at = text.lastIndexOf(hex);
  return Buffer.from(`${text.slice(0, at)}${by}${text.slice(at + hex.length)}`, 'hex');
}

const UNIMPLEMENTED = 'x509: cannot verify signature: algorithm unimplemented';
const ECDSA_SHA256 = '2a8648ce3d040302';

describe('a certificate request', () => {
  test.each([
    ['ECDSA', ec],
    ['ECDSA of another curve', p521],
    ['RSA', rsa],
    ['RSASSA-PSS', pss],
    ['Ed25519', ed25519],
  ])('signed with its own key is fine: %s', (_, der) => {
    expect(certificateRequestProblem(der)).toBeUndefined();
  });

  test.each([
    ['of nothing', Buffer.alloc(0), 'asn1: syntax error: sequence truncated'],
    ['of one byte', Buffer.from([0x30]), 'asn1: syntax error: data truncated'],
    ['that is cut off', ec.subarray(0, -1), 'asn1: syntax error: data truncated'],
    ['with bytes after it', Buffer.concat([ec, Buffer.from([0])]), 'asn1: syntax error: trailing data'],
    ['of an endless length', Buffer.from([0x30, 0x80, 0, 0]), 'asn1: syntax error: data truncated'],
    ['of an enormous length', Buffer.from([0x30, 0x89]), 'asn1: syntax error: data truncated'],
    ['that is a number', Buffer.from([0x02, 0x01, 0x05]), "asn1: structure error: tags don't match"],
    ['of an empty list', Buffer.from([0x30, 0x00]), "asn1: structure error: tags don't match"],
    ['signed by another key: ECDSA', resigned(ec), 'x509: ECDSA verification failure'],
    ['signed by another key: RSA', resigned(rsa), 'crypto/rsa: verification error'],
    ['signed by another key: RSASSA-PSS', resigned(pss), 'crypto/rsa: verification error'],
    ['signed by another key: Ed25519', resigned(ed25519), 'x509: Ed25519 verification failure'],
    ['with another subject', replaced(ec, '616c696365', '616c696366'), 'x509: ECDSA verification failure'],
    ['signed in a way nobody knows', replaced(ec, ECDSA_SHA256, '2a8648ce3d04037f'), UNIMPLEMENTED],
    ['for a key of a kind nobody knows', replaced(ec, '2a8648ce3d0201', '2a8648ce3d027f'), UNIMPLEMENTED],
    [
      'signed for a key of another kind',
      signedLike(ed25519, rsa),
      'x509: signature algorithm specifies an RSA public key, but have public key of type ed25519.PublicKey',
    ],
  ])('%s', (_, der, problem) => {
    expect(certificateRequestProblem(der)).toBe(problem);
  });
});
