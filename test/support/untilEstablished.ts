import type { kubectlFor } from './kubectl.ts';

/**
 * Waits until a definition is established. Right after its create its conditions are null, as in Kubernetes, and `kubectl wait` fails at that instead of waiting; so this waits for
 * its accepted names first, which are written together with the conditions.
 */
export async function untilEstablished(
  kubectl: ReturnType<typeof kubectlFor>,
  name: string,
  kind: string,
): Promise<void> {
  await kubectl(`wait --for=jsonpath='{.status.acceptedNames.kind}'=${kind} --timeout=90s crd/${name}`);
  await kubectl(`wait --for=condition=Established --timeout=90s crd/${name}`);
}
