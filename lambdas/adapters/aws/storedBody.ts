import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { BODY_DICTIONARY } from './bodyDictionary.ts';

/** A shorter JSON fits one write unit as it is. */
const COMPRESS_FROM_BYTES = 600;

/** Attributes come as bytes from the API, and as base64 in stream events. */
export type StoredAttribute = Omit<AttributeValue, 'B'> & { B?: Uint8Array | string };

/**
 * A JSON as an attribute: a string, or, where that is shorter, compressed bytes. Objects of one kind resemble each other, so that the compressor begins
 * with a dictionary of what they have in common; most pods fit into one write unit then.
 */
export function encodeBody(json: string): AttributeValue {
  if (json.length < COMPRESS_FROM_BYTES) return { S: json };
  const bytes = deflateRawSync(json, { dictionary: BODY_DICTIONARY });
  return bytes.length < Buffer.byteLength(json) ? { B: bytes } : { S: json };
}

/** The JSON again. Throws for an attribute that `encodeBody` did not make. */
export function decodeBody(attribute: StoredAttribute): string {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.B === undefined) throw new TypeError('a stored body is neither text nor bytes');
  const bytes = typeof attribute.B === 'string' ? Buffer.from(attribute.B, 'base64') : attribute.B;
  return inflateRawSync(bytes, { dictionary: BODY_DICTIONARY }).toString('utf8');
}

/** The attribute's size as DynamoDB counts it, in bytes. */
export function bodySize(attribute: AttributeValue): number {
  return attribute.S === undefined ? (attribute.B?.length ?? 0) : Buffer.byteLength(attribute.S);
}
