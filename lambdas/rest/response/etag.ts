/** A strong validator of a document: its SHA-512 in upper-case hexadecimal digits, in quotes, as Kubernetes makes those of discovery and OpenAPI. */
export async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-512', new TextEncoder().encode(text));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `"${hex.toUpperCase()}"`;
}

/** True if the client has this version of the document already. */
export function isUnchanged(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match') ?? '';
  return known.split(',').some((one) => one.trim() === etag || one.trim() === '*');
}
