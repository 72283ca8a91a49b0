import { readRequestBody } from '../../../lambdas/rest/request/readRequestBody.ts';

/** The longest body of a call of the page. Its largest, an action with the name of an image, has less than a kilobyte. */
const MAX_CALL_BYTES = 64 * 1024;

/** Reads the fields that the page has sent; what is no JSON object has none. Throws ApiError RequestEntityTooLarge for too long a body, without reading the rest. */
export async function readPageBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readRequestBody(request, MAX_CALL_BYTES);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return value !== null && typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}
