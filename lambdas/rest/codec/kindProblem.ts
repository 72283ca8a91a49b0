import { goQuote } from '../../objects/go/goQuote.ts';
import type { KubernetesRelease } from '../../objects/KubernetesRelease.ts';
import { GROUP_PACKAGES, kindSchema, parseApiVersion } from '../schema/kindSchema.ts';

/** A version of the API and a kind in it: `apps/v1`, `Deployment`. */
export interface VersionedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What Kubernetes' decoder says of an object of another kind than the path expects, or of a kind that the release does not know; `undefined` if nothing is wrong. Pure. */
export function kindProblem(
  { apiVersion, kind }: VersionedKind,
  expected: VersionedKind,
  release: KubernetesRelease | undefined,
): string | undefined {
  if (kindSchema(apiVersion, kind, release) === undefined)
    return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  if (kind === expected.kind) return undefined;
  const internal = GROUP_PACKAGES[parseApiVersion(expected.apiVersion).group];
  return `converting (${parseApiVersion(apiVersion).version}.${kind}) to (${internal}.${expected.kind}): unknown conversion`;
}
