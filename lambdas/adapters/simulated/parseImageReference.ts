/** An image's name, as a container runtime resolves it. */
export interface ImageReference {
  /** The full name with registry, path and tag or digest: `docker.io/library/nginx:1.27`. */
  readonly canonical: string;
  /** The name without tag and digest: `docker.io/library/nginx`. */
  readonly repository: string;
  readonly tag: string | undefined;
}

const DOMAIN_LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = new RegExp(`^(?:${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const PATH = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const REFERENCE =
  /^(?<name>.+?)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$/;
const MAX_NAME_LENGTH = 255;

/** Resolves a name by Docker's reference grammar: `nginx` is `docker.io/library/nginx:latest`. For an invalid name, returns what is wrong. Pure. */
export function parseImageReference(image: string): ImageReference | { readonly error: string } {
  const { name = '', tag, digest } = REFERENCE.exec(image)?.groups ?? {};
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const hasDomain = /[.:A-Z]/.test(first) || first === 'localhost';
  const domain = hasDomain ? first : 'docker.io';
  const rest = hasDomain ? name.slice(slash + 1) : name;
  const path = domain === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest;
  if (PATH.test(path.toLowerCase()) && path !== path.toLowerCase())
    return { error: `invalid reference format: repository name (${path}) must be lowercase` };
  if (!PATH.test(path) || !DOMAIN.test(domain)) return { error: 'invalid reference format' };
  const repository = `${domain}/${path}`;
  if (repository.length > MAX_NAME_LENGTH)
    return { error: `repository name must not be more than ${MAX_NAME_LENGTH} characters` };
  const version = digest === undefined ? `:${tag ?? 'latest'}` : `@${digest}`;
  return { canonical: `${repository}${version}`, repository, tag };
}
