import { kindSchema } from '../../lambdas/rest/schema/kindSchema.ts';
import { encodeEnvelope } from '../rest/codec/encodeMessage.ts';

/** Encodes an object, with its `apiVersion` and `kind`, in Kubernetes' protobuf, as client-go does. Throws for a kind that has no schema. */
export function encodeKubernetesObject(object: object): Buffer {
  const { apiVersion = '', kind = '', ...members } = object as { readonly apiVersion?: string; readonly kind?: string };
  const schema = kindSchema(apiVersion, kind);
  if (!schema) throw new TypeError(`there is no protobuf of ${apiVersion} ${kind}`);
  return Buffer.from(encodeEnvelope(apiVersion, kind, members, schema));
}
