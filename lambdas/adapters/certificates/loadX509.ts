/** The library for X.509 certificates. */
export type X509 = typeof import('@peculiar/x509');

/** Loads the library, which only a server with an authority of its own needs. It finds its parts by metadata of their classes, so the polyfill comes first. */
export async function loadX509(): Promise<X509> {
  await import('reflect-metadata');
  return await import('@peculiar/x509');
}
