const DOMAIN_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DOMAIN = `(?:${DOMAIN_PART}(?:\\.${DOMAIN_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(
  `^(?:${DOMAIN}/)?${PATH_PART}(?:/${PATH_PART})*(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(${DIGEST}))?$`,
);

/** The tag of an image reference: `latest` if it has neither tag nor digest, undefined if it has only a digest or is no reference. */
export function imageTag(image: unknown): string | undefined {
  if (typeof image !== 'string' || image.length > 4_096) return undefined;
  const match = REFERENCE.exec(image);
  if (match === null) return undefined;
  const [, tag, digest] = match;
  return tag ?? (digest === undefined ? 'latest' : undefined);
}

/** What an image is pulled by when nobody says: always if its tag moves, otherwise only if it is not there. */
export function defaultPullPolicy(image: unknown): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}
