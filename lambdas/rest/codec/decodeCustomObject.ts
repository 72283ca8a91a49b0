import { badRequest } from '../../objects/apiErrors.ts';
import type { CustomSchema } from '../../registry/apiextensions/CustomSchema.ts';
import { checkCustomFields } from '../schema/checkCustomFields.ts';
import { cannotBeHandled } from '../schema/checkFields.ts';
import { decodeBody, unsupportedMediaType } from './decodeBody.ts';
import { type DecodedObject, objectOf, type ObjectBody, unrecognized } from './decodeObject.ts';

/**
 * Decodes a request's body into a custom object of the kind that the path asks for. Unlike a built-in kind, it must name its kind. Protobuf has no place for its fields. Rejects with ApiError:
 * UnsupportedMediaType for an unknown media type, BadRequest or Invalid otherwise, in the words of Kubernetes' handlers.
 */
export async function decodeCustomObject(body: ObjectBody, schema: CustomSchema): Promise<DecodedObject> {
  const { apiVersion, kind, fieldValidation: mode, budget } = body;
  if (body.contentType?.includes('protobuf') === true) throw unsupportedMediaType();
  const decoded = await decodeBody(body.bytes, body.contentType, body);
  const object = objectOf(decoded, body);
  const text = new TextDecoder().decode(body.bytes).trim();
  if ((object['kind'] ?? '') === '') throw unrecognized(`Object 'Kind' is missing in '${text}'`, body);
  const given = object['apiVersion'];
  if (typeof given === 'string' && given.split('/').length > 2)
    throw unrecognized(`unexpected GroupVersion string: ${given}`, body);
  const strictErrors = decoded.error === undefined ? decoded.strictErrors : [];
  const check = checkCustomFields({ object, strictErrors, mode, apiVersion, kind, schema, budget });
  if (check.refused !== undefined) throw cannotBeHandled(apiVersion, kind, kind, check.refused);
  if (typeof object['metadata'] !== 'object') throw badRequest('metadata must be an object');
  return { object, warnings: check.warnings };
}
