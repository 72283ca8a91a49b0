import type { Container } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';

/**
 * Returns why a kubelet refuses to create the container: it must not run as root, and its spec says that it does (`verifyRunAsNonRoot`). Nobody knows the user of a simulated image, so a container whose
 * spec names no user passes. Pure.
 */
export function securityError({ metadata, spec }: Pod, { name, securityContext }: Container): string | undefined {
  const { runAsNonRoot, runAsUser } = { ...spec?.securityContext, ...withoutAbsent(securityContext) };
  if (runAsNonRoot !== true || runAsUser !== 0) return undefined;
  const pod = `${metadata.name}_${metadata.namespace ?? ''}(${metadata.uid})`;
  return `container's runAsUser breaks non-root policy (pod: "${pod}", container: ${name})`;
}

function withoutAbsent({ runAsNonRoot, runAsUser }: NonNullable<Container['securityContext']> = {}) {
  return { ...(runAsNonRoot !== undefined && { runAsNonRoot }), ...(runAsUser !== undefined && { runAsUser }) };
}
