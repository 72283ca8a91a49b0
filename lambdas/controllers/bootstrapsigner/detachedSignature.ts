import { createHmac } from 'node:crypto';

/**
 * Signs a text by a bootstrap token: a JSON web signature (RFC 7515) of which the text is left out, as kubeadm expects it. It compares texts, so the header is exactly as Go writes it. A machine that knows the token can
 * tell by it that the text comes from somebody who knows the token, too. Pure.
 */
export function detachedSignature(text: string, tokenId: string, tokenSecret: string): string {
  const header = base64url(JSON.stringify({ alg: 'HS256', kid: tokenId }));
  const signature = createHmac('sha256', tokenSecret)
    .update(`${header}.${base64url(text)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
