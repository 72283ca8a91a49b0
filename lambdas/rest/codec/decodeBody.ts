import { ApiError } from '../../objects/ApiError.ts';
import { decodeJson, type DecodedText } from './decodeJson.ts';
import { limitsOf, type ProtobufDefaults } from './DecodingBudget.ts';
import { decodeYaml } from './decodeYaml.ts';

const ACCEPTED = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const;
type MediaType = (typeof ACCEPTED)[number];

const utf8 = new TextDecoder();

/**
 * Decodes a request's body to plain JSON by its Content-Type; a body without one is JSON. `defaults` is the kind of a protobuf body that names no kind. Returns
 * `error` for a body that does not fit its type. Rejects only with ApiError: UnsupportedMediaType,
 * or RequestEntityTooLarge for more content than an object may hold.
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  defaults: ProtobufDefaults,
): Promise<DecodedText> {
  switch (parseMediaType(contentType)) {
    case 'application/json': {
      const decoded = decodeJson(utf8.decode(bytes), limitsOf(defaults));
      if (decoded.error === undefined) return decoded;
      return { error: `couldn't get version/kind; json parse error: ${decoded.error}` };
    }
    case 'application/yaml':
      return await decodeYaml(utf8.decode(bytes), limitsOf(defaults));
    case 'application/vnd.kubernetes.protobuf': {
      // Few clients send protobuf, and loading its library takes longer than many requests.
      const { decodeProtobuf } = await import('./decodeProtobuf.ts');
      return decodeProtobuf(bytes, defaults);
    }
  }
}

function parseMediaType(contentType: string | undefined): MediaType {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const accepted = type === '' ? 'application/json' : ACCEPTED.find((known) => known === type);
  if (accepted !== undefined) return accepted;
  throw unsupportedMediaType();
}

export function unsupportedMediaType(): ApiError {
  return new ApiError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED.join(', ')}`,
  );
}
