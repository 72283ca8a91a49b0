import protobuf from 'protobufjs';
import { ApiError } from '../../objects/ApiError.ts';
import { kindSchema } from '../schema/kindSchema.ts';
import type { DecodedText } from './decodeJson.ts';
import { decodeMessage } from './decodeMessage.ts';
import { limitsOf, type ProtobufDefaults } from './DecodingBudget.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;

/**
 * Decodes Kubernetes' protobuf envelope (`k8s\0`, then a runtime.Unknown that names the kind and holds the object's own bytes) to the JSON of the same
 * object. Returns `error` for any other bytes; never throws.
 */
export function decodeProtobuf(bytes: Uint8Array, defaults: ProtobufDefaults): DecodedText {
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) {
    return { error: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]' };
  }
  try {
    const envelope = readEnvelope(bytes.subarray(MAGIC.length));
    const apiVersion = envelope.apiVersion || defaults.apiVersion;
    const kind = envelope.kind || defaults.kind;
    const schema = kindSchema(apiVersion, kind, defaults.release);
    if (schema === undefined) return { value: { apiVersion, kind }, strictErrors: [] };
    return {
      value: {
        apiVersion,
        kind,
        ...decodeMessage(envelope.raw, schema, limitsOf({ apiVersion, kind, budget: defaults.budget })),
      },
      strictErrors: [],
    };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return { error: `proto: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
}

interface Envelope {
  apiVersion: string;
  kind: string;
  raw: Uint8Array;
}

/** runtime.Unknown: typeMeta = 1 (apiVersion = 1, kind = 2), raw = 2; contentEncoding = 3 and contentType = 4 are empty for protobuf. */
function readEnvelope(bytes: Uint8Array): Envelope {
  const envelope: Envelope = { apiVersion: '', kind: '', raw: new Uint8Array() };
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) readTypeMeta(protobuf.Reader.create(reader.bytes()), envelope);
    else if (tag >>> 3 === 2) envelope.raw = reader.bytes();
    else reader.skipType(tag & 7);
  }
  return envelope;
}

function readTypeMeta(reader: protobuf.Reader, envelope: Envelope): void {
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) envelope.apiVersion = reader.string();
    else if (tag >>> 3 === 2) envelope.kind = reader.string();
    else reader.skipType(tag & 7);
  }
}
