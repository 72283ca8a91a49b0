import type { Secret as ApiSecret } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../KubernetesObject.ts';

export type Secret = Stored<ApiSecret>;

/** A token by which a machine finds its cluster and asks for its first certificate, as a Secret keeps it. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** True if requests may present the token. */
  readonly authenticates: boolean;
  /** True if the token signs what the cluster says of itself. */
  readonly signs: boolean;
  /** When the token ends, in milliseconds. An end that cannot be read has passed, as in Kubernetes. */
  readonly endMs: number;
  /** The further groups of a user who presents the token, separated by commas. */
  readonly groups: string;
}

/** Where bootstrap tokens are. */
export const TOKEN_NAMESPACE = 'kube-system';
const TYPE = 'bootstrap.kubernetes.io/token';
/** A day and a time in a zone. JavaScript reads more than that: `2030`, `Nov 1 2030`. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const NAME = /^bootstrap-token-([a-z0-9]{6})$/;

/** True for a Secret that should hold a bootstrap token. Pure. */
export function isBootstrapToken({ type, metadata }: Secret): boolean {
  return type === TYPE && metadata.namespace === TOKEN_NAMESPACE;
}

/** Reads the bootstrap token of a Secret; `undefined` if it holds none, is being deleted, or is not named after its token. Pure. */
export function decodeBootstrapToken(secret: Secret): BootstrapToken | undefined {
  const text = (key: string) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
  const id = NAME.exec(secret.metadata.name)?.[1];
  if (!isBootstrapToken(secret) || secret.metadata.deletionTimestamp !== undefined) return undefined;
  if (id === undefined || text('token-id') !== id || text('token-secret') === '') return undefined;
  return {
    id,
    secret: text('token-secret'),
    authenticates: text('usage-bootstrap-authentication') === 'true',
    signs: text('usage-bootstrap-signing') === 'true',
    endMs: bootstrapTokenEndMs(secret),
    groups: text('auth-extra-groups'),
  };
}

/** When the token of the Secret ends, in milliseconds. It may be no valid token otherwise. Pure. */
export function bootstrapTokenEndMs({ data }: Secret): number {
  const expiration = Buffer.from(data?.['expiration'] ?? '', 'base64').toString();
  if (expiration === '') return Number.POSITIVE_INFINITY;
  const endMs = RFC_3339.test(expiration) ? Date.parse(expiration) : Number.NaN;
  return Number.isNaN(endMs) ? Number.NEGATIVE_INFINITY : endMs;
}
