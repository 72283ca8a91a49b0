import { gunzipSync } from 'node:zlib';
import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import { type AnswerBody, answerBody } from '../../../lambdas/rest/response/answerBody.ts';

const KIB = 1024;
const LARGE = ['x'.repeat(100 * KIB), 'ä'.repeat(20 * KIB), 'y'.repeat(200 * KIB)];

async function bytesOf({ body }: AnswerBody): Promise<Buffer> {
  return Buffer.from(await new Response(body).arrayBuffer());
}

describe('the body of an answer', () => {
  it('is its text, whatever its pieces and the accepted encodings are', async () => {
    // To draw each of a million characters takes seconds, so what is drawn is repeated.
    const drawn = fc.string({ unit: 'binary', maxLength: 3 * KIB, size: 'max' });
    const piece = fc.tuple(drawn, fc.nat(100)).map(([text, times]) => text.repeat(times));
    const pieces = fc.array(piece, { maxLength: 5 });
    const encodings = fc.constantFrom(null, 'gzip', 'deflate, gzip', 'br');
    await fc.assert(
      fc.asyncProperty(pieces, encodings, async (texts, encoding) => {
        const answer = answerBody(encoding, texts);
        const bytes = await bytesOf(answer);
        const plain = answer.headers['Content-Encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
        expect(plain.equals(Buffer.from(texts.join('')))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['is compressed if it is larger than 128 KiB', LARGE, 'gzip', 'gzip'],
    ['is compressed if gzip is one of several encodings', LARGE, 'deflate, gzip', 'gzip'],
    ['is not compressed if it is not larger', ['x'.repeat(128 * KIB)], 'gzip', undefined],
    ['is not compressed without the client`s consent', LARGE, null, undefined],
    ['is not compressed for a client that weighs gzip, as in Kubernetes', LARGE, 'gzip;q=0.5', undefined],
  ])('%s', (_, pieces, accepted, encoding) => {
    const { headers } = answerBody(accepted, pieces);
    expect(headers['Content-Encoding']).toBe(encoding);
    expect(headers['Vary']).toBe(encoding && 'Accept-Encoding');
  });

  it('takes its pieces only as fast as they are read', async () => {
    let taken = 0;
    function* pieces() {
      for (taken = 0; taken < 1_000; taken += 1) yield 'x'.repeat(64 * KIB);
    }
    const reader = (answerBody(null, pieces()).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    expect(taken).toBeLessThan(20);
    await reader.cancel();
    expect(taken).toBeLessThan(20);
  });

  it('fails when a piece cannot be made, so that the client sees no complete answer', async () => {
    function* pieces() {
      yield* LARGE;
      throw new Error('no more');
    }
    await expect(bytesOf(answerBody('gzip', pieces()))).rejects.toThrow();
  });
});
