import { expect, test } from 'vitest';
import { packBase64, unpackBase64 } from '../../../../lambdas/adapters/aws/objects/packedBase64.ts';
import { decodeBody, encodePackedBody, isPacked } from '../../../../lambdas/adapters/aws/objects/storedBody.ts';
import * as fc from '../../../support/seededFastCheck.ts';

/** Texts that are base64, that nearly are, and others, of which some are long enough to be packed. */
const text = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc
    .tuple(fc.nat(2_000), fc.constantFrom('', '=', '==', '===', '!', '"', '\\', '\u0000', '\u00001\u0000', 'ä'))
    .map(([n, end]) => 'A'.repeat(n) + end),
  fc.string({ unit: 'binary' }),
);

test('what was packed comes back as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text))), (value) => {
      const json = JSON.stringify(value);
      expect(unpackBase64(packBase64(json))).toBe(json);
      const body = encodePackedBody(json);
      expect(isPacked(body)).toBe(true);
      expect(decodeBody(body)).toBe(json);
      // A record of the stream has bytes in base64.
      expect(decodeBody({ B: Buffer.from(body.B ?? []).toString('base64') })).toBe(json);
    }),
  );
});

test('base64 of base64 is stored with a quarter less', () => {
  const inner = Buffer.from(
    Uint8Array.from({ length: 30_000 }, (_, at) => (Math.imul(at, 2_654_435_761) >>> 13) & 255),
  );
  const json = JSON.stringify({ data: { release: Buffer.from(inner.toString('base64')).toString('base64') } });
  expect(packBase64(json).length).toBeLessThan(json.length * 0.76);
});
