import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadX509 } from '../../../lambdas/adapters/certificates/loadX509.ts';
import { X509Authority } from '../../../lambdas/adapters/certificates/X509Authority.ts';
import { parseCertificateRequest } from '../../../lambdas/objects/certificates/parseCertificateRequest.ts';
import * as fc from '../../support/seededFastCheck.ts';

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const TERMS = { notBeforeMs: 0, notAfterMs: 1_000_000 };
const authority = new X509Authority(await X509Authority.create('ca', TERMS));
const ONE = 'must be exactly one CERTIFICATE REQUEST PEM block without headers, and nothing else';
const TYPE = 'PEM block type must be CERTIFICATE REQUEST';
const [BEGIN, END] = ['-----BEGIN CERTIFICATE REQUEST-----', '-----END CERTIFICATE REQUEST-----'];

type Subject = Record<string, (string | Record<string, string>)[]>[];

/** The lines of the base64 of a request, signed by a key of its own. */
async function requestOf(name: Subject): Promise<string> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: name as never,
    keys,
    signingAlgorithm: P256,
  });
  return Buffer.from(request.rawData).toString('base64');
}

const nodeSubject = (name: string): Subject => [{ O: ['system:nodes'] }, { CN: [`system:node:${name}`] }];
const a = await requestOf(nodeSubject('a'));
const b = await requestOf(nodeSubject('b'));
const block = (content: string) => `${BEGIN}\n${content}\n${END}\n`;
const withHeader = (content: string) => `${BEGIN}\nProc-Type: 4\n\n${content}\n${END}\n`;
const parse = (pem: string) => parseCertificateRequest(Buffer.from(pem, 'latin1').toString('base64'));

/** The subject that the authority writes, which others read. */
async function signedSubject(pem: string): Promise<string[] | undefined> {
  const request = await authority.decodeRequest(Buffer.from(pem, 'latin1').toString('base64'));
  if (!request) return undefined;
  const certificate = new X509Certificate(await authority.sign(request, { ...TERMS, usages: ['client auth'] }));
  return certificate.subject.split('\n');
}

describe('the text of a certificate request', () => {
  it.each([
    ['one block', block(a)],
    ['lines that end as in Windows', block(a).replaceAll('\n', '\r\n')],
    ['no line end at the end', block(a).trimEnd()],
    ['white space around', `\n  ${block(a)}\n\n`],
  ])('is taken: %s', async (_, pem) => {
    expect(parse(pem)).toMatchObject({ status: 'parsed', request: { commonName: 'system:node:a' } });
    expect(await signedSubject(pem)).toEqual(['O=system:nodes', 'CN=system:node:a']);
  });

  it.each([
    ['two blocks', block(b) + block(a), ONE],
    ['a block with a header before another', withHeader(b) + block(a), ONE],
    ['a block with a header after another', block(a) + withHeader(b), ONE],
    ['a block with a header alone', withHeader(a), ONE],
    ['words before it', `Subject: a\n${block(a)}`, TYPE],
    ['words after it', `${block(a)}bye`, ONE],
    ['another label before it', `-----BEGIN X-----\n${b}\n-----END X-----\n${block(a)}`, TYPE],
    ['the label of old', block(a).replaceAll('CERTIFICATE', 'NEW CERTIFICATE'), TYPE],
    ['a label in lower case', block(a).toLowerCase(), TYPE],
    ['one label of two', block(a).replace('END CERTIFICATE REQUEST', 'END CERTIFICATE'), ONE],
    [
      'bytes after the request',
      block(Buffer.concat([Buffer.from(a, 'base64'), Buffer.from([0])]).toString('base64')),
      'asn1: syntax error: trailing data',
    ],
    ['nothing', '', TYPE],
  ])('is refused: %s', async (_, pem, why) => {
    expect(parse(pem)).toEqual({ status: 'refused', why });
    expect(await signedSubject(pem)).toBeUndefined();
  });

  it('is refused, or has the subject that is signed, whatever the pieces', async () => {
    const pieces = [
      block(a),
      block(b),
      withHeader(a),
      withHeader(b),
      BEGIN,
      END,
      a,
      b,
      '\n',
      '\r\n',
      ' ',
      'x: y\n',
      '\n\n',
    ];
    const drawn = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(drawn, async (pem) => {
        const parsed = parse(pem);
        const approved = parsed.status === 'parsed' ? [`CN=${parsed.request.commonName}`] : undefined;
        expect((await signedSubject(pem))?.filter((line) => line.startsWith('CN='))).toEqual(approved);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the subject of a certificate request', () => {
  it.each<[string, Subject, string | undefined]>([
    ['two common names: the last one counts', [{ CN: ['b'] }, { CN: ['a'] }], 'a'],
    ['two common names in one set', [{ CN: ['b', 'a'] }], 'a'],
    ['a set of different parts', [{ O: ['system:nodes'], CN: ['a'] }], 'a'],
    ['none', [], ''],
    ['a common name of a printable string', [{ CN: [{ printableString: 'a' }] }], 'a'],
    ['letters beyond ASCII', [{ CN: ['é'] }], 'é'],
    ['a name as a BMP string', [{ CN: [{ bmpString: 'a' }] }], undefined],
    ['a name as a universal string', [{ CN: [{ universalString: 'a' }] }], undefined],
  ])('%s', async (_, subject, commonName) => {
    const pem = block(await requestOf(subject));
    const parsed = parse(pem);
    expect(parsed.status === 'parsed' ? parsed.request.commonName : undefined).toBe(commonName);
    const request = await authority.decodeRequest(Buffer.from(pem).toString('base64'));
    expect(request?.commonName).toBe(commonName);
    if (!request) return;
    const x509 = await loadX509();
    const signed = new x509.X509Certificate(await authority.sign(request, { ...TERMS, usages: ['client auth'] }));
    expect(signed.subjectName.getField('CN')).toEqual(commonName === '' ? [] : [commonName]);
    expect(signed.subjectName.getField('O')).toEqual(request.organizations);
  });
});
